import type { Node, Pod } from '../../../api/core_v1.js';
import { runningContainersOf } from './containers.js';

/** Names and start times. Models kubelet/pkg/apis/stats/v1alpha1 Summary. Left out: measured usage. */
export const summarize = (node: Node, pods: readonly Pod[]): unknown => ({
  node: { nodeName: node.metadata.name, startTime: node.metadata.creationTimestamp },
  pods: pods.filter((pod) => runningContainersOf(pod).length > 0).map(summarizePod),
});

const summarizePod = (pod: Pod): unknown => ({
  podRef: { name: pod.metadata.name, namespace: pod.metadata.namespace, uid: pod.metadata.uid },
  startTime: pod.status.startTime,
  containers: runningContainersOf(pod).map(({ name, state }) => ({ name, startTime: state?.running?.startedAt })),
});
