import { NO_CHILD } from '../errno.js';
import type { State } from '../state.js';
import type { Process } from './process.js';
import type { ChildStatus } from './syscalls.js';
import { childrenOf, reap } from './table.js';

/** Which children are meant: -1 any, 0 the caller's group, negative that group. */
function isMeant(parent: Process, child: Process, pid: number): boolean {
  if (pid === -1) return true;
  if (pid > 0) return child.pid === pid;
  return child.group === (pid === 0 ? parent.group : -pid);
}

/** A child that has ended, or was stopped or continued when asked for; undefined while there is none. Throws ECHILD. */
export function waitFor(state: State, parent: Process, pid: number, withStopped: boolean): ChildStatus | undefined {
  // A shell asks before each prompt, and has none as a rule.
  if ((state.children.get(parent.id)?.size ?? 0) === 0) throw NO_CHILD;
  const children = childrenOf(state, parent).filter((child) => isMeant(parent, child, pid));
  if (children.length === 0) throw NO_CHILD;
  for (const child of children) {
    if (child.status === 'zombie') {
      reap(state, child);
      const { code, signal } = child.exit!;
      return { pid: child.pid, state: signal === undefined ? 'exited' : 'killed', code, signal };
    }
    if (!withStopped || child.report === undefined) continue;
    const report = child.report;
    child.report = undefined;
    return { pid: child.pid, state: report.state, code: 0, signal: report.signal };
  }
  parent.hasChildNews = undefined;
  return undefined;
}

/** Whether it is worth to wait again: a child has changed, though perhaps not one that is waited for. */
export const hasChildNews = (state: State, parent: Process): boolean =>
  parent.hasChildNews === true || (state.children.get(parent.id)?.size ?? 0) === 0;
