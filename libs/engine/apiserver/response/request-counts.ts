import type { ApiRequest } from '../../machinery/requests/http.js';
import type { Registry } from '../../runtime/registry.js';
import type { RequestInfo } from '../request/requestinfo.js';
import { formatLabels } from '../nonresource/prometheus.js';

const MAX_SERIES = 5_000;
const APPLY = 'application/apply-patch+';
const CONNECT_SUBRESOURCES = new Set(['proxy', 'exec', 'attach', 'portforward', 'log']);
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** The label `subresource` of non-resource requests, by the first segment of the path; upstream writes the slashes. */
const NON_RESOURCE_LABELS: ReadonlyMap<string, string> = new Map([
  ['api', 'api'],
  ['apis', 'apis'],
  ['version', 'version'],
  ['healthz', '/healthz'],
  ['livez', '/livez'],
  ['readyz', '/readyz'],
  ['metrics', '/metrics'],
  ['openapi', 'openapi'],
]);

type CountedRequest = Pick<ApiRequest, 'method' | 'query' | 'headers'>;

/** A group of requests with equal labels, and its size. */
interface Series {
  readonly info: RequestInfo;
  readonly code: number;
  readonly method: string;
  readonly dryRun: string;
  readonly isApply: boolean;
  count: number;
}

/** Counts the requests to one cluster that this process has answered. Models apiserver/pkg/endpoints/metrics. */
export class RequestCounts {
  /** Every request is counted, and few counts are read: labels, which need the registry, are made when they are. */
  private readonly series = new Map<string, Series>();

  add(request: CountedRequest, info: RequestInfo, code: number): void {
    const { method } = request;
    const dryRun = request.query.includes('dryRun=All') ? 'All' : '';
    const isApply = method === 'PATCH' && request.headers['content-type']?.startsWith(APPLY) === true;
    const key = `${code} ${isApply ? 'APPLY' : method} ${dryRun} ${keyOf(info)}`;
    const known = this.series.get(key);
    if (known) known.count++;
    else if (this.series.size < MAX_SERIES) this.series.set(key, { info, code, method, dryRun, isApply, count: 1 });
  }

  /** Lines of apiserver_request_total in Prometheus' text format, sorted. */
  *lines(registry: Registry): Iterable<string> {
    const counts = new Map<string, number>();
    for (const series of this.series.values()) {
      const labels = labelsOf(registry, series);
      counts.set(labels, (counts.get(labels) ?? 0) + series.count);
    }
    for (const [labels, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
      yield `apiserver_request_total{${labels}} ${count}`;
  }
}

/** Requests with the same key have the same labels: of namespace and name only the presence counts. */
function keyOf(info: RequestInfo): string {
  if (!info.isResourceRequest) return info.parts[0] ?? '';
  const { verb, apiPrefix, apiGroup, apiVersion, resource, subresource, namespace, name } = info;
  return `${verb} ${apiPrefix} ${apiGroup} ${apiVersion} ${resource} ${subresource} ${scopeOf(verb, namespace, name)}`;
}

const scopeOf = (verb: string, namespace: string, name: string): string =>
  name || verb === 'create' ? 'resource' : namespace ? 'namespace' : 'cluster';

function labelsOf(registry: Registry, { info, code, method, dryRun, isApply }: Series): string {
  const { isResourceRequest, apiPrefix, apiGroup, apiVersion, resource, subresource, verb } = info;
  const methodLabel = METHODS.has(method) ? method : 'other';
  if (isResourceRequest && registry.resource(apiGroup, apiVersion, resource))
    return formatLabels({
      code: String(code),
      component: 'apiserver',
      dry_run: dryRun,
      group: apiGroup,
      resource,
      scope: scopeOf(verb, info.namespace, info.name),
      subresource,
      verb: reportedVerb(verb, subresource, isApply ? 'APPLY' : methodLabel),
      version: apiVersion,
    });
  return formatLabels({
    code: String(code),
    component: '',
    dry_run: dryRun,
    group: '',
    resource: '',
    scope: '',
    subresource: NON_RESOURCE_LABELS.get(apiPrefix || (info.parts[0] ?? '')) ?? '',
    verb: methodLabel,
    version: '',
  });
}

/** Models cleanVerb. */
function reportedVerb(verb: string, subresource: string, method: string): string {
  if (CONNECT_SUBRESOURCES.has(subresource)) return 'CONNECT';
  if (verb === 'watch') return 'WATCH';
  return verb === 'list' ? 'LIST' : method;
}
