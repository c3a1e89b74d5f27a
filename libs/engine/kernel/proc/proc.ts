import type { Bytes } from '../bytes.js';
import { ComputedTree, type Entry } from '../files/computed.js';
import { stressorsOf } from '../cgroup/stressors.js';
import type { Process } from '../process/process.js';
import { findByPid } from '../process/table.js';
import type { State } from '../state.js';
import { processEntry } from './pid.js';
import { networkEntry } from './net.js';
import { parameterEntry } from './parameters.js';
import { kernelOf } from './kernels.js';
import { SYSTEM_FILES } from './system.js';

/** /proc as the processes of a container see it. */
export function makeProcTree(state: State, container: string): ComputedTree {
  return new ComputedTree(`proc:${container}`, state.bootedAt, (path) => entryAt(state, container, path));
}

function entryAt(state: State, container: string, path: Bytes): Entry | undefined {
  const [, first = '', ...others] = path.split('/');
  const rest = others.join('/');
  if (first === '') return { type: 'directory', names: [...pidsOf(state, container), ...ROOT_NAMES] };
  if (/^\d+$/.test(first)) {
    const namespace = namespaceOfContainer(state, container);
    const isMeant = ({ pid }: Process): boolean => pid === Number(first);
    const process = findByPid(state, namespace, Number(first)) ?? stressorsOf(state, namespace).find(isMeant);
    if (process === undefined) return undefined;
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

function pidsOf(state: State, container: string): string[] {
  const namespace = namespaceOfContainer(state, container);
  const stressors = stressorsOf(state, namespace).map(({ pid }) => pid);
  return [...(state.namespaces.get(namespace)?.pids.keys() ?? []), ...stressors].map(String);
}
