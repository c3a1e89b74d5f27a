import type { Bytes } from '../bytes.js';
import type { Container } from '../container-state.js';
import { ComputedTree, type Entry } from '../files/computed.js';
import { stressorsOf } from '../cgroup/stressors.js';
import type { Process } from '../process/process.js';
import { findByPid } from '../process/table.js';
import type { State } from '../state.js';
import { processEntry } from './pid.js';
import { hostProcessEntry } from '../host/proc.js';
import { hostProcessesOf, isHiddenMain, seesHost } from '../host/processes.js';
import { networkEntry } from './net.js';
import { parameterEntry } from './parameters.js';
import { kernelOf } from './kernels.js';
import { SYSTEM_FILES } from './system.js';

/** /proc as the processes of a container see it. `root`: of which system it is, '' the container's own. */
export function makeProcTree(state: State, container: string, root: Bytes): ComputedTree {
  const id = root === '' ? `proc:${container}` : `proc:${container}:${root}`;
  return new ComputedTree(id, state.bootedAt, (path) => entryAt(state, container, root, path));
}

function entryAt(state: State, container: string, root: Bytes, path: Bytes): Entry | undefined {
  const [, first = '', ...others] = path.split('/');
  const rest = others.join('/');
  if (first === '') return { type: 'directory', names: () => [...pidsOf(state, container, root), ...ROOT_NAMES] };
  if (/^\d+$/.test(first)) {
    const process = findProcess(state, container, root, Number(first));
    if (process === undefined) return findHostEntry(state, container, root, Number(first), rest);
    return others[0] === 'net' ? networkEntry(state, others.slice(1)) : processEntry(state, process, rest);
  }
  if (first === 'sys') return parameterEntry(state, others);
  if (first === 'net') return { type: 'link', target: 'self/net' };
  if (rest !== '') return undefined;
  if (first === 'self' || first === 'thread-self') return { type: 'link', target: String(state.current?.pid ?? 1) };
  if (first === 'mounts') return { type: 'link', target: 'self/mounts' };
  if (first === 'version') return { type: 'file', content: () => `${kernelOf(state, container).banner}\n` };
  const content = SYSTEM_FILES[first];
  return content === undefined ? undefined : { type: 'file', content: () => content(state, container) };
}

const ROOT_NAMES = ['mounts', 'net', 'self', 'sys', 'thread-self', 'version', ...Object.keys(SYSTEM_FILES)];

const namespaceOfContainer = (state: State, container: string): string =>
  state.containers.get(container)?.namespace ?? container;

function findProcess(state: State, container: string, root: Bytes, pid: number): Process | undefined {
  const namespace = namespaceOfContainer(state, container);
  const process = findByPid(state, namespace, pid) ?? stressorsOf(state, namespace).find((one) => one.pid === pid);
  const seeing = hostSeenAt(state, container, root);
  return process && seeing && isHiddenMain(seeing, process) ? undefined : process;
}

/** The container, where a /proc of it shows its host's processes, too. */
function hostSeenAt(state: State, id: string, root: Bytes): Container | undefined {
  const container = state.containers.get(id);
  return seesHost(container, { root }) ? container : undefined;
}

function findHostEntry(state: State, id: string, root: Bytes, pid: number, rest: Bytes): Entry | undefined {
  const container = hostSeenAt(state, id, root);
  const process = container && hostProcessesOf(state, container).find((one) => one.pid === pid);
  return process && hostProcessEntry(state, container, process, rest);
}

function pidsOf(state: State, id: string, root: Bytes): string[] {
  const namespace = namespaceOfContainer(state, id);
  const stressors = stressorsOf(state, namespace).map(({ pid }) => pid);
  const own = [...(state.namespaces.get(namespace)?.pids.keys() ?? []), ...stressors];
  const container = hostSeenAt(state, id, root);
  if (!container) return own.map(String);
  const shown = own.filter((pid) => findProcess(state, id, root, pid));
  return [...new Set([...shown, ...hostProcessesOf(state, container).map(({ pid }) => pid)])].map(String);
}
