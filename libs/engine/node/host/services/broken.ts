import { NodeRuntimes, Nodes } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { isControlPlane } from '../files/config-files.js';

/** Whether a component of the control plane comes up on none of its nodes: what it does is left undone. */
export function isBroken(read: Reader, component: string): boolean {
  const broken = read.list(NodeRuntimes).filter((runtime) => runtime.broken?.[component] !== undefined);
  return broken.length > 0 && broken.length >= read.list(Nodes).filter(isControlPlane).length;
}
