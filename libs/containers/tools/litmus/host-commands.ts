import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { defineTool } from '../framework/tool.js';

/** Services whose stop is a Fault of the controller, for as long as the helper sleeps. */
const SERVICES = ['kubelet', 'docker', 'containerd'];

/** systemctl of a helper that has the node's /run and root: kubelet-service-kill, docker-service-kill. */
export const systemctl = defineTool((tool) => {
  const [verb = '', service = ''] = tool.args;
  const isHelper = ['stop', 'start'].includes(verb) && SERVICES.includes(service.replace(/\.service$/, ''));
  if (isHelper && tool.sys.hasCapability('SYS_ADMIN') && isThere(tool.sys, '/node')) return 0;
  tool.err(
    "System has not been booted with systemd as init system (PID 1). Can't operate.\nFailed to connect to bus: Host is down\n",
  );
  return 1;
});

/** ssh of node-restart's helper, whose node is a Fault of the controller's meanwhile. */
export const ssh = defineTool((tool) => {
  const key = tool.args[tool.args.indexOf('-i') + 1] ?? '';
  const login = tool.args.find((word) => word.includes('@')) ?? '';
  const host = login.slice(login.indexOf('@') + 1);
  if (!tool.args.includes('-i') || !isThere(tool.sys, key) || !/\breboot\b/.test(tool.args.join(' '))) {
    tool.err(`${login}: Permission denied (publickey).\r\n`);
    return 255;
  }
  tool.err(`Warning: Permanently added '${host}' (ED25519) to the list of known hosts.\r\n`);
  return 0;
});

function isThere(sys: Syscalls, path: string): boolean {
  try {
    sys.stat(path);
    return true;
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}
