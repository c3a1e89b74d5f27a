import type { Reader } from '@terrarium/engine';
import type { EndpointPort } from '../../../../engine/api/discovery_v1.js';
import type { Pod, ServicePort } from '../../../../engine/api/core_v1.js';
import { EndpointSlices, Pods } from '../../../../engine/kinds/index.js';
import { isReadyAt } from '../../../../engine/node/kubelet/container/process.js';
import type { Mesh } from '../mesh.js';
import { DestinationRules, type DestinationRule, type Subset, type TlsMode } from '../resources.js';
import type { Host } from './hosts.js';
import { fits, fullName } from './hosts.js';
import { isExported } from './virtual-services.js';

const SERVICE_NAME = 'kubernetes.io/service-name';

export interface Endpoint {
  readonly address: string;
  readonly port: number;
  readonly pod: Pod | undefined;
}

/** A port of a host, with the subset that is meant: what Envoy calls a cluster. */
export interface Cluster {
  /** 'outbound|9080|v1|reviews.default.svc.cluster.local'. */
  readonly name: string;
  readonly host: Host;
  readonly port: number;
  readonly subset: string;
  readonly tls: TlsMode | undefined;
  readonly endpoints: readonly Endpoint[];
}

export const clusterName = (port: number, subset: string, host: string): string => `outbound|${port}|${subset}|${host}`;

/** The rule of a host: the client's namespace comes first, then the host's own, then the mesh's. */
export function ruleOf(read: Reader, host: Host, namespace: string, mesh: Mesh): DestinationRule | undefined {
  const places = [...new Set([namespace, host.namespace, mesh.rootNamespace])];
  for (const place of places) {
    const found = read
      .list(DestinationRules, place)
      .filter((one) => isExported(one, namespace) && fits(fullName(one.spec.host, place, mesh), host.name))
      .sort((a, b) => b.spec.host.length - a.spec.host.length)[0];
    if (found) return found;
  }
  return undefined;
}

/** Undefined: there is no such port, or no such subset. */
export function clusterOf(
  read: Reader,
  host: Host,
  port: number,
  subset: string,
  asker: { readonly namespace: string; readonly mesh: Mesh; readonly now: number },
): Cluster | undefined {
  const rule = ruleOf(read, host, asker.namespace, asker.mesh);
  const own = subset === '' ? undefined : rule?.spec.subsets?.find(({ name }) => name === subset);
  if (subset !== '' && !own) return undefined;
  const endpoints = 'service' in host ? ofService(read, host, port, own, asker.now) : ofEntry(host, port);
  if (!endpoints) return undefined;
  return { name: clusterName(port, subset, host.name), host, port, subset, tls: tlsOf(rule, own, port), endpoints };
}

function tlsOf(rule: DestinationRule | undefined, subset: Subset | undefined, port: number): TlsMode | undefined {
  for (const policy of [subset?.trafficPolicy, rule?.spec.trafficPolicy]) {
    const level = policy?.portLevelSettings?.find((one) => one.port?.number === port);
    const mode = level ? level.tls?.mode : policy?.tls?.mode;
    if (mode) return mode;
  }
  return undefined;
}

export const portOf = (host: Host, port: number): ServicePort | undefined =>
  'service' in host ? host.service.spec.ports?.find((one) => one.port === port) : undefined;

function ofService(
  read: Reader,
  host: Extract<Host, { service: unknown }>,
  port: number,
  subset: Subset | undefined,
  now: number,
): Endpoint[] | undefined {
  const { metadata } = host.service;
  const named = portOf(host, port);
  if (!named) return undefined;
  const wanted = Object.entries(subset?.labels ?? {});
  return read
    .list(EndpointSlices, metadata.namespace)
    .filter((slice) => slice.metadata.labels?.[SERVICE_NAME] === metadata.name && slice.addressType !== 'IPv6')
    .flatMap(({ ports, endpoints = [] }) => {
      const target = (ports as EndpointPort[] | undefined)?.find(
        (one) => (one.name ?? '') === (named.name ?? ''),
      )?.port;
      if (target === undefined) return [];
      return endpoints
        .filter((one) => one.conditions?.ready !== false && isReadyAt(read, host.namespace, one, now))
        .map(({ addresses, targetRef }) => ({
          address: addresses[0] ?? '',
          port: target,
          pod:
            targetRef?.kind === 'Pod'
              ? read.get(Pods, { namespace: host.namespace, name: targetRef.name ?? '' })
              : undefined,
        }));
    })
    .filter(({ pod }) => wanted.every(([name, value]) => pod?.metadata.labels?.[name] === value))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** A host outside is asked by its name when it has no addresses. */
function ofEntry({ entry, name }: Extract<Host, { entry: unknown }>, port: number): Endpoint[] | undefined {
  const own = entry.spec.ports?.find((one) => one.number === port);
  if (!own) return undefined;
  const target = own.targetPort ?? port;
  if (!entry.spec.endpoints?.length) return [{ address: name, port: target, pod: undefined }];
  return entry.spec.endpoints.map(({ address = '', ports }) => ({
    ...{ address, port: ports?.[own.name ?? ''] ?? target, pod: undefined },
  }));
}
