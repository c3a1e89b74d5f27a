import type { Node, Pod } from '../../../api/core_v1.js';
import { parseTimestamp, SECOND } from '../../../machinery/time/time.js';
import { containerStatusesOf, runningContainersOf } from './containers.js';

type Sample = readonly [labels: string, value: number];

/** The kubelet's own metrics, in Prometheus' text format. Models pkg/kubelet/metrics. */
export function renderMetrics(node: Node, pods: readonly Pod[]): string {
  const statuses = pods.flatMap(containerStatusesOf);
  const count = (state: 'running' | 'terminated' | 'waiting'): number =>
    statuses.filter((s) => s.state?.[state]).length;
  return renderLines([
    ...renderGauge('kubelet_node_name', `The node's name. The count is always 1.`, [
      [renderLabels({ node: node.metadata.name }), 1],
    ]),
    ...renderGauge('kubelet_running_containers', 'Number of containers currently running', [
      ['container_state="exited"', count('terminated')],
      ['container_state="running"', count('running')],
      ['container_state="created"', count('waiting')],
    ]),
    ...renderGauge('kubelet_running_pods', 'Number of pods that have a running pod sandbox', [
      ['', pods.filter((pod) => runningContainersOf(pod).length > 0).length],
    ]),
  ]);
}

/** Models pkg/kubelet/metrics/collectors/resource_metrics.go. Left out: measured usage. */
export function renderResourceMetrics(pods: readonly Pod[]): string {
  return renderLines([
    ...renderGauge(
      'container_start_time_seconds',
      'Start time of the container since unix epoch in seconds',
      pods.flatMap(startTimesOf),
    ),
    ...renderGauge('resource_scrape_error', '1 if there was an error while getting container metrics, 0 otherwise', [
      ['', 0],
    ]),
  ]);
}

const startTimesOf = (pod: Pod): Sample[] =>
  runningContainersOf(pod).map(({ name, state }) => [
    renderLabels({ container: name, namespace: pod.metadata.namespace, pod: pod.metadata.name }),
    parseTimestamp(state?.running?.startedAt ?? '') / SECOND,
  ]);

const renderLabels = (labels: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');

const renderGauge = (name: string, help: string, samples: readonly Sample[]): string[] => [
  `# HELP ${name} [ALPHA] ${help}`,
  `# TYPE ${name} gauge`,
  ...samples.map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}`),
];

const renderLines = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
