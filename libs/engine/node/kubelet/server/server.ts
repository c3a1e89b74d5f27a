import type { Node, Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../../machinery/http.js';
import { ApiError } from '../../../machinery/meta/status.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { ImageCatalog } from '../../cri/image.js';
import type { Machines } from '../../cri/machines.js';
import { podLogs } from '../kuberuntime/logs.js';
import { internalIPOf } from '../nodestatus/internal-ip.js';
import { runningContainersOf } from './containers.js';
import { renderMetrics, renderResourceMetrics } from './metrics.js';
import { summarize } from './stats.js';

const PLAIN_TEXT = 'text/plain; charset=utf-8';
const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

const answer = (body: string, type = PLAIN_TEXT, status = 200): PodHttpAnswer => ({
  status,
  headers: { 'content-type': type },
  body,
});
const answerJSON = (value: unknown): PodHttpAnswer => answer(JSON.stringify(value), 'application/json');

const NOT_FOUND = answer('404 page not found\n', PLAIN_TEXT, 404);
const NOT_ALLOWED = answer('405: Method Not Allowed', PLAIN_TEXT, 405);

/**
 * Answers a request to a kubelet's own port; `error` is the dialer's when the node does not answer.
 * Models pkg/kubelet/server/server.go. Left out: measured usage, exec and debugging handlers, the node's log files.
 */
export function serveKubelet(
  node: Node,
  request: PodHttpRequest,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
  machines?: Machines,
): PodHttpAnswer | { readonly error: string } {
  if (!isReachable(node)) return { error: `dial tcp ${internalIPOf(node)}:${request.port}: i/o timeout` };
  if (request.method !== 'GET' && request.method !== 'HEAD') return NOT_ALLOWED;
  const [rawPath = '', query = ''] = request.path.split('?', 2);
  const path = rawPath.replace(/\/$/, '');
  if (path.startsWith('/containerLogs/')) return serveContainerLogs(path, query, now, images, read, machines);
  const pods = read.list(Pods).filter((pod) => pod.spec.nodeName === node.metadata.name);
  return servePath(path, node, pods);
}

const isReachable = ({ status }: Node): boolean =>
  !status.conditions?.some((c) => c.type === 'Ready' && c.status === 'Unknown');

function servePath(path: string, node: Node, pods: readonly Pod[]): PodHttpAnswer {
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
      return answerJSON({ kubeletconfig: configurationOf(node) });
    case '/stats/summary':
      return answerJSON(summarize(node, pods));
    case '/metrics':
      return answer(renderMetrics(node, pods), PROMETHEUS_TEXT);
    case '/metrics/resource':
      return answer(renderResourceMetrics(pods), PROMETHEUS_TEXT);
    case '/metrics/probes':
    case '/metrics/cadvisor':
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

const configurationOf = ({ status, spec }: Node): unknown => ({
  kind: 'KubeletConfiguration',
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  address: '0.0.0.0',
  port: 10250,
  clusterDomain: 'cluster.local',
  cgroupDriver: 'systemd',
  healthzPort: 10248,
  maxPods: Number(status.capacity?.['pods'] ?? 110),
  ...(spec.podCIDR ? { podCIDR: spec.podCIDR } : {}),
  staticPodPath: '/etc/kubernetes/manifests',
  failSwapOn: true,
});

/** '/containerLogs/<namespace>/<pod>/<container>'. */
function serveContainerLogs(
  path: string,
  query: string,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
  machines: Machines | undefined,
): PodHttpAnswer {
  const [, , namespace = '', name = '', container = ''] = path.split('/');
  const pod = read.get(Pods, { namespace, name });
  if (!pod) return { status: 404, body: `pod ${JSON.stringify(name)} does not exist\n` };
  const tail = /(?:^|&)tailLines=(\d+)/.exec(query)?.[1];
  const options = {
    container,
    follow: false,
    previous: /previous=true/.test(query),
    timestamps: /timestamps=true/.test(query),
    tailLines: tail === undefined ? undefined : Number(tail),
  };
  try {
    const log = podLogs(pod, options, now, images, read, machines);
    return log.type === 'body' ? answer(String(log.body)) : NOT_FOUND;
  } catch (error) {
    if (error instanceof ApiError) return { status: error.code, body: `${error.message}\n` };
    throw error;
  }
}
