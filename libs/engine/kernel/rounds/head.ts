import type { Bytes } from '../bytes.js';
import { copyPlain } from '../copy.js';
import { FileTree } from '../files/tree.js';
import type { Plain } from '../process/program.js';
import type { Process } from '../process/process.js';
import type { Counters, State } from '../state.js';

/** What sessions and pipes may hold of a machine whose rounds are looked for. */
const MAX_HELD = 64 * 1024;
const MAX_PROCESSES = 16;
/** What the program that goes round may hold: its state is copied and compared at each head. */
const MAX_STATE = 1024 * 1024;

/** A number in a program's state that grows by the same in each round, and that nothing but a listing shows. */
export interface Tally {
  readonly path: readonly string[];
  readonly step: number;
}

/** A machine at the beginning of a round, but for what is not seen in the round: the time, pids, accounts, the log. */
export interface Head {
  /** The state of the program that goes round. */
  readonly program: Plain;
  readonly main: Plain;
  readonly others: string;
  readonly mutations: number;
  readonly counters: Counters;
  readonly nextPid: number;
}

/** Undefined: there is too much to be compared, or someone looks on. */
export function headOf(state: State, main: Process): Head | undefined {
  if (state.processes.size > MAX_PROCESSES || state.remotes.size > 0 || main.held > MAX_STATE) return undefined;
  let held = 0;
  for (const { stdout, stderr, type, isHungUp } of state.sessions.values()) {
    if (type === 'attach' && !isHungUp) return undefined;
    held += stdout.data.length + stderr.data.length;
  }
  for (const pipe of state.pipes.values()) held += pipe.data.length;
  if (held > MAX_HELD) return undefined;
  return {
    program: copyPlain(main.state!),
    main: fieldsOf(main),
    others: describeOthers(state, main),
    mutations: countMutations(state),
    counters: { ...state.counters },
    nextPid: state.namespaces.get(main.namespace)!.nextPid,
  };
}

function fieldsOf({ state: _program, cpu: _cpu, held: _held, ...fields }: Process): Plain {
  return copyPlain(fields as unknown as Plain);
}

function describeOthers(state: State, main: Process): string {
  const { socket, session, terminal, port } = state.counters;
  const containers = [...state.containers.values()].map(({ cpu: _cpu, memoryPeak: _peak, log, ...fields }) => [
    fields,
    log.pending,
  ]);
  return JSON.stringify([
    [socket, session, terminal, port],
    containers,
    ...[state.descriptions, state.pipes, state.terminals, state.sockets, state.sessions].map((table) => [
      ...(table as ReadonlyMap<unknown, unknown>).values(),
    ]),
    [...state.processes.values()].filter((process) => process !== main),
    [...state.namespaces.values()].map(({ id, pids }) => [id, ...pids]),
    [...state.parameters],
  ]);
}

/** How often files were changed, but for those of logs. */
function countMutations(state: State): number {
  const logs = new Set([...state.containers.values()].map(({ log }) => log.tree));
  let count = 0;
  for (const tree of state.trees.values()) if (tree instanceof FileTree && !logs.has(tree.id)) count += tree.mutations;
  return count;
}

/** What a program has counted from one head to the other; undefined: they are not the same. */
export function compareHeads(
  before: Head,
  after: Head,
  isTally: (path: readonly string[]) => boolean = () => false,
  texts: readonly (readonly string[])[] = [],
): readonly Tally[] | undefined {
  if (before.mutations !== after.mutations || before.others !== after.others) return undefined;
  const tallies: Tally[] = [];
  const known = new Set(texts.map((path) => path.join('\0')));
  const isSame = comparePlain(before.program, after.program, [], (path, a, b) => {
    if (typeof a !== 'number' || typeof b !== 'number') return typeof a === typeof b && known.has(path.join('\0'));
    tallies.push({ path: [...path], step: b - a });
    return isTally(path);
  });
  return isSame && comparePlain(before.main, after.main, [], () => false) ? tallies : undefined;
}

type OnDifference = (path: readonly string[], a: number | string, b: number | string) => boolean;

/** A deep comparison. `onDifference` is asked whether two numbers or two texts may differ. */
function comparePlain(a: Plain | undefined, b: Plain | undefined, path: string[], onDifference: OnDifference): boolean {
  if (a === b) return true;
  if (isScalar(a) && isScalar(b)) return onDifference(path, a, b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, Plain>, b as Record<string, Plain>];
  const [keys, others] = [Object.keys(left), Object.keys(right)];
  if (keys.length !== others.length) return false;
  for (const [i, key] of keys.entries()) {
    if (others[i] !== key && !Object.hasOwn(right, key)) return false;
    path.push(key);
    const isSame = comparePlain(left[key], right[key], path, onDifference);
    path.pop();
    if (!isSame) return false;
  }
  return true;
}

const isScalar = (value: Plain | undefined): value is number | string =>
  typeof value === 'number' || typeof value === 'string';

function placeOf(program: Plain, path: readonly string[]): [place: Record<string, Plain>, key: string] {
  let place = program as Record<string, Plain>;
  for (const key of path.slice(0, -1)) place = place[key] as Record<string, Plain>;
  return [place, path.at(-1)!];
}

/** Counts further. */
export function addTallies(program: Plain, tallies: readonly Tally[], rounds: number): void {
  for (const { path, step } of tallies) {
    const [place, key] = placeOf(program, path);
    place[key] = (place[key] as number) + step * rounds;
  }
}

export function readTexts(program: Plain, paths: readonly (readonly string[])[]): Bytes[] {
  return paths.map((path) => {
    const [place, key] = placeOf(program, path);
    return place[key] as Bytes;
  });
}

export function writeTexts(program: Plain, paths: readonly (readonly string[])[], texts: readonly Bytes[]): void {
  for (const [i, path] of paths.entries()) {
    const [place, key] = placeOf(program, path);
    place[key] = texts[i]!;
  }
}

export const isSameTallies = (a: readonly Tally[], b: readonly Tally[]): boolean =>
  a.length === b.length &&
  a.every(({ path, step }, i) => step === b[i]!.step && path.join('\0') === b[i]!.path.join('\0'));
