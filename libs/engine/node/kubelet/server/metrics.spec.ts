import { expect, test } from '@jest/globals';
import { node, pod, running, terminated, waiting } from '../testing.js';
import { renderCadvisorMetrics, renderMetrics, renderResourceMetrics } from './metrics.js';

const pods = [
  pod({}, { initContainerStatuses: [terminated('i', 0)], containerStatuses: [running('c')] }),
  pod({}, { containerStatuses: [waiting('c')] }),
];

test('the kubelet counts what runs, in Prometheus’ text format', () => {
  expect(renderMetrics(node(), pods)).toBe(`# HELP kubelet_node_name [ALPHA] The node's name. The count is always 1.
# TYPE kubelet_node_name gauge
kubelet_node_name{node="worker-1"} 1
# HELP kubelet_running_containers [ALPHA] Number of containers currently running
# TYPE kubelet_running_containers gauge
kubelet_running_containers{container_state="exited"} 1
kubelet_running_containers{container_state="running"} 1
kubelet_running_containers{container_state="created"} 1
# HELP kubelet_running_pods [ALPHA] Number of pods that have a running pod sandbox
# TYPE kubelet_running_pods gauge
kubelet_running_pods 1
`);
});

test('resource metrics have the start of each container that runs', () => {
  expect(renderResourceMetrics(pods).split('\n').slice(2, 3)).toEqual([
    'container_start_time_seconds{container="c",namespace="shop",pod="web"} 1767268800',
  ]);
});

test('what was measured of containers is among cAdvisor’s metrics', () => {
  const of = pod({}, { containerStatuses: [running('a', { image: 'docker.io/library/nginx:1.27' })] });
  const a = { memory: 4096, cpuMs: 1_500, cpuRate: 0, disk: 300, logBytes: 100, inodes: 1 };
  const usage = { pod: of, measure: { containers: new Map([['a', a]]), volumes: new Map(), processes: 1 } };
  const labels = 'container="a",image="docker.io/library/nginx:1.27",namespace="shop",pod="web"';
  const lines = renderCadvisorMetrics([of], [usage]).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE container_cpu_usage_seconds_total counter',
      `container_cpu_usage_seconds_total{${labels}} 1.5`,
      `container_fs_usage_bytes{${labels}} 200`,
      `container_memory_working_set_bytes{${labels}} 4096`,
    ]),
  );
  expect(renderResourceMetrics([of], [usage])).toContain(
    'container_memory_working_set_bytes{container="a",namespace="shop",pod="web"} 4096\n',
  );
});
