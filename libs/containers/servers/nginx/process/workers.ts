import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SIGNALS } from '../../../../engine/kernel/signals.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { type ChildLook, type Children, noChildren, endChildren, reapChildren, startChildren } from '../../children.js';
import { find, type Directive } from '../configuration.js';
import { AUTO_WORKERS } from './lines.js';
import { slashed } from '../version.js';

/** The user nginx of its images. */
export const WORKER = 101;
const LOOK: ChildLook = { title: 'nginx: worker process', user: WORKER };
/** More are not shown. */
const MAX_WORKERS = 32;

/** What the master needs to know of itself for its workers. */
export interface Master {
  readonly sys: Syscalls;
  readonly own: { configuration: Directive[]; workers: Children; oldWorkers: number[]; endsAt: number | null };
  err(bytes: Bytes): void;
}

export function countWorkers(configuration: readonly Directive[]): number {
  const value = find(configuration, 'worker_processes')?.args[0] ?? '1';
  return value === 'auto' ? AUTO_WORKERS : Math.min(MAX_WORKERS, Math.max(1, Number(value) || 1));
}

export function nameMaster(sys: Syscalls): void {
  sys.setTitle(`nginx: master process ${sys.argv.join(' ')}`);
}

export function startWorkers({ sys, own }: Master): void {
  const looks = Array.from({ length: countWorkers(own.configuration) }, () => LOOK);
  startChildren(sys, own.workers, looks);
}

/** New workers by the new configuration; the old ones end when they have nothing more to do. */
export function replaceWorkers(master: Master): void {
  const { sys, own } = master;
  const old = own.workers;
  own.workers = noChildren();
  note(master, 'using the "epoll" event method');
  note(master, 'start worker processes');
  startWorkers(master);
  for (const pid of own.workers.pids) note(master, `start worker process ${pid}`);
  own.oldWorkers.push(...old.pids);
  endChildren(sys, old);
}

/** Workers that have ended: those that nobody has told to are started again. Models ngx_reap_children. */
export function reapWorkers(master: Master): void {
  const { sys, own } = master;
  for (const { pid, code, signal } of reapChildren(sys)) {
    const isOld = own.oldWorkers.includes(pid);
    own.oldWorkers = own.oldWorkers.filter((one) => one !== pid);
    if (isOld) for (const text of ['gracefully shutting down', 'exiting', 'exit']) note(master, text, pid);
    if (own.endsAt !== null) continue;
    note(master, `signal 17 (SIGCHLD) received from ${pid}`);
    if (signal === undefined) note(master, `worker process ${pid} exited with code ${code}`);
    else writeLine(master, 'alert', `worker process ${pid} exited on signal ${SIGNALS[signal]}`);
    if (isOld) note(master, 'signal 29 (SIGIO) received');
    else replaceOne(master, pid);
  }
}

/** A worker's place is taken by a new one. */
function replaceOne(master: Master, ended: number): void {
  const { sys, own } = master;
  const { workers } = own;
  if (!workers.pids.includes(ended)) return;
  workers.pids = workers.pids.filter((pid) => pid !== ended);
  for (const pid of startChildren(sys, workers, [LOOK])) note(master, `start worker process ${pid}`);
}

const note = (master: Master, text: string, pid = master.sys.pid): void => writeLine(master, 'notice', text, pid);

function writeLine({ sys, err }: Master, level: string, text: string, pid = sys.pid): void {
  err(`${slashed(sys.now)} [${level}] ${pid}#${pid}: ${text}\n`);
}
