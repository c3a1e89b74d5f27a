import { hostPorts, isHostPortInUse } from '../../kinds/core/pod/host-ports.js';
import { unschedulable, type FilterPlugin } from '../plugin.js';

const REJECTION = unschedulable("node(s) didn't have free ports for the requested pod ports");

/** Filters nodes where the pod's host ports are free. Models plugins/nodeports. */
export const nodePorts: FilterPlugin = {
  name: 'NodePorts',
  preFilter(pod) {
    const wanted = hostPorts(pod);
    return wanted.length === 0
      ? undefined
      : (info) => (wanted.some((p) => isHostPortInUse(p, info.ports)) ? REJECTION : undefined);
  },
};
