import type { Reader } from '../../../machinery/client.js';
import { endByFaults } from '../../kubelet/container/process-faults.js';
import { runsOf, type Run } from '../records/course.js';
import type { PodView } from './pod-view.js';

/**
 * The runs of a pod's containers. What a fault has ended has ended for its machine, too, though its kubelet finds it
 * later: a node without power does not go on until its boot.
 */
export const faultedRuns = (read: Reader, { pod, statuses, records }: PodView): Run[] =>
  runsOf(pod, statuses, records).map((run) => {
    const end = endByFaults(read, pod, run.container.name, run.startedAt);
    return end === Infinity ? run : { ...run, endsAt: Math.min(run.endsAt ?? Infinity, end) };
  });
