import type { ApiRequest, BodyResponse } from '../../machinery/requests/http.js';
import { Nodes, Pods } from '../../kinds/index.js';
import type { ObjectMeta } from '../../api/meta_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { ApiError, methodNotSupported, notFound } from '../../machinery/meta/status.js';
import type { Column } from '../../machinery/meta/table.js';
import { METRICS_GROUP, METRICS_VERSION } from '../../machinery/questions/metrics-server.js';
import { USAGE_WINDOW, type Usage, type UsageSource } from '../../machinery/questions/usage.js';
import {
  matchesRequirements,
  parseFieldSelector,
  parseLabelSelector,
  type Labels,
} from '../../machinery/selectors/selectors.js';
import { timestamp, type Millis } from '../../machinery/time/time.js';
import { negotiate } from '../request/negotiate.js';
import type { Query } from '../../machinery/requests/query.js';
import type { RequestInfo } from '../request/requestinfo.js';
import { resourceList } from '../nonresource/discovery.js';
import { parseIncludeObject, tableText } from '../response/table.js';
import { isPretty, jsonResponse } from '../response/writers.js';
import type { Server } from '../server.js';
import { NODE_METRICS, POD_METRICS } from './remote-services.js';

const API_VERSION = `${METRICS_GROUP}/${METRICS_VERSION}`;
const WINDOW = `${USAGE_WINDOW / 1000}s`;

interface Metrics extends KubeObject {
  readonly timestamp: string;
  readonly window: string;
  readonly usage?: Amounts;
  readonly containers?: readonly { readonly name: string; readonly usage: Amounts }[];
}
interface Amounts {
  readonly cpu: string;
  readonly memory: string;
}

/**
 * What metrics-server answers: what nodes and pods used in the last whole window. Throws 404, 405.
 * Models kubernetes-sigs/metrics-server pkg/api. Left out: OpenAPI, protobuf.
 */
export function serveMetrics(
  server: Server,
  request: ApiRequest,
  query: Query,
  info: RequestInfo,
  now: Millis,
): BodyResponse {
  const { accept } = request.headers;
  if (!info.isResourceRequest) {
    const document = resourceList(METRICS_GROUP, METRICS_VERSION, [NODE_METRICS, POD_METRICS]);
    return jsonResponse(200, JSON.stringify(document), 'json', isPretty(query, request.headers));
  }
  const kind = { nodes: NODE_METRICS, pods: POD_METRICS }[info.resource as 'nodes'];
  if (!kind || info.subresource !== '')
    throw new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
  if (info.verb !== 'get' && info.verb !== 'list') throw methodNotSupported(kind, info.verb);
  const { format, shape, metaVersion } = negotiate(accept, { protobuf: false, convertible: true });
  const found = readMetrics(server, query, info, now);
  const pretty = isPretty(query, request.headers);
  if (shape === 'table') {
    const include = parseIncludeObject(query.text('includeObject'));
    const options = { metaVersion, include, metadata: '{}' };
    return jsonResponse(200, tableText({ ...kind, columns: COLUMNS }, found, now, options), format, pretty);
  }
  const list = { kind: `${kind.kind}List`, apiVersion: API_VERSION, metadata: {}, items: found.map(withoutType) };
  return jsonResponse(200, JSON.stringify(info.verb === 'list' ? list : found[0]), format, pretty);
}

/** Items of a list do not say what they are. */
const withoutType = ({ kind: _kind, apiVersion: _version, ...item }: Metrics): object => item;

function readMetrics(server: Server, query: Query, info: RequestInfo, now: Millis): Metrics[] {
  const isOne = info.verb === 'get';
  const labels = parseLabelSelector(isOne ? '' : query.text('labelSelector'));
  const fields = isOne ? [] : parseFieldSelector(query.text('fieldSelector'));
  const isWanted = ({ metadata: { name = '', namespace = '', labels: own } }: KubeObject): boolean =>
    (!isOne || name === info.name) &&
    matchesRequirements(labels, own as Labels | undefined) &&
    fields.every(({ field, equal, value }) => ((field === 'metadata.name' ? name : namespace) === value) === equal);
  if (isOne) requireObject(server, info);
  const all = info.resource === 'nodes' ? nodeMetrics(server.usage, now) : podMetrics(server.usage, info, now);
  const found = all.filter(isWanted);
  if (isOne && found.length === 0) throw notFound(missingResource(info), fullName(info));
  return found;
}

const missingResource = ({ resource }: RequestInfo): { group: string; plural: string } => ({
  group: METRICS_GROUP,
  plural: resource === 'nodes' ? 'nodemetrics' : 'podmetrics',
});
const fullName = ({ namespace, name }: RequestInfo): string => (namespace === '' ? name : `${namespace}/${name}`);

function requireObject({ state }: Server, info: RequestInfo): void {
  const kind = info.resource === 'nodes' ? Nodes : Pods;
  const object = state.get(kind as never, { namespace: info.namespace, name: info.name });
  if (!object) throw notFound({ group: '', plural: info.resource }, info.name);
}

function nodeMetrics(source: UsageSource | undefined, now: Millis): Metrics[] {
  return (source?.nodes(now) ?? []).map(({ node, ...usage }) => ({
    ...headOf('NodeMetrics', node.metadata, now),
    usage: amountsOf(usage),
  }));
}

function podMetrics(source: UsageSource | undefined, { namespace }: RequestInfo, now: Millis): Metrics[] {
  return (source?.pods(namespace, now) ?? []).map(({ pod, containers }) => ({
    ...headOf('PodMetrics', pod.metadata, now),
    containers: [...containers].map(([name, usage]) => ({ name, usage: amountsOf(usage) })),
  }));
}

const headOf = (kind: string, { name, namespace, labels }: ObjectMeta, now: Millis) => ({
  kind,
  apiVersion: API_VERSION,
  metadata: {
    ...{ name, ...(namespace ? { namespace } : {}), creationTimestamp: timestamp(now) },
    ...(labels ? { labels } : {}),
  },
  timestamp: timestamp(Math.floor(now / USAGE_WINDOW) * USAGE_WINDOW),
  window: WINDOW,
});

/** As metrics-server prints what it has computed from kubelets' samples. */
const amountsOf = ({ cpu, memory }: Usage): Amounts => ({
  cpu: cpu === 0 ? '0' : `${Math.round(cpu * 1_000_000)}n`,
  memory: `${Math.ceil(memory / 1_024)}Ki`,
});

const sumOf = (object: KubeObject, what: 'cpu' | 'memory'): string => {
  const { usage, containers = [] } = object as Metrics;
  if (usage) return usage[what];
  const sum = containers.reduce((total, one) => total + Number.parseInt(one.usage[what], 10), 0);
  return what === 'memory' ? `${sum}Ki` : sum === 0 ? '0' : `${sum}n`;
};
const COLUMNS: readonly Column[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'Name of the resource',
    cell: (o) => o.metadata.name ?? '',
  },
  { name: 'cpu', type: 'string', format: 'quantity', description: '', cell: (o) => sumOf(o, 'cpu') },
  { name: 'memory', type: 'string', format: 'quantity', description: '', cell: (o) => sumOf(o, 'memory') },
  { name: 'Window', type: 'string', format: 'duration', description: '', cell: (o) => (o as Metrics).window },
];
