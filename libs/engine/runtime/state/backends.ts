import type { Endpoints, ObjectReference, Pod, Service, ServicePort } from '../../api/core_v1.js';
import type { EndpointSlice } from '../../api/discovery_v1.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { kind as Services } from '../../kinds/core/service/kind.js';
import { kind as EndpointSlices } from '../../kinds/discovery/endpointslice/kind.js';
import type { Reader } from '../../machinery/client.js';

/** An address behind a Service's port. */
export interface Backend {
  readonly ip: string;
  readonly port: number;
  /** Undefined for an address outside the cluster. */
  readonly pod: Pod | undefined;
}

const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';
const ROUTED_TYPES = new Set(['ClusterIP', 'NodePort', 'LoadBalancer']);

export const noServicePort = (service: string, port: number): string =>
  `no service port ${port} found for service ${JSON.stringify(service)}`;
export const noEndpoints = (service: string): string => `no endpoints available for service ${JSON.stringify(service)}`;

/** A Service's port by its number. */
export const findServicePort = ({ spec }: Service, port: number): ServicePort | undefined =>
  spec.ports?.find((p) => p.port === port);

/**
 * The first ready address behind a Service's port, or upstream's error: as webhooks are called. Models
 * apiserver/pkg/util/proxy ResolveEndpoint.
 */
export function resolveEndpoint(
  read: Reader,
  namespace: string,
  name: string,
  port: number,
): Backend | { readonly error: string } {
  const service = read.get(Services, { namespace, name });
  if (!service) return { error: `service ${JSON.stringify(name)} not found` };
  const type = service.spec.type ?? 'ClusterIP';
  if (!ROUTED_TYPES.has(type)) return { error: `unsupported service type ${JSON.stringify(type)}` };
  const servicePort = findServicePort(service, port);
  if (!servicePort) return { error: noServicePort(name, port) };
  for (const slice of slicesOf(read, namespace, name)) {
    const target = findTargetPort(slice.ports, servicePort.name);
    const endpoint = slice.endpoints?.find((e) => e.conditions?.ready !== false);
    if (target !== undefined && endpoint)
      return { ip: endpoint.addresses[0] ?? '', port: target, pod: findPod(read, namespace, endpoint.targetRef) };
  }
  return { error: noEndpoints(name) };
}

/**
 * The pods behind a named port of Endpoints, of the first subset that has any: as services/proxy finds them. Addresses
 * that are no pods are left out. Models pkg/registry/core/service/storage ResourceLocation.
 */
export function podBackends(read: Reader, endpoints: Endpoints, portName: string): (Backend & { readonly pod: Pod })[] {
  const namespace = endpoints.metadata.namespace ?? '';
  for (const { ports, addresses = [] } of endpoints.subsets ?? []) {
    const port = findTargetPort(ports, portName);
    if (port === undefined) continue;
    const backends = addresses.flatMap(({ ip, targetRef }) => {
      const pod = findPod(read, namespace, targetRef);
      return pod?.status.podIP === ip ? [{ ip, port, pod }] : [];
    });
    if (backends.length > 0) return backends;
  }
  return [];
}

const slicesOf = (read: Reader, namespace: string, service: string): EndpointSlice[] =>
  read.list(EndpointSlices, namespace).filter((slice) => slice.metadata.labels?.[SERVICE_NAME_LABEL] === service);

/** The pods' port that stands for a Service's port of this name. */
const findTargetPort = (
  ports: readonly { readonly name?: string; readonly port?: number }[] | undefined,
  name = '',
): number | undefined => ports?.find((p) => (p.name ?? '') === name)?.port;

const findPod = (read: Reader, namespace: string, ref: ObjectReference | undefined): Pod | undefined =>
  ref?.kind === 'Pod' ? read.get(Pods, { namespace: ref.namespace ?? namespace, name: ref.name ?? '' }) : undefined;
