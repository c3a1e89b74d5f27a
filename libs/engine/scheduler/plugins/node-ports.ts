import { hostPorts, type NodeInfo } from '../node-info.js';
import { unschedulable, type FilterPlugin } from '../plugin.js';

const REJECTION = unschedulable("node(s) didn't have free ports for the requested pod ports");

/** Whether a pod on the node uses the host port; 0.0.0.0 conflicts with every address. */
function isPortInUse(info: NodeInfo, port: string): boolean {
  if (info.ports.size === 0) return false;
  const [protocol, ip, number] = port.split('/');
  if (ip !== '0.0.0.0') return info.ports.has(port) || info.ports.has(`${protocol}/0.0.0.0/${number}`);
  for (const used of info.ports.keys()) if (used.startsWith(`${protocol}/`) && used.endsWith(`/${number}`)) return true;
  return false;
}

/** Filters nodes where the pod's host ports are free. Models plugins/nodeports. */
export const nodePorts: FilterPlugin = {
  name: 'NodePorts',
  preFilter(pod) {
    const wanted = hostPorts(pod);
    return wanted.length === 0
      ? undefined
      : (info) => (wanted.some((p) => isPortInUse(info, p)) ? REJECTION : undefined);
  },
};
