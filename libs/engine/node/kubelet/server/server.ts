import type { ContainerStatus, Node, Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../../machinery/http.js';
import { ApiError } from '../../../machinery/meta/status.js';
import { parseTimestamp, SECOND, type Millis } from '../../../machinery/time/time.js';
import type { ImageCatalog } from '../../cri/image.js';
import { podLogs } from '../kuberuntime/logs.js';

const NOT_FOUND: PodHttpAnswer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '404 page not found\n',
};
const NOT_ALLOWED: PodHttpAnswer = {
  status: 405,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '405: Method Not Allowed',
};

const text = (body: string, type = 'text/plain; charset=utf-8'): PodHttpAnswer => ({
  status: 200,
  headers: { 'content-type': type },
  body,
});
const json = (value: unknown): PodHttpAnswer => text(JSON.stringify(value), 'application/json');
const metrics = (lines: readonly string[]): PodHttpAnswer =>
  text(`${lines.join('\n')}\n`, 'text/plain; version=0.0.4; charset=utf-8');

/**
 * What a kubelet answers on its own port. Models pkg/kubelet/server/server.go.
 * Left out: measured usage (nobody measures it here), exec and debugging handlers, the node's log files.
 */
export function kubeletAnswer(
  node: Node,
  request: PodHttpRequest,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
): PodHttpAnswer | { readonly error: string } {
  const address = node.status.addresses?.find((a) => a.type === 'InternalIP')?.address ?? '';
  if (node.status.conditions?.some((c) => c.type === 'Ready' && c.status === 'Unknown'))
    return { error: `dial tcp ${address}:${request.port}: i/o timeout` };
  if (request.method !== 'GET' && request.method !== 'HEAD') return NOT_ALLOWED;
  const url = request.path.split('?', 2);
  const path = url[0]!.replace(/\/$/, '');
  const pods = (): readonly Pod[] => read.list(Pods).filter((p) => p.spec.nodeName === node.metadata.name);
  switch (path) {
    case '/healthz':
    case '/healthz/ping':
    case '/healthz/log':
    case '/healthz/syncloop':
      return text('ok');
    case '/pods':
      return json({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: pods() });
    case '/runningpods':
      return json({
        kind: 'PodList',
        apiVersion: 'v1',
        metadata: {},
        items: pods()
          .filter((p) => running(p).length > 0)
          .map(bare),
      });
    case '/configz':
      return json({ kubeletconfig: configuration(node) });
    case '/stats/summary':
      return json(summary(node, pods()));
    case '/metrics':
      return metrics(ownMetrics(node, pods()));
    case '/metrics/resource':
      return metrics(resourceMetrics(pods()));
    case '/metrics/probes':
    case '/metrics/cadvisor':
      return metrics([]);
    default:
      return path.startsWith('/containerLogs/') ? containerLogs(path, url[1] ?? '', now, images, read) : NOT_FOUND;
  }
}

const statuses = ({ status }: Pod): readonly ContainerStatus[] => [
  ...(status.initContainerStatuses ?? []),
  ...(status.containerStatuses ?? []),
];
const running = (pod: Pod): readonly ContainerStatus[] => statuses(pod).filter((s) => s.state?.running);

const bare = ({ metadata: { name, namespace, uid }, spec }: Pod): unknown => ({
  metadata: { name, namespace, uid },
  spec: { containers: spec.containers.map(({ name: n, image }) => ({ name: n, image, resources: {} })) },
  status: {},
});

const configuration = ({ status, spec }: Node): unknown => ({
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

/** Models kubelet/pkg/apis/stats/v1alpha1: names and start times; usage is not measured. */
const summary = (node: Node, pods: readonly Pod[]): unknown => ({
  node: { nodeName: node.metadata.name, startTime: node.metadata.creationTimestamp },
  pods: pods
    .filter((p) => running(p).length > 0)
    .map((p) => ({
      podRef: { name: p.metadata.name, namespace: p.metadata.namespace, uid: p.metadata.uid },
      startTime: p.status.startTime,
      containers: running(p).map((s) => ({ name: s.name, startTime: s.state!.running!.startedAt })),
    })),
});

function ownMetrics(node: Node, pods: readonly Pod[]): string[] {
  const all = pods.flatMap(statuses);
  const count = (state: 'running' | 'terminated' | 'waiting'): number => all.filter((s) => s.state?.[state]).length;
  return [
    ...gauge('kubelet_node_name', `The node's name. The count is always 1.`, [
      [`node=${JSON.stringify(node.metadata.name)}`, 1],
    ]),
    ...gauge('kubelet_running_containers', 'Number of containers currently running', [
      ['container_state="exited"', count('terminated')],
      ['container_state="running"', count('running')],
      ['container_state="created"', count('waiting')],
    ]),
    ...gauge('kubelet_running_pods', 'Number of pods that have a running pod sandbox', [
      ['', pods.filter((p) => running(p).length > 0).length],
    ]),
  ];
}

const resourceMetrics = (pods: readonly Pod[]): string[] => [
  ...gauge(
    'container_start_time_seconds',
    'Start time of the container since unix epoch in seconds',
    pods.flatMap((p) =>
      running(p).map((s): Sample => [
        `container=${JSON.stringify(s.name)},namespace=${JSON.stringify(p.metadata.namespace)},pod=${JSON.stringify(p.metadata.name)}`,
        parseTimestamp(s.state!.running!.startedAt ?? '') / SECOND,
      ]),
    ),
  ),
  ...gauge('resource_scrape_error', '1 if there was an error while getting container metrics, 0 otherwise', [['', 0]]),
];

type Sample = readonly [labels: string, value: number];

const gauge = (name: string, help: string, samples: readonly Sample[]): string[] => [
  `# HELP ${name} [ALPHA] ${help}`,
  `# TYPE ${name} gauge`,
  ...samples.map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}`),
];

function containerLogs(path: string, query: string, now: Millis, images: ImageCatalog, read: Reader): PodHttpAnswer {
  const [, , namespace = '', name = '', container = ''] = path.split('/');
  const pod = read.get(Pods, { namespace, name });
  if (!pod) return { status: 404, body: `pod ${JSON.stringify(name)} does not exist\n` };
  const tail = /(?:^|&)tailLines=(\d+)/.exec(query)?.[1];
  try {
    const log = podLogs(
      pod,
      {
        container,
        follow: false,
        previous: /previous=true/.test(query),
        timestamps: /timestamps=true/.test(query),
        tailLines: tail === undefined ? undefined : Number(tail),
      },
      now,
      images,
      read,
    );
    return log.type === 'body' ? text(String(log.body)) : NOT_FOUND;
  } catch (error) {
    if (error instanceof ApiError) return { status: error.code, body: `${error.message}\n` };
    throw error;
  }
}
