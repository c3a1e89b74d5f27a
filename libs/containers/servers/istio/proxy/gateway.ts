import type { Reader } from '@terrarium/engine';
import { Services } from '../../../../engine/kinds/index.js';
import type { ServerHello } from '../../../../engine/node/cni/tls.js';
import { helloOfSecret } from '../../ingress/certificates.js';
import type { Look, ProxyRequest, Step } from '../../proxy/proxy.js';
import type { Workload } from '../mesh.js';
import { Gateways, VirtualServices, type Gateway, type GatewayServer } from '../resources.js';
import { clusterOf } from '../routing/clusters.js';
import { closeness, findHost, fits, fullName, hostPart } from '../routing/hosts.js';
import { chooseRoute } from '../routing/match.js';
import { gatewaysOf, virtualServiceFor } from '../routing/virtual-services.js';
import { selects } from '../security/peer-authentication.js';
import { noRoute, redirected } from './answers.js';
import { say } from './finish.js';
import { follow, newNote, type Router } from './route.js';
import { pickEndpoint } from './send.js';

interface Served {
  readonly gateway: Gateway;
  readonly server: GatewayServer;
  /** 'namespace/name'. */
  readonly name: string;
}

/** Servers of Gateways whose selector is for this pod, at a port of it. */
export function serversAt(read: Reader, { labels, namespace }: Workload, port: number): Served[] {
  const ports = portsFor(read, namespace, labels, port);
  return read
    .list(Gateways)
    .filter(({ spec }) => selects({ matchLabels: spec.selector ?? {} }, labels))
    .flatMap((gateway) =>
      (gateway.spec.servers ?? [])
        .filter((server) => ports.has(server.port?.number ?? 0))
        .map((server) => ({ gateway, server, name: `${gateway.metadata.namespace}/${gateway.metadata.name}` })),
    );
}

/** A Gateway says the port of the Service, or the pod's own. */
function portsFor(
  read: Reader,
  namespace: string,
  labels: Readonly<Record<string, string>>,
  port: number,
): ReadonlySet<number> {
  const found = new Set([port]);
  for (const { spec } of read.list(Services, namespace)) {
    if (!spec.selector || !selects({ matchLabels: spec.selector }, labels)) continue;
    for (const one of spec.ports ?? []) if ((one.targetPort ?? one.port) === port) found.add(one.port);
  }
  return found;
}

/** 'ns/host' says where its VirtualServices may be. */
const hostsOf = ({ server }: Served): string[] =>
  (server.hosts ?? []).map((host) => (host.includes('/') ? host.slice(host.indexOf('/') + 1) : host).toLowerCase());

export const isTls = ({ server }: Served): boolean =>
  server.tls?.mode !== undefined && ['HTTPS', 'TLS'].includes((server.port?.protocol ?? '').toUpperCase());

const closest = (all: readonly Served[], host: string): Served | undefined => {
  const near = (one: Served): number =>
    Math.max(
      -1,
      ...hostsOf(one)
        .filter((name) => fits(name, host))
        .map(closeness),
    );
  return [...all].sort((a, b) => near(b) - near(a)).find((one) => near(one) >= 0);
};

/** The certificate of the Secret that the server of the asked name has; undefined: the handshake is broken off. */
export function gatewayHello(
  workload: Workload,
  port: number,
  serverName: string,
  { read }: Look,
): ServerHello | undefined {
  const found = closest(serversAt(read, workload, port).filter(isTls), serverName);
  const name = found?.server.tls?.credentialName;
  return name ? helloOfSecret(read, workload.namespace, name) : undefined;
}

/** Where a TLS connection goes that is passed on unread: by the name that it asks for. */
export function gatewayPasses(
  workload: Workload,
  port: number,
  serverName: string,
  look: Look,
): { readonly address: string; readonly port: number } | undefined {
  const { mesh } = workload;
  const all = serversAt(look.read, workload, port).filter(({ server }) => server.tls?.mode === 'PASSTHROUGH');
  const found = closest(all, serverName);
  if (!found) return undefined;
  for (const one of look.read.list(VirtualServices)) {
    if (!gatewaysOf(one).includes(found.name)) continue;
    const namespace = one.metadata.namespace ?? '';
    const route = one.spec.tls?.find(({ match = [] }) =>
      match.some(({ sniHosts = [] }) => sniHosts.some((host) => fits(host, serverName))),
    );
    const destination = route?.route?.[0]?.destination;
    const host = destination && findHost(look.read, fullName(destination.host, namespace, mesh), namespace, mesh);
    const number = destination?.port?.number ?? 443;
    const asker = { namespace, mesh, now: look.now };
    const cluster = host && clusterOf(look.read, host, number, destination?.subset ?? '', asker);
    const endpoint = cluster && pickEndpoint(cluster, look);
    if (endpoint) return { address: endpoint.address, port: endpoint.port };
  }
  return undefined;
}

/** What an ingress gateway does with a request, by the VirtualServices of the Gateways at its port. */
export function takeAtGateway(workload: Workload, request: ProxyRequest, look: Look): Step {
  const { mesh, namespace, labels, pod } = workload;
  const router: Router = {
    ...{ workload, server: 'istio-envoy', port: request.port, isGateway: true },
    destination: `${pod.status.podIP}:${request.port}`,
    say: (asked, said, note, at) => say(workload, asked, said, note, at),
  };
  const host = hostPart(request.headers['host'] ?? '');
  const servers = serversAt(look.read, workload, request.port).filter(
    (one) => isTls(one) === (request.scheme === 'https') && hostsOf(one).some((name) => fits(name, host)),
  );
  const note = newNote(router, request, look);
  if (servers.some(({ server }) => server.tls?.httpsRedirect)) {
    const location = `https://${host}${request.path}`;
    return router.say(request, redirected(301, location), note, look);
  }
  for (const served of servers.sort((a, b) => near(b, host) - near(a, host))) {
    const found = virtualServiceFor(look.read, host, served.name, namespace, mesh);
    if (!found?.spec.http?.length) continue;
    const port = served.server.port?.number ?? request.port;
    const chosen = chooseRoute(found.spec.http, request, { gateway: served.name, port, labels, namespace });
    if (!chosen) break;
    return follow({ ...router, port }, chosen.route, chosen.match, found.metadata.namespace ?? '', request, look);
  }
  return router.say(request, noRoute(), note, look);
}

const near = (served: Served, host: string): number =>
  Math.max(
    -1,
    ...hostsOf(served)
      .filter((name) => fits(name, host))
      .map(closeness),
  );
