import { Nodes } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { internalIPOf } from '../kubelet/nodestatus/internal-ip.js';

export const API_SERVER_PORT = 6_443;
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/** Whether an API server listens at an address. */
export function isApiServer(read: Reader, ip: string, port: number): boolean {
  if (port !== API_SERVER_PORT) return false;
  return read
    .list(Nodes)
    .some((node) => node.metadata.labels?.[CONTROL_PLANE] !== undefined && internalIPOf(node) === ip);
}
