import { expect, test } from '@jest/globals';
import { node, pod, running, terminated, waiting } from '../testing.js';
import { renderMetrics, renderResourceMetrics } from './metrics.js';

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
