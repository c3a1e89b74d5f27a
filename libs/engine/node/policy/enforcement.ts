import type { Pod } from '../../api/core_v1.js';
import { Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';

/** Images of agents that enforce policies on the node that they run on. Flannel is none of them. */
const ENFORCERS: readonly string[] = [
  'kindest/kindnetd',
  'kube-network-policies',
  'calico/node',
  'cilium/cilium',
  'cloudnativelabs/kube-router',
  'antrea/antrea-agent-ubuntu',
  'weaveworks/weave-npc',
];
/** kind's own enforces since its release 0.24. */
const KINDNETD = 'kindest/kindnetd';
const FIRST_KINDNETD = 'v20240813';

/** Whether an agent runs on a node that drops what policies deny. One that is gone lets everything pass. */
export const enforcesPolicies = (read: Reader, node: string): boolean =>
  read.byIndex(Pods, 'nodeName', node).some((pod) => pod.spec.hostNetwork === true && runsEnforcer(pod));

function runsEnforcer({ spec, status }: Pod): boolean {
  return spec.containers.some(({ name, image = '' }) => {
    if (!ENFORCERS.some((one) => image.includes(`${one}:`) || image.endsWith(one))) return false;
    if (image.includes(KINDNETD) && isOld(image)) return false;
    return status.containerStatuses?.some((one) => one.name === name && one.state?.running !== undefined) ?? false;
  });
}

function isOld(image: string): boolean {
  const tag = image.slice(image.lastIndexOf(':') + 1);
  return tag.startsWith('v20') && tag < FIRST_KINDNETD;
}
