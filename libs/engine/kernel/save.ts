import { mountAll, ownTreeIds } from './containers/mounts.js';
import { copyPlain } from './copy.js';
import type { Plain } from './process/program.js';
import { FileTree, type FileRow } from './files/tree.js';
import { addProcess, namespaceOf } from './process/table.js';
import type { SavedMachine } from './saved.js';
import { listen } from './scheduler/waits.js';
import type { State } from './state.js';

/** Plain data has no undefined fields: JSON leaves them out, and so does the copy. */
const copy = <T>(value: T): T => copyPlain(value as Plain) as T;

const copies = <T>(values: Iterable<T>): T[] => [...values].map(copy);

/** The machine written down: it stays as it is while the machine goes on. */
export const saveState = (state: State): SavedMachine => copy(viewState(state));

/** What saveState copies: to be read at once, since it changes as the machine goes on. */
export function viewState(state: State): SavedMachine {
  return {
    version: 1,
    now: state.now,
    steps: state.steps,
    counters: state.counters,
    processes: [...state.processes.values()],
    namespaces: Object.fromEntries([...state.namespaces].map(([id, { nextPid }]) => [id, nextPid])),
    containers: [...state.containers.values()],
    descriptions: [...state.descriptions.values()],
    pipes: [...state.pipes.values()],
    terminals: [...state.terminals.values()],
    sockets: [...state.sockets.values()],
    sessions: [...state.sessions.values()],
    parameters: Object.fromEntries(state.parameters),
    ...(state.visits.size > 0 ? { visits: Object.fromEntries(state.visits) } : {}),
    ...(state.tracks.size > 0 ? { tracks: Object.fromEntries(state.tracks) } : {}),
    ...(state.questions.length > 0 ? { questions: state.questions } : {}),
    ready: state.ready,
    trees: viewTrees(state),
    orphans: findOrphans(state),
  };
}

function viewTrees(state: State): Record<string, FileRow[]> {
  const saved: Record<string, FileRow[]> = {};
  for (const container of state.containers.keys()) {
    for (const id of ownTreeIds(container)) {
      const tree = state.trees.get(id);
      const rows = tree instanceof FileTree ? tree.rows() : [];
      if (rows.length > 0) saved[id] = rows;
    }
  }
  return saved;
}

function findOrphans(state: State): SavedMachine['orphans'] {
  const orphans = [];
  for (const open of state.descriptions.values()) {
    if (open.type !== 'file') continue;
    const tree = state.trees.get(open.tree);
    const node = tree instanceof FileTree ? tree.orphan(open.key) : undefined;
    if (node !== undefined) orphans.push({ tree: open.tree, key: open.key, node });
  }
  return orphans;
}

/** Fills the tables of a new state, and makes again what is not written down. */
export function restoreState(state: State, saved: SavedMachine, findTree: (id: string) => FileTree): void {
  state.now = saved.now;
  state.steps = saved.steps;
  Object.assign(state.counters, saved.counters);
  for (const one of copies(saved.descriptions)) state.descriptions.set(one.id, one);
  for (const one of copies(saved.pipes)) state.pipes.set(one.id, one);
  for (const one of copies(saved.terminals)) state.terminals.set(one.id, one);
  for (const one of copies(saved.sessions)) state.sessions.set(one.id, one);
  for (const [name, value] of Object.entries(saved.parameters)) state.parameters.set(name, value);
  for (const [list, at] of Object.entries(saved.visits ?? {})) state.visits.set(list, at);
  for (const one of copies(Object.values(saved.tracks ?? {}))) state.tracks.set(one.id, one);
  state.questions = copies(saved.questions ?? []);
  for (const one of copies(saved.sockets)) {
    state.sockets.set(one.id, one);
    if (one.protocol === 'packet') state.captures++;
    if (one.settlesAt !== undefined) state.timers.add({ at: one.settlesAt, kind: 'socket', id: one.id });
  }
  restoreContainers(state, saved, findTree);
  restoreFiles(state, saved);
  restoreProcesses(state, saved);
}

function restoreContainers(state: State, saved: SavedMachine, findTree: (id: string) => FileTree): void {
  for (const container of copies(saved.containers)) {
    state.containers.set(container.id, container);
    const onHost = container.host ? [container.host.tree] : [];
    const given = [container.root, container.log.tree, ...container.mounts.map((mount) => mount.tree), ...onHost];
    const own = ownTreeIds(container.id);
    for (const id of given) if (!state.trees.has(id) && !own.includes(id)) state.trees.set(id, findTree(id));
    mountAll(state, container);
    if (container.parked.length > 0) {
      state.timers.add({ at: container.cpu.throttledUntil, kind: 'container', id: container.id });
    }
  }
}

function restoreFiles(state: State, saved: SavedMachine): void {
  for (const [id, rows] of Object.entries(saved.trees)) {
    const tree = state.trees.get(id);
    if (tree instanceof FileTree) tree.restore(rows);
  }
  for (const { tree, key, node } of saved.orphans) (state.trees.get(tree) as FileTree).adoptOrphan(key, node);
  for (const open of state.descriptions.values()) {
    const tree = open.type === 'file' ? state.trees.get(open.tree) : undefined;
    if (open.type === 'file' && tree instanceof FileTree) tree.hold(open.key);
  }
}

function restoreProcesses(state: State, saved: SavedMachine): void {
  for (const [id, nextPid] of Object.entries(saved.namespaces)) namespaceOf(state, id).nextPid = nextPid;
  for (const process of copies(saved.processes)) {
    addProcess(state, process);
    if (process.waiting !== undefined) listen(state, process, process.waiting);
  }
  state.ready = [...saved.ready];
}
