import { NodeRuntimes } from '../../../kinds/index.js';
import { listHosts } from '../../../kinds/terrarium/noderuntime/hosts.js';
import { activeEffects, hasStore } from '../../../kinds/terrarium/fault/active.js';
import { isApiServerDown } from '../../../kinds/terrarium/noderuntime/api-server.js';
import type { Reader } from '../../../machinery/client.js';
import { isControlPlane } from '../files/config-files.js';

/** What goes on without an API server: kubelets and kube-proxies by what they know. */
const STANDS_ALONE: ReadonlySet<string> = new Set(['kubelet', 'kube-proxy', 'terrarium']);

/**
 * Whether a component of the control plane comes up on none of its nodes, or cannot reach the API server: what it does
 * is left undone.
 */
export function isBroken(read: Reader, component: string): boolean {
  if (!STANDS_ALONE.has(component) && (isApiServerDown(read) || hasNoStore(read))) return true;
  const broken = read.list(NodeRuntimes).filter((runtime) => runtime.broken?.[component] !== undefined);
  return broken.length > 0 && broken.length >= listHosts(read).filter(isControlPlane).length;
}

/** No client of the API server gets anything done. */
const hasNoStore = (read: Reader): boolean =>
  !hasStore(read) || activeEffects(read, 'api').some(({ fault }) => fault === 'expired');

/** Whether a controller does nothing, while its process runs. */
export const isControllerDown = (read: Reader, controller: string): boolean =>
  activeEffects(read, 'controller').some(({ controllers }) => controllers.includes(controller));
