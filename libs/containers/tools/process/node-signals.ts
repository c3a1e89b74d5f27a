import { SystemError, type ErrorCode } from '../../../engine/kernel/errno.js';
import { HOST_ROOT } from '../../../engine/kernel/host/host.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import type { Signal } from '../../../engine/kernel/signals.js';
import { ToolFailure, type WaitingContext } from '../framework/tool.js';
import { RETRY_MS, tryRuntime } from '../node/cri/client.js';
import { diskOf } from '../node/disk.js';
import { readService, startService } from '../node/systemd/services.js';
import { processOfNode } from './node-processes.js';

/** Where a machine may have its node's disk. */
const DISKS = ['', '/host', HOST_ROOT];
const ENDING: readonly Signal[] = ['KILL', 'TERM', 'INT', 'QUIT', 'ABRT', 'SEGV'];
const INIT = 1;
const MAX_TRIES = 200;

/** Whether a process is one of the node's, that no program of the machine runs. */
export const isOnNode = (sys: Syscalls, pid: number): boolean =>
  pid > 0 && !sys.access(`/proc/${pid}/environ`, '') && sys.processes().some((one) => one.pid === pid);

/**
 * Sends a signal to such a process: the container runtime ends a container, systemd starts a service again. 'later':
 * nobody may act on the cluster at this moment. Throws SystemError, ToolFailure.
 */
export function trySignalOnNode(sys: Syscalls, pid: number, signal: Signal | 0): 'sent' | 'later' {
  if (!sys.hasCapability('KILL')) throw new SystemError('EPERM');
  if (signal === 0) return 'sent';
  // The kernel lets nobody kill its first process.
  if (pid === INIT && signal === 'KILL') return 'sent';
  const disk = DISKS.find((path) => processOfNode(sys, 1, path));
  if (disk === undefined) throw new SystemError('EPERM');
  const { argv = [], container } = processOfNode(sys, pid, disk) ?? {};
  if (!ENDING.includes(signal)) throw new ToolFailure(`SIG${signal} to a process of the node is not simulated`);
  if (container !== undefined) return tryRuntime(sys, 'Signal', { id: container, signal }, disk) ? 'sent' : 'later';
  const path = argv[0] ?? '';
  const service = readService(sys, diskOf(sys), path.slice(path.lastIndexOf('/') + 1));
  if (disk !== '' || !service) throw new ToolFailure(`ending ${path} (${pid}) of the node from here is not simulated`);
  startService(sys, diskOf(sys), service);
  return 'sent';
}

/** The same, waiting until it can be done. */
export function signalOnNode(tool: WaitingContext, pid: number, signal: Signal | 0): void {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { failure, code, isLater } = tool.once(() => {
      const value = attempt(tool.sys, pid, signal);
      return { value, delay: value.isLater ? RETRY_MS : 0 };
    });
    if (code !== '') throw new SystemError(code as ErrorCode);
    if (failure !== '') throw new ToolFailure(failure);
    if (!isLater) return;
  }
  throw new ToolFailure('the container runtime does not answer');
}

/** As data, since it is part of the tool's state. */
function attempt(sys: Syscalls, pid: number, signal: Signal | 0): { failure: string; code: string; isLater: boolean } {
  try {
    return { failure: '', code: '', isLater: trySignalOnNode(sys, pid, signal) === 'later' };
  } catch (error) {
    if (error instanceof SystemError) return { failure: '', code: error.code, isLater: false };
    if (error instanceof ToolFailure) return { failure: error.message, code: '', isLater: false };
    throw error;
  }
}
