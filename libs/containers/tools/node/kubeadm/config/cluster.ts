import { textOf } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { ADMIN_KUBECONFIG } from '../../../../../engine/node/host/requests.js';
import { parseServer } from '../../../../../engine/node/host/services/kubelet-start.js';
import type { ToolContext } from '../../../framework/tool.js';
import { diskOf } from '../../disk.js';

/** Whether somebody accepts connections there at this moment. */
export function isListening(sys: Syscalls, host: string, port: number): boolean {
  const socket = sys.connect(host, port);
  try {
    return sys.connectError(socket) === undefined;
  } catch (error) {
    if (error instanceof SystemError && error.code === 'EAGAIN') return false;
    throw error;
  } finally {
    sys.close(socket);
  }
}

/** The API server that a kubeconfig leads to; undefined: it leads to none. */
export const serverOf = (sys: Syscalls, kubeconfig: string): ReturnType<typeof parseServer> =>
  parseServer(/server: (\S+)/.exec(textOf(diskOf(sys).read(kubeconfig) ?? ''))?.[1] ?? '');

/** Whether the API server answers the administrator. */
export function isServerUp({ sys }: ToolContext): boolean {
  const server = serverOf(sys, ADMIN_KUBECONFIG);
  return server !== undefined && isListening(sys, server.host, server.port);
}

/** What kubeadm says before it goes by the cluster's configuration. Models app/util/config/cluster.go. */
export const readingConfiguration = (tool: ToolContext, prefix: string): string =>
  `[${prefix}] Reading configuration from the "kubeadm-config" ConfigMap in namespace "kube-system"...\n` +
  (isServerUp(tool)
    ? `[${prefix}] Use 'kubeadm init phase upload-config kubeadm --config your-config-file' to re-upload it.\n\n`
    : `[${prefix}] Error reading configuration from the Cluster. Falling back to default configuration\n\n`);
