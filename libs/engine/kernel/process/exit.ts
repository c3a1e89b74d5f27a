import { release } from '../descriptors/table.js';
import { endLog } from '../sessions/log.js';
import { forgetIfOver } from '../sessions/output.js';
import type { Signal } from '../signals.js';
import type { State } from '../state.js';
import { hangUpTerminal } from '../terminals/input.js';
import type { Process } from './process.js';
import { actionOf, codeOfSignal, notifyParent } from './signal.js';
import { addChild, childrenOf, findByPid, reap } from './table.js';

/** Ends a process: it closes its files, gives its children away, and waits for its parent as a zombie. */
export function endProcess(state: State, process: Process, code: number, signal?: Signal): void {
  if (process.status === 'zombie') return;
  process.status = 'zombie';
  process.exit = { code, signal };
  process.state = undefined;
  process.waiting = undefined;
  process.report = undefined;
  process.memory = 0;
  process.held = 0;
  forgetWaits(state, process);
  closeAll(state, process);
  leaveTerminal(state, process);
  const container = state.containers.get(process.container);
  if (process.pid === 1) endNamespace(state, process);
  if (container?.main === process.id) endContainer(state, process);
  giveChildrenAway(state, process);
  report(state, process);
}

export function forgetWaits(state: State, process: Process): void {
  for (const channel of state.channels.get(process.id) ?? []) {
    const waiters = state.waiters.get(channel);
    waiters?.delete(process.id);
    if (waiters?.size === 0) state.waiters.delete(channel);
  }
  state.channels.delete(process.id);
}

function closeAll(state: State, process: Process): void {
  const ids = Object.values(process.descriptors);
  process.descriptors = {};
  for (const id of ids) release(state, state.descriptions.get(id)!);
}

/** The end of a session's leader hangs up the session's terminal. */
function leaveTerminal(state: State, process: Process): void {
  const terminal = process.terminal === undefined ? undefined : state.terminals.get(process.terminal);
  if (terminal === undefined || process.pid !== process.session || terminal.session !== process.pid) return;
  hangUpTerminal(state, terminal);
}

/** The first process of a PID namespace takes all others with it. */
function endNamespace(state: State, init: Process): void {
  for (const process of [...state.processes.values()]) {
    if (process.namespace !== init.namespace || process === init) continue;
    endProcess(state, process, codeOfSignal('KILL'), 'KILL');
    reap(state, process);
  }
}

function endContainer(state: State, main: Process): void {
  const container = state.containers.get(main.container)!;
  const { code, signal } = main.exit!;
  container.exit = { code, signal, at: state.now, outOfMemory: container.isOutOfMemory };
  for (const process of [...state.processes.values()]) {
    if (process.container !== container.id || process === main) continue;
    endProcess(state, process, codeOfSignal('KILL'), 'KILL');
  }
  endLog(state, container);
  for (const session of state.sessions.values()) {
    if (session.type === 'attach' && session.container === container.id) session.exit = { code, signal };
  }
}

/** Orphans become children of the namespace's first process. */
function giveChildrenAway(state: State, process: Process): void {
  const init = findByPid(state, process.namespace, 1);
  const parent = init === undefined || init === process || init.status === 'zombie' ? undefined : init;
  for (const child of childrenOf(state, process)) {
    child.parent = parent?.id ?? 0;
    addChild(state, child);
    if (child.status === 'zombie') report(state, child);
  }
  state.children.delete(process.id);
}

function report(state: State, process: Process): void {
  if (process.sessionId !== undefined) {
    const session = state.sessions.get(process.sessionId);
    if (session !== undefined) {
      session.exit = process.exit;
      forgetIfOver(state, session);
    }
  }
  const parent = state.processes.get(process.parent);
  if (parent === undefined || actionOf(parent, 'CHLD') === 'ignore') {
    reap(state, process);
    if (parent?.waiting?.child === true) notifyParent(state, process);
  } else notifyParent(state, process);
}
