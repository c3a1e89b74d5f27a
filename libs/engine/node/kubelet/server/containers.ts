import type { ContainerStatus, Pod } from '../../../api/core_v1.js';

/** The statuses of the pod's containers, those of init containers first. */
export const containerStatusesOf = ({ status }: Pod): readonly ContainerStatus[] => [
  ...(status.initContainerStatuses ?? []),
  ...(status.containerStatuses ?? []),
];

export const runningContainersOf = (pod: Pod): readonly ContainerStatus[] =>
  containerStatusesOf(pod).filter(({ state }) => state?.running);
