import type { Service } from '../../api/core_v1.js';
import type { Endpoint, EndpointPort } from '../../api/discovery_v1.js';
import { EndpointSlices, Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { hash32 } from '../../machinery/random.js';
import { type Millis } from '../../machinery/time/time.js';
import { isReadyAt } from '../kubelet/container/process.js';
import { isApiServer } from './api-server.js';
import { CONNECT_TIMEOUT, REFUSED, type Target } from './target.js';

const SERVICE_NAME = 'kubernetes.io/service-name';

/** Models kube-proxy's rules: an endpoint that is ready, or REJECT when there is none. */
export function behindService(
  read: Reader,
  service: Service,
  flow: string,
  port: number,
  protocol: 'tcp' | 'udp',
  now: Millis,
): Target {
  const { namespace = '', name = '' } = service.metadata;
  const found = service.spec.ports?.find((p) => p.port === port && (p.protocol ?? 'TCP').toLowerCase() === protocol);
  if (!found) return { error: 'ETIMEDOUT', after: CONNECT_TIMEOUT };
  const backends = backendsOf(read, namespace, name, found.name ?? '', now);
  if (backends.length === 0) return REFUSED;
  const sticky = service.spec.sessionAffinity === 'ClientIP';
  const { ip, port: targetPort, endpoint } = backends[hash32(flow, sticky ? 0 : now) % backends.length]!;
  const ref = endpoint.targetRef;
  const pod =
    ref?.kind === 'Pod' ? read.get(Pods, { namespace: ref.namespace ?? namespace, name: ref.name ?? '' }) : undefined;
  if (pod) return { pod, port: targetPort };
  return isApiServer(read, ip, targetPort) ? { api: true } : { error: 'ENETUNREACH', after: 0 };
}

interface Backend {
  readonly ip: string;
  readonly port: number;
  readonly endpoint: Endpoint;
}

function backendsOf(read: Reader, namespace: string, service: string, portName: string, now: Millis): Backend[] {
  return read
    .list(EndpointSlices, namespace)
    .filter((slice) => slice.metadata.labels?.[SERVICE_NAME] === service)
    .flatMap(({ ports, endpoints = [] }) => {
      const port = (ports as EndpointPort[] | undefined)?.find((p) => (p.name ?? '') === portName)?.port;
      if (port === undefined) return [];
      const ready = endpoints.filter((e) => e.conditions?.ready !== false && isReadyAt(read, namespace, e, now));
      return ready.map((endpoint) => ({ ip: endpoint.addresses[0] ?? '', port, endpoint }));
    });
}
