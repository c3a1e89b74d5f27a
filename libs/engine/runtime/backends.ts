import type { Pod } from '../api/core_v1.js';
import type { Endpoint, EndpointSlice } from '../api/discovery_v1.js';
import type { Reader } from '../machinery/client.js';
import { kind as Pods } from '../kinds/core/pod/kind.js';
import { kind as Services } from '../kinds/core/service/kind.js';
import { kind as EndpointSlices } from '../kinds/discovery/endpointslice/kind.js';

/** One address behind a Service; without a pod it stands for something outside the cluster. */
export interface Backend {
  readonly ip: string;
  readonly port: number;
  readonly pod: Pod | undefined;
}

const ROUTED = new Set(['ClusterIP', 'NodePort', 'LoadBalancer']);

/** Who answers behind a Service's port, or why nobody does. Models apiserver/pkg/util/proxy ResolveEndpoint. */
export function backendOf(
  read: Reader,
  namespace: string,
  name: string,
  port: number,
): Backend | { readonly error: string } {
  const service = read.get(Services, { namespace, name });
  if (!service) return { error: `service ${JSON.stringify(name)} not found` };
  const type = service.spec.type ?? 'ClusterIP';
  if (!ROUTED.has(type)) return { error: `unsupported service type ${JSON.stringify(type)}` };
  const wanted = service.spec.ports?.find((p) => p.port === port);
  if (!wanted) return { error: `no service port ${port} found for service ${JSON.stringify(name)}` };
  for (const slice of slicesOf(read, namespace, name)) {
    const target = slice.ports?.find((p) => (p.name ?? '') === (wanted.name ?? ''))?.port;
    const endpoint = slice.endpoints?.find((e) => e.conditions?.ready !== false);
    if (target !== undefined && endpoint)
      return { ip: endpoint.addresses[0] ?? '', port: target, pod: podOf(read, namespace, endpoint) };
  }
  return { error: `no endpoints available for service ${JSON.stringify(name)}` };
}

const slicesOf = (read: Reader, namespace: string, name: string): EndpointSlice[] =>
  read
    .list(EndpointSlices, namespace)
    .filter((slice) => slice.metadata.labels?.['kubernetes.io/service-name'] === name);

const podOf = (read: Reader, namespace: string, { targetRef }: Endpoint): Pod | undefined =>
  targetRef?.kind === 'Pod'
    ? read.get(Pods, { namespace: targetRef.namespace ?? namespace, name: targetRef.name ?? '' })
    : undefined;
