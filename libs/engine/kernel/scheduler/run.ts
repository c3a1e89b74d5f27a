import type { Millis } from '../../machinery/time/time.js';
import { ProcessCalls } from '../calls/calls.js';
import { chargeCpu, STEPS_PER_MS } from '../cgroup/cpu.js';
import { enforceMemory, killForMemory } from '../cgroup/memory.js';
import type { Container } from '../container-state.js';
import { writeDescription } from '../descriptors/io.js';
import { SystemError } from '../errno.js';
import { endProcess } from '../process/exit.js';
import type { Process } from '../process/process.js';
import type { Wait } from '../process/program.js';
import { MEASURED_STEPS, sizeOfPlain } from '../process/size.js';
import { codeOfSignal, isStopping, Killed, stopProcess } from '../process/signal.js';
import { settle } from '../sockets/connect.js';
import type { State } from '../state.js';
import { makeReady } from './queue.js';
import type { Timer } from './timers.js';
import { block, isSatisfied, unblock } from './waits.js';

/** What every step costs at least. */
const STEP_COST = 10;
const MAX_FAULTS = 20;
const MEBIBYTE = 1024 * 1024;

/** One machine, without those that it is connected to. */
export function runAlone(state: State, until: Millis, maxSteps: number): boolean {
  state.budget = maxSteps;
  state.horizon = until;
  return runUntil(state, until);
}

/**
 * Runs processes in turn, and moves the time on when none is ready, until nothing is left to do up to a time.
 * @returns false when the steps of `state.budget` are used up before
 */
export function runUntil(state: State, until: Millis): boolean {
  for (;;) {
    fireTimers(state);
    if (state.now > until) return true;
    if (state.ready.length === 0) {
      const next = state.timers.first();
      if (next === undefined || next.at > until) break;
      state.now = next.at;
      continue;
    }
    if (state.budget <= 0) return false;
    const process = state.processes.get(state.ready.shift()!);
    if (process?.status === 'ready') takeTurn(state, process);
  }
  state.now = until;
  return true;
}

function fireTimers(state: State): void {
  for (let timer = state.timers.first(); timer !== undefined && timer.at <= state.now; timer = state.timers.first()) {
    state.timers.take();
    fire(state, timer);
  }
}

function fire(state: State, timer: Timer): void {
  if (timer.kind === 'process') {
    const process = state.processes.get(timer.id as number);
    if (process?.waiting?.until !== timer.at) return;
    state.rounds?.noteTimer(state, process);
    makeReady(state, process);
  } else if (timer.kind === 'socket') {
    const socket = state.sockets.get(timer.id as number);
    if (socket?.settlesAt === timer.at) settle(state, socket);
  } else unpark(state, timer.id as string);
}

function unpark(state: State, id: string): void {
  const container = state.containers.get(id);
  if (container === undefined || container.cpu.throttledUntil > state.now) return;
  const ready = new Set(state.ready);
  for (const parked of container.parked) ready.add(parked);
  state.ready = [...ready];
  container.parked = [];
}

function takeTurn(state: State, process: Process): void {
  if (obeySignals(state, process)) return;
  const container = state.containers.get(process.container);
  if (container !== undefined && container.cpu.throttledUntil > state.now) return park(state, container, process);
  if (process.waiting !== undefined) {
    if (!isSatisfied(state, process, process.waiting)) {
      process.status = 'waiting';
      return;
    }
    unblock(state, process);
  }
  if (process.stalledUntil !== undefined && stall(state, process, process.stalledUntil)) return;
  process.isInterrupted = undefined;
  const { rounds } = state;
  rounds?.beginTurn(state, process);
  const wait = runStep(state, process);
  rounds?.endTurn(state, process, wait);
  account(state, process, container);
  if (obeyFatal(state, process) || wait === undefined) return;
  goOn(state, process, wait);
  if (process.pending.length > 0) makeReady(state, process);
  else if (wait.type === 'yield' && state.ready.length === 1) rounds?.atHead(state, process, state.horizon);
}

/** Its calls take longer than its step did: it goes on, or exits, when they are over. True: it does not go on now. */
function stall(state: State, process: Process, until: Millis): boolean {
  if (until > state.now) {
    block(state, process, { until });
    return true;
  }
  process.stalledUntil = undefined;
  if (process.exitsWith === undefined) return false;
  endProcess(state, process, process.exitsWith);
  return true;
}

function exit(state: State, process: Process, code: number): void {
  if (process.stalledUntil === undefined || process.stalledUntil <= state.now) return endProcess(state, process, code);
  process.exitsWith = code;
  block(state, process, { until: process.stalledUntil });
}

function park(state: State, container: Container, process: Process): void {
  if (container.parked.length === 0) {
    state.timers.add({ at: container.cpu.throttledUntil, kind: 'container', id: container.id });
  }
  container.parked.push(process.id);
  parkMore(state, container);
}

/** Those who come next and may not run either: a thousand processes share what little time there is. */
function parkMore(state: State, container: Container): void {
  let count = 0;
  for (const id of state.ready) {
    const process = state.processes.get(id);
    if (process === undefined || process.container !== container.id) break;
    if (process.status !== 'ready' || process.pending.length > 0) break;
    count++;
  }
  if (count > 0) container.parked.push(...state.ready.splice(0, count));
}

/** Carries out what was sent to the process; true: it has ended or is stopped. */
function obeySignals(state: State, process: Process): boolean {
  if (obeyFatal(state, process)) return true;
  const stop = process.pending[0];
  if (stop === undefined) return false;
  process.pending = [];
  stopProcess(state, process, stop);
  return true;
}

function obeyFatal(state: State, process: Process): boolean {
  const fatal = process.pending.find((signal) => !isStopping(signal));
  if (fatal !== undefined) endProcess(state, process, codeOfSignal(fatal), fatal);
  return process.status === 'zombie';
}

/** Undefined: the step has ended the process. */
function runStep(state: State, process: Process): Wait | undefined {
  const program = state.programs.find(process.program);
  const calls = state.rounds?.callsOf(state, process) ?? new ProcessCalls(state, process);
  state.current = process;
  state.charged = STEP_COST;
  try {
    if (program === undefined) throw new SystemError('ENOEXEC');
    if (process.state === undefined) process.state = program.start(process.argv, calls);
    return program.step(process.state, calls);
  } catch (error) {
    if (!(error instanceof Killed)) crash(state, process, error);
    return undefined;
  } finally {
    state.current = undefined;
  }
}

/** What JavaScript says of a string that is too long: the program has used up its memory. */
const OUT_OF_MEMORY = 'Invalid string length';

/** A program that fails in a way that it does not know of is aborted. */
function crash(state: State, process: Process, error: unknown): void {
  const container = state.containers.get(process.container);
  if (error instanceof RangeError && error.message === OUT_OF_MEMORY && container !== undefined) {
    return killForMemory(state, container);
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (state.faults.length < MAX_FAULTS) state.faults.push(`${process.program} (${process.argv.join(' ')}): ${text}`);
  const open = state.descriptions.get(process.descriptors[2] ?? -1);
  const message = error instanceof SystemError ? error.message : 'internal error';
  try {
    if (open !== undefined) writeDescription(state, process, open, `${process.name}: ${message}\nAborted\n`);
  } catch (failure) {
    if (!(failure instanceof SystemError) && !(failure instanceof Killed)) throw failure;
  }
  endProcess(state, process, codeOfSignal('ABRT'), 'ABRT');
}

/** The step's work becomes time: the machine's, the process' and the container's. */
function account(state: State, process: Process, container: Container | undefined): void {
  const steps = state.charged;
  state.budget -= steps;
  if (Math.floor(process.cpu / MEASURED_STEPS) !== Math.floor((process.cpu + steps) / MEASURED_STEPS)) {
    measure(state, process);
  }
  process.cpu += steps;
  state.steps += steps;
  if (state.steps >= STEPS_PER_MS) {
    state.now += Math.floor(state.steps / STEPS_PER_MS);
    state.steps %= STEPS_PER_MS;
  }
  if (container === undefined) return;
  chargeCpu(container, steps, state.now);
  if (!state.isMemoryChanged) return;
  state.isMemoryChanged = false;
  state.budget -= state.processes.size;
  enforceMemory(state, container);
}

/** A program whose state grows without its saying so takes memory all the same. */
function measure(state: State, process: Process): void {
  const before = process.held;
  process.held = sizeOfPlain(process.state);
  if (process.held > before + MEBIBYTE) state.isMemoryChanged = true;
}

function goOn(state: State, process: Process, wait: Wait): void {
  if (process.isReplaced) {
    process.isReplaced = undefined;
    process.state = undefined;
    state.ready.push(process.id);
  } else if (wait.type === 'exit') exit(state, process, wait.code & 255);
  else if (wait.type === 'wait') {
    const { readable, writable, until, child } = wait;
    block(state, process, { readable, writable, until, child });
    if (isSatisfied(state, process, process.waiting!)) makeReady(state, process);
  } else state.ready.push(process.id);
}
