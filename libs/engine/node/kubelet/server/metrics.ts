import type { Node, Pod } from '../../../api/core_v1.js';
import { parseTimestamp, SECOND } from '../../../machinery/time/time.js';
import type { ContainerMeasure } from '../../cri/looks/measure.js';
import type { PodUsage } from '../eviction/ranking.js';
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

/** Models pkg/kubelet/metrics/collectors/resource_metrics.go. Left out: what was not measured. */
export function renderResourceMetrics(pods: readonly Pod[], usages: readonly PodUsage[] = []): string {
  return renderLines([
    ...renderGauge(
      'container_start_time_seconds',
      'Start time of the container since unix epoch in seconds',
      pods.flatMap(startTimesOf),
    ),
    ...(usages.length > 0
      ? [
          ...renderGauge(
            'container_cpu_usage_seconds_total',
            'Cumulative cpu time consumed by the container in core-seconds',
            samplesOf(usages, ({ cpuMs }) => cpuMs / SECOND),
            'counter',
          ),
          ...renderGauge(
            'container_memory_working_set_bytes',
            'Current working set of the container in bytes',
            samplesOf(usages, ({ memory }) => memory),
          ),
        ]
      : []),
    ...renderGauge('resource_scrape_error', '1 if there was an error while getting container metrics, 0 otherwise', [
      ['', 0],
    ]),
  ]);
}

/** Models cAdvisor's metrics of containers, of those that were measured. */
export function renderCadvisorMetrics(pods: readonly Pod[], usages: readonly PodUsage[]): string {
  const imageOf = (pod: Pod, name: string): string | undefined =>
    containerStatusesOf(pods.find((one) => one.metadata.uid === pod.metadata.uid) ?? pod).find((s) => s.name === name)
      ?.image;
  const samples = (value: (measure: ContainerMeasure) => number): Sample[] => samplesOf(usages, value, imageOf);
  const family = (name: string, help: string, list: readonly Sample[], type = 'gauge'): string[] =>
    list.length > 0 ? renderGauge(name, help, list, type, '') : [];
  return renderLines([
    ...family(
      'container_cpu_usage_seconds_total',
      'Cumulative cpu time consumed in seconds.',
      samples(({ cpuMs }) => cpuMs / SECOND),
      'counter',
    ),
    ...family(
      'container_fs_usage_bytes',
      'Number of bytes that are consumed by the container on this filesystem.',
      samples(({ disk, logBytes }) => disk - logBytes),
    ),
    ...family(
      'container_memory_usage_bytes',
      'Current memory usage in bytes, including all memory regardless of when it was accessed',
      samples(({ memory }) => memory),
    ),
    ...family(
      'container_memory_working_set_bytes',
      'Current working set in bytes.',
      samples(({ memory }) => memory),
    ),
  ]);
}

function samplesOf(
  usages: readonly PodUsage[],
  value: (measure: ContainerMeasure) => number,
  imageOf?: (pod: Pod, container: string) => string | undefined,
): Sample[] {
  return usages.flatMap(({ pod, measure }) =>
    [...(measure?.containers ?? [])].map(([container, one]): Sample => {
      const { namespace, name } = pod.metadata;
      const image = imageOf ? { image: imageOf(pod, container) ?? '' } : {};
      return [renderLabels({ container, ...image, namespace, pod: name }), value(one)];
    }),
  );
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

const renderGauge = (
  name: string,
  help: string,
  samples: readonly Sample[],
  type = 'gauge',
  stability = '[ALPHA] ',
): string[] => [
  `# HELP ${name} ${stability}${help}`,
  `# TYPE ${name} ${type}`,
  ...samples.map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}`),
];

const renderLines = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
