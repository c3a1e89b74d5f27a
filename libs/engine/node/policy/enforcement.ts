import type { Pod } from '../../api/core_v1.js';
import { Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';

const CALICO = 'calico/node';
const CILIUM = 'cilium/cilium';
/** Images of agents that enforce policies on the node that they run on. Flannel is none of them. */
const ENFORCERS: readonly string[] = [
  'kindest/kindnetd',
  'kube-network-policies',
  CALICO,
  CILIUM,
  'cloudnativelabs/kube-router',
  'antrea/antrea-agent-ubuntu',
  'weaveworks/weave-npc',
];
/** kind's own enforces since its release 0.24. */
const KINDNETD = 'kindest/kindnetd';
const FIRST_KINDNETD = 'v20240813';

/** The agent on a node that drops what policies deny. Where there is none everything passes, as in life. */
export function findEnforcer(read: Reader, node: string): Pod | undefined {
  const pods = read.byIndex(Pods, 'nodeName', node);
  const isOne = (pod: Pod): boolean => pod.spec.hostNetwork === true && runsEnforcer(pod);
  const found = pods.find(isOne);
  // Beside kindnet, which every node begins with, another one decides.
  return found && isKindnet(found) ? (pods.find((pod) => isOne(pod) && !isKindnet(pod)) ?? found) : found;
}

const isKindnet = ({ spec }: Pod): boolean => spec.containers.some(({ image = '' }) => image.includes(KINDNETD));

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

/** An agent that knows Calico's own policies, too. */
export const isCalico = ({ spec }: Pod): boolean =>
  spec.containers.some(({ image = '' }) => image.includes(`${CALICO}:`) || image.endsWith(CALICO));

/** An agent that judges by identities, and knows Cilium's own policies. */
export const isCilium = ({ spec }: Pod): boolean =>
  spec.containers.some(({ image = '' }) => image.includes(`${CILIUM}:`) || image.endsWith(CILIUM));
