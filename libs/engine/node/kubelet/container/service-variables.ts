import { joinHostPort } from '../../../machinery/net/netip.js';
import type { Service } from '../../../api/core_v1.js';
import { Services } from '../../../kinds/index.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import type { Data, ValueSource } from './value-source.js';

/** The Service that stands for the API server, in every namespace. */
const MASTER = { namespace: 'default', name: 'kubernetes' };
const NONE: Data = {};

/**
 * The variables of the Services that were there when a container was made: those of its namespace, unless the pod does
 * without service links, and the API server's. Models kubelet_pods.go getServiceEnvVarMap and pkg/kubelet/envvars.
 */
export function serviceVariables({ pod, read }: ValueSource, madeAt: Millis): Data {
  if (!read) return NONE;
  const { namespace = '' } = pod.metadata;
  const services = new Map<string, Service>();
  const master = read.get(Services, MASTER);
  if (master) services.set(MASTER.name, master);
  if (pod.spec.enableServiceLinks !== false)
    for (const service of read.list(Services, namespace)) services.set(service.metadata.name!, service);
  const variables: Record<string, string> = {};
  for (const service of services.values())
    if (hasClusterIP(service) && parseTimestamp(service.metadata.creationTimestamp ?? '') <= madeAt)
      Object.assign(variables, variablesOf(service));
  return variables;
}

const hasClusterIP = ({ spec }: Service): boolean => Boolean(spec.clusterIP) && spec.clusterIP !== 'None';

/** 'WEB_SERVICE_HOST', and Docker's 'WEB_PORT_80_TCP_ADDR' with its like. */
function variablesOf({ metadata, spec }: Service): Data {
  const name = variableName(metadata.name!);
  const host = spec.clusterIP!;
  const ports = spec.ports ?? [];
  const variables: Record<string, string> = {
    [`${name}_SERVICE_HOST`]: host,
    [`${name}_SERVICE_PORT`]: String(ports[0]?.port ?? ''),
  };
  for (const port of ports) {
    if (port.name) variables[`${name}_SERVICE_PORT_${variableName(port.name)}`] = String(port.port);
    const protocol = port.protocol ?? 'TCP';
    const url = `${protocol.toLowerCase()}://${joinHostPort(host, port.port)}`;
    const prefix = `${name}_PORT_${port.port}_${protocol}`;
    variables[`${name}_PORT`] ??= url;
    variables[prefix] = url;
    variables[`${prefix}_PROTO`] = protocol.toLowerCase();
    variables[`${prefix}_PORT`] = String(port.port);
    variables[`${prefix}_ADDR`] = host;
  }
  return variables;
}

const variableName = (text: string): string => text.toUpperCase().replaceAll('-', '_');
