import type { ApiRequest, BodyResponse } from '../../machinery/http.js';
import { storageKey } from '../../machinery/kind.js';
import type { Registry } from '../../runtime/registry.js';
import type { State } from '../../runtime/state.js';
import { HEALTH_CHECKS } from './health.js';
import { BAD_ESCAPE } from '../request/query.js';
import { accessOf } from '../request/requestinfo.js';

const MAX_SERIES = 5_000;
const APPLY = 'application/apply-patch+';
const CONNECTS = new Set(['proxy', 'exec', 'attach', 'portforward', 'log']);
/** How upstream names documents that are no resources; the slash is its own. */
const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['api', 'api'],
  ['apis', 'apis'],
  ['version', 'version'],
  ['healthz', '/healthz'],
  ['livez', '/livez'],
  ['readyz', '/readyz'],
  ['metrics', '/metrics'],
  ['openapi', 'openapi'],
]);
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
const FORMAT = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** Labels in Prometheus' text format. */
const labels = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');

/** Requests to one cluster that this process has answered. Models apiserver/pkg/endpoints/metrics. */
export class RequestCounts {
  /** Requests that are alike, by what tells them apart; their labels are worked out when somebody reads them. */
  private readonly alike = new Map<string, { readonly request: ApiRequest; readonly code: number; count: number }>();

  add(request: ApiRequest, code: number): void {
    const key = `${code} ${request.method} ${shapeOf(request)}`;
    const known = this.alike.get(key);
    if (known) known.count++;
    else if (this.alike.size < MAX_SERIES && !BAD_ESCAPE.test(request.path))
      this.alike.set(key, { request: withoutBody(request), code, count: 1 });
  }

  *lines(registry: Registry): Iterable<string> {
    const counts = new Map<string, number>();
    for (const { request, code, count } of this.alike.values()) {
      const series = seriesOf(registry, request, code);
      counts.set(series, (counts.get(series) ?? 0) + count);
    }
    for (const [series, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
      yield `apiserver_request_total{${series}} ${count}`;
  }
}

const withoutBody = ({ method, path, query, headers }: ApiRequest): ApiRequest => ({
  method,
  path,
  query,
  headers: { 'content-type': headers['content-type'] },
});

/** The path without names, and what of the rest has a label. */
function shapeOf({ path, query, headers, method }: ApiRequest): string {
  const parts = path.split('/');
  const core = parts[1] === 'api';
  if (!core && parts[1] !== 'apis') return parts[1] ?? '';
  const resource = core ? 3 : 4;
  const namespaced = parts[resource] === 'namespaces' && parts.length > resource + 2;
  const at = namespaced ? resource + 2 : resource;
  const options =
    query === ''
      ? ''
      : `${query.includes('watch=') ? 'w' : ''}${query.includes('dryRun=All') ? 'd' : ''}${query.includes('metadata.name') ? 'n' : ''}`;
  const apply = method === 'PATCH' && headers['content-type']?.startsWith(APPLY) ? 'a' : '';
  return `${parts[2]} ${core ? '' : parts[3]} ${namespaced} ${parts[at]} ${parts.length > at + 1} ${parts[at + 2] ?? ''} ${options}${apply}`;
}

function seriesOf(registry: Registry, request: ApiRequest, code: number): string {
  const { path, group, resource, subresource, namespace, name, verb } = accessOf(request);
  const [root = '', second = '', third = ''] = request.path.split('/').filter((s) => s !== '');
  const version = root === 'api' ? second : third;
  const known = path === undefined && registry.resource(group, version, resource) !== undefined;
  const method = METHODS.has(request.method) ? request.method : 'other';
  const dryRun = request.query.includes('dryRun=All') ? 'All' : '';
  if (!known)
    return labels({
      code: String(code),
      component: '',
      dry_run: dryRun,
      group: '',
      resource: '',
      scope: '',
      subresource: DOCUMENTS.get(root) ?? '',
      verb: method,
      version: '',
    });
  const scope = name || verb === 'create' ? 'resource' : namespace ? 'namespace' : 'cluster';
  return labels({
    code: String(code),
    component: 'apiserver',
    dry_run: dryRun,
    group,
    resource,
    scope,
    subresource,
    verb: reportedVerb(request, verb, subresource, method),
    version,
  });
}

function reportedVerb(request: ApiRequest, verb: string, subresource: string, method: string): string {
  if (CONNECTS.has(subresource)) return 'CONNECT';
  if (verb === 'watch') return 'WATCH';
  if (verb === 'list') return 'LIST';
  return method === 'PATCH' && request.headers['content-type']?.startsWith(APPLY) ? 'APPLY' : method;
}

/**
 * What is known of the cluster's API server, in Prometheus' text format. Left out: durations and sizes, which say
 * nothing of a simulated server.
 */
export function metrics(
  registry: Registry,
  state: State,
  requests: RequestCounts | undefined,
  build: Readonly<Record<string, string>>,
): BodyResponse {
  const stored = registry.all().filter((kind) => !kind.storedAs && !kind.evaluate && !kind.internal);
  const objects = (
    metric: string,
    line: (kind: { group: string; plural: string }) => Record<string, string>,
  ): string[] => stored.map((kind) => `${metric}{${labels(line(kind))}} ${state.count(storageKey(kind))}`).sort();
  const families: [name: string, type: string, help: string, lines: Iterable<string>][] = [
    [
      'apiserver_request_total',
      'counter',
      '[STABLE] Requests answered, by verb, resource and response code.',
      requests?.lines(registry) ?? [],
    ],
    [
      'apiserver_resource_objects',
      'gauge',
      '[ALPHA] Objects stored of each kind.',
      objects('apiserver_resource_objects', ({ group, plural }) => ({ group, resource: plural })),
    ],
    [
      'apiserver_storage_objects',
      'gauge',
      '[STABLE] (Deprecated since 1.34.0) Objects stored of each kind.',
      objects('apiserver_storage_objects', (kind) => ({ resource: storageKey(kind) })),
    ],
    [
      'kubernetes_build_info',
      'gauge',
      '[BETA] The release; its value is always 1.',
      [`kubernetes_build_info{${labels(build)}} 1`],
    ],
    healthFamily(),
  ];
  return { type: 'body', status: 200, headers: { 'content-type': FORMAT }, body: families.map(familyText).join('') };
}

const familyText = ([name, type, help, lines]: readonly [string, string, string, Iterable<string>]): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${[...lines].map((l) => `${l}\n`).join('')}`;

function healthFamily(): [string, string, string, string[]] {
  const lines = Object.entries(HEALTH_CHECKS).flatMap(([type, names]) =>
    names.map((name) => `kubernetes_healthcheck{${labels({ name, type })}} 1`),
  );
  return ['kubernetes_healthcheck', 'gauge', '[STABLE] 1 for a health check that passes.', lines.sort()];
}

/** /metrics/slis: health checks alone. */
export const sliMetrics = (): BodyResponse => ({
  type: 'body',
  status: 200,
  headers: { 'content-type': FORMAT },
  body: familyText(healthFamily()),
});
