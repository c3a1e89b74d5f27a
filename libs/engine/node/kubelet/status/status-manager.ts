import type { Pod, PodStatus } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import type { Client } from '../../../machinery/client.js';
import { deepEqual } from '../../../machinery/meta/equal.js';

/**
 * Writes a pod's status when it is not what the API server has. Models pkg/kubelet/status/status_manager.go
 * SetPodStatus.
 */
export function setPodStatus(client: Client, pod: Pod, status: PodStatus): void {
  if (!deepEqual(status, pod.status)) client.updateStatus(Pods, { ...pod, status });
}
