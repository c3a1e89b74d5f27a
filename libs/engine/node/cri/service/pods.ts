import type { Container, ContainerStatus, Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import { sandboxesOf } from '../sandboxes/sandbox-pod.js';
import type { RuntimeServiceOptions } from './call.js';

/** A running container and what says so. */
export interface Found {
  readonly pod: Pod;
  readonly container: Container;
  readonly status: ContainerStatus;
}

/** Of the node: those of the cluster, and what was made at the runtime. */
export const podsOf = ({ read, from }: RuntimeServiceOptions): readonly Pod[] => {
  const node = from.spec.nodeName ?? '';
  return [...read.byIndex(Pods, 'nodeName', node), ...sandboxesOf(read, node).map(({ pod }) => pod)];
};

export const containersOf = ({ spec, status }: Pod): Found['status'][] =>
  spec.containers.length === 0
    ? []
    : [
        ...(status.initContainerStatuses ?? []),
        ...(status.containerStatuses ?? []),
        ...(status.ephemeralContainerStatuses ?? []),
      ];

export function runningIn(pod: Pod): Found[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec;
  return containersOf(pod).flatMap((status) => {
    const container = [...containers, ...initContainers, ...ephemeralContainers].find(
      ({ name }) => name === status.name,
    );
    return container && status.state?.running && status.containerID ? [{ pod, container, status }] : [];
  });
}
