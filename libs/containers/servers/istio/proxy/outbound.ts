import type { Look, Met, Opened, ProxyRequest, Step } from '../../proxy/proxy.js';
import type { Workload } from '../mesh.js';
import { clusterOf, portOf, type Endpoint } from '../routing/clusters.js';
import { findHost, type Host } from '../routing/hosts.js';
import { chooseRoute } from '../routing/match.js';
import { virtualServiceFor } from '../routing/virtual-services.js';
import { podAt } from '../../../../engine/node/cni/pod-at.js';
import { blackHole, noRoute } from './answers.js';
import { say } from './finish.js';
import { protocolOf, sniff } from './protocol.js';
import { follow, headersFor, newNote, type Router } from './route.js';
import { greetingOf, NO_TIMEOUT, pickEndpoint } from './send.js';

export const OUTBOUND_PORT = 15_001;
const SERVER = 'envoy';

const routerOf = (workload: Workload, { original }: Pick<Met, 'original'>): Router => ({
  ...{ workload, server: SERVER, port: original?.port ?? 0, isGateway: false },
  destination: original ? `${original.address}:${original.port}` : '-',
  say: (request, said, note, look) => say(workload, request, said, note, look),
});

/** A connection that a program beside the proxy begins: by its bytes, or by what its port is known to speak. */
export function openOutbound(workload: Workload, { original, received }: Met, look: Look): Opened {
  if (!original) return 'close';
  const { address, port } = original;
  const host = findHost(look.read, address, workload.namespace, workload.mesh);
  const named = host && portOf(host, port);
  const protocol = protocolOf(named ?? { port });
  if (protocol === 'http') return { http: received };
  const found = protocol === 'tcp' ? 'tcp' : received === '' ? undefined : sniff(received);
  if (found === undefined) return 'wait';
  if (found === 'http') return { http: received };
  return passOn(workload, host && named ? host : undefined, original, received, look);
}

function passOn(
  workload: Workload,
  host: Host | undefined,
  original: NonNullable<Met['original']>,
  bytes: string,
  look: Look,
): Opened {
  const { mesh, namespace } = workload;
  if (!host) {
    const pod = podAt(look.read, original.address);
    const endpoint: Endpoint = { ...original, pod };
    const known: Host = { name: original.address, namespace: '', service: {} as never };
    const greets =
      pod && greetingOf({ port: original.port, subset: '', host: known, tls: undefined }, endpoint, workload, look);
    if (!pod && !mesh.allowsAny && original.address !== '') return 'close';
    return { pass: original, bytes, ...(greets ? { greets } : {}) };
  }
  const cluster = clusterOf(look.read, host, original.port, '', { namespace, mesh, now: look.now });
  const endpoint = cluster && pickEndpoint(cluster, look);
  if (!cluster || !endpoint) return 'close';
  const greets = greetingOf(cluster, endpoint, workload, look);
  const { address, port } = endpoint;
  return { pass: { address, port }, bytes, ...(greets ? { greets } : {}) };
}

/** A request of a program beside the proxy goes by its host, whatever address it was sent to. */
export function takeOutbound(workload: Workload, request: ProxyRequest, look: Look): Step {
  const { original, headers } = request;
  const { mesh, namespace } = workload;
  const router = routerOf(workload, request);
  const port = original?.port ?? 0;
  const host = findHost(look.read, headers['host'] ?? '', namespace, mesh);
  if (!host || !hasPort(host, port)) return passThrough(router, request, look);
  const found = virtualServiceFor(look.read, host.name, 'mesh', namespace, mesh);
  const routes = found?.spec.http;
  if (!routes?.length)
    return follow(
      router,
      { name: 'default', route: [{ destination: toPort(host, port) }] },
      undefined,
      '',
      request,
      look,
    );
  const asker = { gateway: 'mesh', port, labels: workload.labels, namespace };
  const chosen = chooseRoute(routes, request, asker);
  if (!chosen) return router.say(request, noRoute(), newNote(router, request, look), look);
  return follow(router, chosen.route, chosen.match, found?.metadata.namespace ?? '', request, look);
}

const toPort = ({ name }: Host, number: number) => ({ host: name, port: { number } });

const hasPort = (host: Host, port: number): boolean =>
  'service' in host
    ? portOf(host, port) !== undefined
    : (host.entry.spec.ports ?? []).some((one) => one.number === port);

/** Hosts that are no part of the mesh: as they were asked for, unless only those of the registry may be. */
function passThrough(router: Router, request: ProxyRequest, look: Look): Step {
  const { workload, destination } = router;
  const { original, method, path, body } = request;
  const note = { ...newNote(router, request, look), route: 'allow_any', cluster: 'PassthroughCluster', left: 0 };
  const pod = original && podAt(look.read, original.address);
  if (!original || (!workload.mesh.allowsAny && !pod))
    return router.say(request, blackHole(), { ...note, cluster: 'BlackHoleCluster', route: 'block_all' }, look);
  const { address, port } = original;
  const known: Host = { name: address, namespace: '', service: {} as never };
  const hello =
    pod && greetingOf({ port, subset: '', host: known, tls: undefined }, { address, port, pod }, workload, look);
  return {
    forward: {
      ...{ address, port, isTls: hello !== undefined, ...(hello ? { hello } : {}), method, path, body },
      headers: headersFor(router, request, note),
      ...{ timeout: NO_TIMEOUT, note: { ...note, upstream: destination } },
    },
  };
}
