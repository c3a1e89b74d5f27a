import type { NodeNetwork } from '../../../kinds/terrarium/noderuntime/kind.js';
import { calico } from './calico.js';
import { cilium } from './cilium.js';
import type { Fabric } from './fabric.js';
import { flannel } from './flannel.js';

export { networkOf, type Fabric, type NodeView, type PodRoute } from './fabric.js';
export { vethOf } from './names.js';

/** What shows of a network whose plug-in makes a pod's interface; undefined: routes as kindnet writes them. */
export function fabricOf({ plugin }: NodeNetwork): Fabric | undefined {
  switch (plugin) {
    case 'flannel':
      return flannel;
    case 'calico':
      return calico;
    case 'cilium-cni':
      return cilium;
    default:
      return undefined;
  }
}
