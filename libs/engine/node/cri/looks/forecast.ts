import type { ContainerExit, ListeningPort } from '../../../kernel/container.js';
import { FileTree } from '../../../kernel/files/tree.js';
import type { Machine } from '../../../kernel/machine.js';
import { HOUR, SECOND, type Millis } from '../../../machinery/time/time.js';
import { hasSharedChanges } from './shared-writes.js';

/** So often a copy of a machine goes on before its course counts as not known any further. */
const MAX_WAKES = 64;
/** So far ahead a machine is run that goes round. */
const ROUNDS_AHEAD = HOUR;
/** What holds or has written less, or has fewer files and processes, does not make a node run short. */
const HEAVY_BYTES = 64 * 1024 * 1024;
const HEAVY_INODES = 10_000;
const HEAVY_PROCESSES = 500;

/** What will become of one container if nothing acts on its machine. */
export interface Forecast {
  readonly exit?: ContainerExit;
  /** Ports, and since when it listens on them; the last entry holds until `knownUntil`. */
  readonly listening: readonly Listening[];
  /** The course is not known from here on; Infinity: nothing more happens by itself. */
  readonly knownUntil: Millis;
  /** From when on it uses so much that its node may run short of it. */
  readonly heavyAt?: Millis;
  /** When it first changes a tree that outlives its pod. */
  readonly wroteAt?: Millis;
}

export interface Listening {
  readonly at: Millis;
  readonly ports: readonly number[];
  /** Those of them that nobody but the pod itself gets to: at the loopback alone. */
  readonly local?: readonly number[];
}

/**
 * Runs a copy of a machine ahead until the container ends, nothing is left to do, or it takes too long. `stopAt`: a
 * time from which the course is not known, such as that of a call outside. `together`: when the machine itself, or one
 * that it is connected to, next goes on.
 */
export function forecast(copy: Machine, containerID: string, stopAt: () => Millis, together?: Millis): Forecast {
  const weight: Weight = {};
  const course = runAhead(copy, containerID, stopAt, weight, together);
  weigh(copy, containerID, weight);
  return { ...course, ...weight };
}

interface Weight {
  heavyAt?: Millis;
  wroteAt?: Millis;
}

function weigh(copy: Machine, containerID: string, weight: Weight): void {
  if (weight.heavyAt === undefined && isHeavy(copy, copy.container(containerID).memory)) weight.heavyAt = copy.now;
  if (weight.wroteAt === undefined && hasSharedChanges(copy)) weight.wroteAt = copy.now;
}

function isHeavy({ state }: Machine, memory: number): boolean {
  if (memory >= HEAVY_BYTES || state.processes.size >= HEAVY_PROCESSES) return true;
  let bytes = 0;
  let inodes = 0;
  for (const tree of state.trees.values()) {
    if (!(tree instanceof FileTree)) continue;
    bytes += tree.usedBytes();
    inodes += tree.usedInodes();
  }
  return bytes >= HEAVY_BYTES || inodes >= HEAVY_INODES;
}

function runAhead(
  copy: Machine,
  containerID: string,
  stopAt: () => Millis,
  weight: Weight,
  together: Millis | undefined,
): Forecast {
  const listening = listeningSoFar(copy, containerID);
  if (isConnected(copy)) {
    const { exit } = copy.container(containerID);
    return exit ? { exit, listening, knownUntil: Infinity } : { listening, knownUntil: soonest(copy, together) };
  }
  for (let i = 0; i < MAX_WAKES; i++) {
    const view = copy.container(containerID);
    weigh(copy, containerID, weight);
    if (view.exit) return { exit: view.exit, listening, knownUntil: Infinity };
    const wake = copy.nextWake();
    if (wake === undefined) return { listening, knownUntil: Infinity };
    const rounds = copy.goesRoundUntil();
    if (rounds?.isSure && rounds.until === Infinity) return { listening, knownUntil: Infinity };
    if (rounds && rounds.until > copy.now + ROUNDS_AHEAD) return goRound(copy, containerID, stopAt, listening);
    if (!copy.run(wake)) break;
    if (stopAt() <= copy.now) return { listening, knownUntil: stopAt() };
    const now = sample(copy, containerID);
    const before = listening.at(-1)!;
    if (!isSame(now, before)) listening.push(now.at > before.at ? now : { ...now, at: copy.now });
  }
  return { listening, knownUntil: copy.now + 1 };
}

/** Whether a process has a connection to another machine, which does not go on with the copy. */
function isConnected({ state }: Machine): boolean {
  for (const { peer } of state.sockets.values()) if (peer?.type === 'socket' && peer.machine !== state.id) return true;
  return false;
}

/** Beside a timer of its own or of the other side an answer may come at any time. */
function soonest(copy: Machine, wake: Millis | undefined): Millis {
  return wake === undefined ? Infinity : Math.max(copy.now + 1, Math.min(wake, copy.now + SECOND));
}

/** A loop that goes round costs little: an hour of it is looked at in one go. */
function goRound(copy: Machine, containerID: string, stopAt: () => Millis, before: readonly Listening[]): Forecast {
  const { now } = copy;
  const isRun = copy.run(now + ROUNDS_AHEAD);
  const after = sample(copy, containerID);
  const isAsBefore = isSame(after, before.at(-1)!);
  if (!isAsBefore || stopAt() <= copy.now) return { listening: before, knownUntil: now + 1 };
  const { exit } = copy.container(containerID);
  if (exit) return { exit, listening: before, knownUntil: Infinity };
  return { listening: before, knownUntil: isRun ? copy.now : now + 1 };
}

/** When a machine began to listen follows from itself, whoever looks, and when. */
function listeningSoFar(machine: Machine, containerID: string): Listening[] {
  const ports = portsOf(machine, containerID);
  const times = [...new Set(ports.map(({ since = machine.now }) => since))].sort((a, b) => a - b);
  const until = (at: Millis): Omit<Listening, 'at'> => {
    const open = ports.filter(({ since = machine.now }) => since <= at);
    const local = open.filter(({ isLocal }) => isLocal).map(({ port }) => port);
    return { ports: open.map(({ port }) => port), ...(local.length > 0 ? { local } : {}) };
  };
  return [{ at: 0, ports: [] }, ...times.map((at) => ({ at, ...until(at) }))];
}

/** The ports of now, and when the last of them was opened. */
function sample(machine: Machine, containerID: string): Listening {
  return listeningSoFar(machine, containerID).at(-1)!;
}

const portsOf = (machine: Machine, containerID: string): readonly ListeningPort[] =>
  machine.container(containerID).listening.filter(({ protocol }) => protocol === 'tcp');

const isSame = (a: Listening, b: Listening): boolean =>
  a.ports.length === b.ports.length && a.ports.every((port, i) => port === b.ports[i]);
