import type { Node, Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import { findHost } from '../../../kinds/terrarium/noderuntime/hosts.js';
import { configurationOf } from '../../../kinds/terrarium/noderuntime/kind.js';
import { kubeletDialError } from '../../../kinds/terrarium/noderuntime/kubelet-dial.js';
import type { Reader } from '../../../machinery/client.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../../machinery/requests/http.js';
import { Query } from '../../../machinery/requests/query.js';
import { ApiError } from '../../../machinery/meta/status.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { ImageCatalog } from '../../cri/image.js';
import type { Machines } from '../../cri/machines.js';
import { usagesOnNode } from '../eviction/observations.js';
import type { PodUsage } from '../eviction/ranking.js';
import { podLogs } from '../kuberuntime/logs.js';
import { internalIPOf } from '../nodestatus/internal-ip.js';
import { runningContainersOf } from './containers.js';
import { shownConfiguration } from './configz.js';
import { renderCadvisorMetrics, renderMetrics, renderResourceMetrics } from './metrics.js';
import { serveNodeLogs } from './node-logs.js';
import { summarize } from './stats.js';

const PLAIN_TEXT = 'text/plain; charset=utf-8';
const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

const answer = (body: string, type = PLAIN_TEXT, status = 200): PodHttpAnswer => ({
  status,
  headers: { 'content-type': type },
  body,
});
const answerJSON = (value: unknown): PodHttpAnswer => answer(JSON.stringify(value), 'application/json');

/** As go-restful writes what a handler returns. */
const answerPretty = (value: unknown): PodHttpAnswer => answer(JSON.stringify(value, undefined, 1), 'application/json');

const NOT_FOUND = answer('404 page not found\n', PLAIN_TEXT, 404);
const INVALID_OPTIONS = answer('{"message": "Invalid request."}', PLAIN_TEXT, 422);
const NOT_ALLOWED = answer('405: Method Not Allowed', PLAIN_TEXT, 405);

/**
 * Answers a request to a kubelet's own port; `error` is the dialer's when the node does not answer.
 * Models pkg/kubelet/server/server.go. Left out: exec and debugging handlers,
 * what containers use that are known by their image's summary.
 */
export function serveKubelet(
  node: Node,
  request: PodHttpRequest,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
  machines?: Machines,
): PodHttpAnswer | { readonly error: string } {
  const error = kubeletDialError(read, node);
  if (error !== undefined) return { error: error.replace(/:\d+:/, `:${request.port}:`) };
  if (!isReachable(node)) return { error: `dial tcp ${internalIPOf(node)}:${request.port}: i/o timeout` };
  if (request.method !== 'GET' && request.method !== 'HEAD') return NOT_ALLOWED;
  try {
    return serveRequest(node, request, now, images, read, machines);
  } catch (error) {
    if (error instanceof ApiError) return { status: error.code, body: `${error.message}\n` };
    throw error;
  }
}

/** Throws ApiError 400. */
function serveRequest(
  node: Node,
  request: PodHttpRequest,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
  machines: Machines | undefined,
): PodHttpAnswer {
  const at = request.path.indexOf('?');
  const rawPath = at < 0 ? request.path : request.path.slice(0, at);
  const query = new Query(at < 0 ? '' : request.path.slice(at + 1));
  const path = rawPath.replace(/\/$/, '');
  if (path.startsWith('/containerLogs/')) return serveContainerLogs(path, query, now, images, read, machines);
  const name = node.metadata.name ?? '';
  if (rawPath.startsWith('/logs/')) return serveLogs(node, rawPath, query, now, read, machines);
  const pods = read.list(Pods).filter((pod) => pod.spec.nodeName === name);
  const usages = (): PodUsage[] => (machines ? usagesOnNode(read, machines, name, now) : []);
  return servePath(path, { node, pods, usages, read, now });
}

/** A program in a pod asks in the middle of a step: nothing can be run for it. */
const NO_LOGS = answer('this simulation serves the logs of nodes by way of the API server alone\n', PLAIN_TEXT, 501);

function serveLogs(
  node: Node,
  path: string,
  query: Query,
  now: Millis,
  read: Reader,
  machines: Machines | undefined,
): PodHttpAnswer {
  const { enableSystemLogHandler = true, enableSystemLogQuery = false } = configurationOf(
    read,
    node.metadata.name ?? '',
  );
  if (!enableSystemLogHandler) return answer('logs endpoint is disabled.\n', PLAIN_TEXT, 405);
  if (!machines) return NO_LOGS;
  const host = findHost(read, node.metadata.name ?? '') ?? node;
  const server = { node: host, machines, now, isQueried: enableSystemLogQuery };
  return serveNodeLogs(server, path.slice('/logs/'.length), query);
}

/** What is asked of a kubelet. */
interface Served {
  readonly node: Node;
  readonly pods: readonly Pod[];
  /** Measured when it is asked for. */
  usages(): PodUsage[];
  readonly read: Reader;
  readonly now: Millis;
}

const isReachable = ({ status }: Node): boolean =>
  !status.conditions?.some((c) => c.type === 'Ready' && c.status === 'Unknown');

function servePath(path: string, served: Served): PodHttpAnswer {
  const { node, pods, read, now } = served;
  switch (path) {
    case '/healthz':
    case '/healthz/ping':
    case '/healthz/log':
    case '/healthz/syncloop':
      return answer('ok');
    case '/pods':
      return answerJSON(podList(pods));
    case '/runningpods':
      return answerJSON(podList(pods.filter((pod) => runningContainersOf(pod).length > 0).map(runningPod)));
    case '/configz':
      return answerJSON({ kubeletconfig: shownConfiguration(node, configurationOf(read, node.metadata.name ?? '')) });
    case '/stats/summary':
      return answerPretty(summarize({ node, pods, usages: served.usages(), read, now }));
    case '/metrics':
      return answer(renderMetrics(node, pods), PROMETHEUS_TEXT);
    case '/metrics/resource':
      return answer(renderResourceMetrics(pods, served.usages()), PROMETHEUS_TEXT);
    case '/metrics/cadvisor':
      return answer(renderCadvisorMetrics(pods, served.usages()), PROMETHEUS_TEXT);
    case '/metrics/probes':
      return answer('\n', PROMETHEUS_TEXT);
    default:
      return NOT_FOUND;
  }
}

const podList = (items: readonly unknown[]): unknown => ({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items });

/** A pod as the container runtime knows it. Models pkg/kubelet/container Pod.ToAPIPod. */
const runningPod = ({ metadata: { name, namespace, uid }, spec }: Pod): unknown => ({
  metadata: { name, namespace, uid },
  spec: { containers: spec.containers.map((c) => ({ name: c.name, image: c.image, resources: {} })) },
  status: {},
});

/** '/containerLogs/<namespace>/<pod>/<container>'. */
function serveContainerLogs(
  path: string,
  query: Query,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
  machines: Machines | undefined,
): PodHttpAnswer {
  const [, , namespace = '', name = '', container = ''] = path.split('/');
  const pod = read.get(Pods, { namespace, name });
  if (!pod) return { status: 404, body: `pod ${JSON.stringify(name)} does not exist\n` };
  const tailLines = query.integer('tailLines');
  if (tailLines !== undefined && tailLines < 0) return INVALID_OPTIONS;
  const options = {
    container,
    follow: false,
    previous: query.flag('previous'),
    timestamps: query.flag('timestamps'),
    tailLines,
  };
  const log = podLogs(pod, options, now, images, read, machines);
  return log.type === 'body' ? answer(String(log.body)) : NOT_FOUND;
}
