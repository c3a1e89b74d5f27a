import type { Start } from '@terrarium/engine';
import type { AnswerParts } from '../../../engine/node/cni/http-bytes.js';
import { routersOf, serversOf, type Router } from './routers.js';
import { chainOf, middlewaresOf } from './middlewares.js';
import type { Static } from './static.js';
import type { Look } from '../proxy/proxy.js';

const json = (value: unknown): AnswerParts => ({
  ...{ status: 200, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(value)}\n` },
});
const PAGE =
  '<!doctype html><html><head><title>Traefik Proxy</title></head><body><h1>Traefik Proxy</h1>' +
  '<p>The dashboard is not simulated; its data is at <a href="../api/rawdata">/api/rawdata</a>.</p></body></html>\n';

/** Traefik's API, as far as the configuration is shown; undefined: it has no such path. Models pkg/api/handler.go. */
export function answerApi(start: Start, config: Static, path: string, look: Look): AnswerParts | undefined {
  const [plain = ''] = path.split('?', 1);
  if (plain === '/') return { status: 302, headers: { location: '/dashboard/' }, body: '' };
  if (plain === '/dashboard') return { status: 302, headers: { location: '/dashboard/' }, body: '' };
  if (plain === '/dashboard/')
    return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: PAGE };
  const { routers, services, middlewares } = tell(config, look);
  const list = (all: Readonly<Record<string, object>>): AnswerParts =>
    json(Object.entries(all).map(([name, one]) => ({ ...one, name, provider: name.slice(name.indexOf('@') + 1) })));
  switch (plain) {
    case '/api/rawdata':
      return json({ routers, ...(Object.keys(middlewares).length > 0 ? { middlewares } : {}), services });
    case '/api/version':
      return json({ Version: versionOf(start), Codename: 'cheddar', startDate: new Date(start.at).toISOString() });
    case '/api/entrypoints':
      return json(config.entryPoints.map(({ name, port }) => ({ address: `:${port}`, name })));
    case '/api/http/routers':
      return list(routers);
    case '/api/http/services':
      return list(services);
    case '/api/http/middlewares':
      return list(middlewares);
    case '/api/overview':
      return json(overview(config, routers, services, middlewares));
    default:
      return undefined;
  }
}

export const versionOf = ({ container }: Start): string =>
  container.image?.split('@', 1)[0]?.split(':').at(-1)?.replace(/^v/, '') ?? '';

interface Told {
  readonly routers: Record<string, { readonly status: string }>;
  readonly services: Record<string, object>;
  readonly middlewares: Record<string, object>;
}

function tell(config: Static, { read, now }: Look): Told {
  const known = middlewaresOf(read, config);
  const all = routersOf(read, config, now);
  const services: Record<string, object> = {};
  for (const router of all)
    if (router.targets.length > 0) services[router.service] ??= serviceOf(router, all, read, now);
  return {
    routers: Object.fromEntries(
      all.map((router) => [router.name, routerOf(router, chainOf(router.middlewares, known, config))]),
    ),
    services,
    middlewares: Object.fromEntries(
      [...known].map(([name, { spec }]) => [
        name,
        {
          ...spec,
          status: 'enabled',
          usedBy: all.filter((one) => one.middlewares.includes(name)).map((one) => one.name),
        },
      ]),
    ),
  };
}

function routerOf(router: Router, chain: unknown): { readonly status: string } {
  const { entryPoints, middlewares, service, text, priority, isTls, faults } = router;
  const error = [...faults, ...(typeof chain === 'string' ? [chain] : [])];
  return {
    ...{ entryPoints, ...(middlewares.length > 0 ? { middlewares } : {}) },
    ...{ service: service.replace(/@kubernetes(crd)?$/, ''), rule: text, priority, ...(isTls ? { tls: {} } : {}) },
    ...(error.length > 0 ? { error } : {}),
    ...{ status: error.length > 0 ? 'disabled' : 'enabled', using: entryPoints },
  };
}

function serviceOf(router: Router, all: readonly Router[], read: Look['read'], now: number): object {
  const servers = router.targets.flatMap((target) =>
    serversOf(read, target, now).map(({ address, port }) => ({
      url: `${target.ref.scheme ?? 'http'}://${address}:${port}`,
    })),
  );
  return {
    loadBalancer: { servers, strategy: 'wrr', passHostHeader: true, responseForwarding: { flushInterval: '100ms' } },
    status: 'enabled',
    usedBy: all.filter(({ service }) => service === router.service).map(({ name }) => name),
    serverStatus: Object.fromEntries(servers.map(({ url }) => [url, 'UP'])),
  };
}

function overview(config: Static, routers: Told['routers'], services: object, middlewares: object): object {
  const section = (total: number, errors = 0): object => ({ total, warnings: 0, errors });
  const none = { routers: section(0), services: section(0) };
  const wrong = Object.values(routers).filter(({ status }) => status === 'disabled').length;
  return {
    http: {
      routers: section(Object.keys(routers).length, wrong),
      services: section(Object.keys(services).length),
      middlewares: section(Object.keys(middlewares).length),
    },
    ...{ tcp: { ...none, middlewares: section(0) }, udp: none },
    features: { tracing: '', metrics: '', accessLog: config.hasAccessLog },
    providers: config.providers.map((name) => (name === 'kubernetes' ? 'KubernetesIngress' : 'KubernetesCRD')),
  };
}
