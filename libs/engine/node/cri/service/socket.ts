import type { Pod } from '../../../api/core_v1.js';
import { trimRight } from '../../../machinery/text/strings.js';

/** Where containerd listens on a node's disk. */
export const RUNTIME_SOCKET = '/run/containerd/containerd.sock';
/** The address that programs connect to: a UNIX socket has no other. */
export const RUNTIME_ADDRESS = `unix://${RUNTIME_SOCKET}`;

/** Whether a pod has the folder of the socket from its node's disk, or may go there by its node's first process. */
export const reachesRuntime = ({ spec }: Pod): boolean =>
  (spec.hostPID === true && spec.containers.some(({ securityContext }) => securityContext?.privileged === true)) ||
  (spec.volumes ?? []).some(({ hostPath }) => {
    if (!hostPath) return false;
    const path = trimRight(hostPath.path, '/').replace(/^\/var\/run(?=\/|$)/, '/run');
    return path === RUNTIME_SOCKET || path === '' || RUNTIME_SOCKET.startsWith(`${path}/`);
  });
