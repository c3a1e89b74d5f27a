import type { PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { Services } from '../../../../engine/kinds/index.js';
import type { Look } from '../../proxy/proxy.js';
import type { Workload } from '../mesh.js';
import { clusterOf } from '../routing/clusters.js';

export const ADMIN_PORT = 15_000;
export const AGENT_PORT = 15_020;
export const HEALTH_PORT = 15_021;
export const METRICS_PORT = 15_090;

const TEXT = { 'content-type': 'text/plain; charset=UTF-8', 'cache-control': 'no-cache, max-age=0', server: 'envoy' };
const text = (body: string, status = 200): PodHttpAnswer => ({ status, headers: TEXT, body });
const json = (value: unknown): PodHttpAnswer => ({
  ...{ status: 200, headers: { ...TEXT, 'content-type': 'application/json' } },
  body: `${JSON.stringify(value, null, 1)}\n`,
});
const MAX_SERVICES = 500;
const HELP = `admin commands are:
  /: Admin home page
  /clusters: upstream cluster status
  /help: print out list of admin commands
  /listeners: print listener info
  /ready: print server state, return 200 if LIVE, otherwise return 503
  /server_info: print server version/status information
  /stats: print server stats
`;

export const versionOf = ({ container }: Start): string =>
  (container.image ?? '')
    .split('@', 1)[0]!
    .split(':')
    .at(-1)!
    .replace(/-(distroless|debug)$/, '');

/** What a proxy answers at the ports of its own: health, its agent's, measures, Envoy's administration. */
export function answerOwn(
  start: Start,
  { port, path }: Pick<PodHttpRequest, 'port' | 'path'>,
  known: { readonly workload: Workload; readonly look: Look } | undefined,
): PodHttpAnswer {
  const route = path.split('?', 1)[0];
  if (route === '/healthz/ready') return { status: 200, body: '' };
  if (port === AGENT_PORT || port === METRICS_PORT)
    return route?.startsWith('/stats')
      ? text('# TYPE istio_build gauge\n' + `istio_build{component="proxy",tag="${versionOf(start)}"} 1\n`)
      : route === '/quitquitquit' || route === '/drain'
        ? text('OK')
        : text('404 page not found\n', 404);
  if (port !== ADMIN_PORT) return text('404 page not found\n', 404);
  switch (route) {
    case '/':
    case '/help':
      return text(HELP);
    case '/ready':
      return text('LIVE\n');
    case '/server_info':
      return json({ version: `envoy/${versionOf(start)}`, state: 'LIVE', node: { id: nodeId(start) } });
    case '/clusters':
      return text(known ? clustersOf(known.workload, known.look) : '');
    case '/listeners':
      return text([OUTBOUND, INBOUND, HEALTH_PORT, METRICS_PORT].map((one) => `${one}::0.0.0.0:${one}\n`).join(''));
    case '/stats':
      return text('server.live: 1\nserver.state: 0\n');
    default:
      return text(`invalid path. ${HELP}`, 404);
  }
}

const OUTBOUND = 15_001;
const INBOUND = 15_006;

export const nodeId = ({ argv, pod }: Start): string =>
  `${argv.includes('router') ? 'router' : 'sidecar'}~${pod.ip}~${pod.name}.${pod.namespace}~${pod.namespace}.svc.cluster.local`;

/** A part of Envoy's own lines: endpoints and their health. */
function clustersOf({ mesh, namespace }: Workload, { read, now }: Look): string {
  const lines: string[] = [];
  for (const service of read.list(Services).slice(0, MAX_SERVICES)) {
    const { name = '', namespace: own = '' } = service.metadata;
    const host = { service, namespace: own, name: `${name}.${own}.svc.${mesh.domain}` };
    for (const { port } of service.spec.ports ?? []) {
      const cluster = clusterOf(read, host, port, '', { namespace, mesh, now });
      for (const { address, port: to } of cluster?.endpoints ?? [])
        lines.push(`${cluster!.name}::${address}:${to}::health_flags::healthy`);
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}
