import { listAt, textAt } from '../../../../kube/object.js';
import { readQuantity } from '../../usage/usage.js';

export interface Asked {
  /** Cores. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
  readonly pods: number;
}

/**
 * What the pods of a list ask for, those that are over left out: of each the sum of its containers and sidecars, or
 * what one init container asks for, whatever is more. Models component-helpers/resource PodRequests.
 */
export function askedBy(list: unknown): Asked {
  const pods = listAt(list, 'items').filter((pod) => !['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase')));
  const sum = (resource: string): number => pods.reduce((all: number, pod) => all + requestOf(pod, resource), 0);
  return { cpu: sum('cpu'), memory: sum('memory'), pods: pods.length };
}

function requestOf(pod: unknown, resource: string): number {
  const of = (container: unknown): number => readQuantity(textAt(container, 'resources', 'requests', resource));
  let [sidecars, largest] = [0, 0];
  for (const container of listAt(pod, 'spec', 'initContainers')) {
    if (textAt(container, 'restartPolicy') === 'Always') sidecars += of(container);
    else largest = Math.max(largest, sidecars + of(container));
  }
  const running = listAt(pod, 'spec', 'containers').reduce((all: number, one) => all + of(one), sidecars);
  return Math.max(running, largest) + readQuantity(textAt(pod, 'spec', 'overhead', resource));
}
