import { textOf } from '../bytes.js';
import type { Container } from '../container-state.js';
import { FileTree } from '../files/tree.js';
import type { Process } from '../process/process.js';
import type { ProcessInfo } from '../process/syscalls.js';
import type { State } from '../state.js';
import type { HostProcess } from './host.js';

/** Of the list that is read. */
const MAX_LIST_BYTES = 1 << 20;
/** TASK_COMM_LEN without its end. */
const MAX_NAME = 15;

/** What runs on the container's host beside its machine. */
export function hostProcessesOf(state: State, container: Container): readonly HostProcess[] {
  const { host } = container;
  const disk = host && state.trees.get(host.tree);
  if (!host || !(disk instanceof FileTree)) return [];
  const own = [...state.containers.keys()];
  const isOwn = (id: string): boolean => own.some((one) => one === id || one.endsWith(`/${id}`));
  return readList(disk, host.list).filter((one) => one.container === undefined || !isOwn(one.container));
}

/** The parent that the first process of a container has on its host: 0 when the host does not list it. */
export function hostParentOf(state: State, container: Container): number {
  const { host, id } = container;
  const disk = host && state.trees.get(host.tree);
  if (!host || !(disk instanceof FileTree)) return 0;
  return readList(disk, host.list).find((one) => one.container && id.endsWith(one.container))?.parent ?? 0;
}

function readList(disk: FileTree, path: string): readonly HostProcess[] {
  let key: string | undefined = disk.root;
  for (const name of path.split('/').filter(Boolean)) key = key === undefined ? undefined : disk.find(key, name);
  if (key === undefined || disk.node(key)?.type !== 'file') return [];
  const text = textOf(disk.read(key, 0, MAX_LIST_BYTES));
  return (JSON.parse(text || '{}') as { readonly processes?: readonly HostProcess[] }).processes ?? [];
}

/** Whether a process sees those of its host: it is in their namespace, or has gone to where their /proc is. */
export function seesHost(container: Container | undefined, process: Pick<Process, 'root'>): container is Container {
  if (!container?.host) return false;
  return container.host.pid !== undefined || (container.systemRoots ?? []).includes(process.root ?? '');
}

/** Whether a process of a container is none that its host has, or another there has its number. */
export const isHiddenMain = (container: Container, process: Pick<Process, 'id'>): boolean =>
  container.main === process.id && (container.host?.hidesMain === true || container.host?.pid === undefined);

export const describeHostProcess = ({ pid, parent, user, argv, startedAt, memory }: HostProcess): ProcessInfo => ({
  ...{ pid, parent, group: pid, session: pid, user, groupId: user, terminal: '', state: 'S', argv },
  ...{ name: nameOf(argv[0] ?? ''), startedAt, cpu: 0, memory, isForeground: false },
});

/** /proc/PID/comm. */
const nameOf = (path: string): string =>
  (path === '/sbin/init' ? 'systemd' : path.slice(path.lastIndexOf('/') + 1)).slice(0, MAX_NAME);
