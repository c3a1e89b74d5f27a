import type { Pod } from '../../../api/core_v1.js';
import { sandboxId, idOf } from '../../host/views/runtime-view.js';
import type { Operation, RuntimeServiceOptions } from './call.js';
import { runningIn, podsOf } from './pods.js';

const NANOS_PER_MS = 1_000_000;

/**
 * What running containers use: CPU in nanoseconds since their start, memory and disk in bytes. Models containerd's
 * internal/cri/server/container_stats_list.go. A program that its image sums up has what its stand-in uses.
 */
export const readStats: Operation = (options) => ({
  timestamp: options.now * NANOS_PER_MS,
  stats: podsOf(options).flatMap((pod) => statsOf(options, pod)),
});

function statsOf({ machines, now, from }: RuntimeServiceOptions, pod: Pod): object[] {
  const running = runningIn(pod);
  if (running.length === 0) return [];
  const measure = machines.measure(machines.viewOf(pod), now, pod.metadata.uid === from.metadata.uid);
  return running.map(({ status }) => {
    const found = measure.containers.get(status.name);
    return {
      id: idOf(status.containerID),
      podId: sandboxId(pod),
      cpu: Math.round((found?.cpuMs ?? 0) * NANOS_PER_MS),
      memory: found?.memory ?? 0,
      disk: (found?.disk ?? 0) - (found?.logBytes ?? 0),
      inodes: found?.inodes ?? 0,
    };
  });
}
