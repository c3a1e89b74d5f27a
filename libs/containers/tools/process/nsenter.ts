import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { HOST_ROOT } from '../../../engine/kernel/host/host.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../accounts.js';
import { type Options, parseOptions, quoteName } from '../framework/options.js';
import { defineTool, ToolFailure } from '../framework/tool.js';
import { runInstead } from './run-instead.js';

/** Options by the names of the namespaces, in the order in which util-linux enters them but for the first. */
const NAMESPACES = [
  ...[['m', 'mnt'] as const, ['u', 'uts'] as const, ['i', 'ipc'] as const, ['n', 'net'] as const],
  ...[['p', 'pid'] as const, ['C', 'cgroup'] as const, ['U', 'user'] as const, ['T', 'time'] as const],
];
type Namespace = (typeof NAMESPACES)[number][1];

const OPTIONS = [
  ...['a,all', 't,target:', 'm,mount::', 'u,uts::', 'i,ipc::', 'n,net::', 'p,pid::', 'C,cgroup::', 'U,user::'],
  ...['T,time::', 'S,setuid:', 'G,setgid:', 'r,root::', 'w,wd::', 'F,no-fork', 'Z,follow-context'],
];
/** A namespace by its file: `--mount=/proc/1/ns/mnt`. */
const FILE = /^\/proc\/(\d+)\/ns\/\w+$/;

/**
 * Runs a program with the files of another process: of one of its pod, or, where the pod is in the PID namespace of its
 * node (hostPID), of the node. Other namespaces are the pod's own, or its node's where the pod is in it.
 */
export const nsenter = defineTool((tool) => {
  const { sys } = tool;
  const options = parseOptions(tool, OPTIONS, true);
  const target = targetOf(options);
  const wanted = NAMESPACES.filter(([key]) => options.has(key) || options.has('a')).map(([, name]) => name);
  const first = wanted[0] ?? 'mnt';
  if (!sys.processes().some(({ pid }) => String(pid) === target))
    throw new ToolFailure(`cannot open /proc/${target}/ns/${first}: No such file or directory`);
  if (wanted.length > 0) enter(sys, target, wanted, first);
  else if (options.has('r')) changeRoot(sys, `/proc/${target}/root`, `chroot failed`);
  const words = options.operands.length > 0 ? options.operands : [sys.env['SHELL'] ?? '/bin/sh'];
  return runInstead(tool, words);
});

/** The pid of `-t`, or of a namespace's file. Throws ToolFailure. */
function targetOf(options: Options): Bytes {
  const named = options.value('t');
  const files = NAMESPACES.map(([key]) => options.value(key)).filter((path) => path !== undefined && path !== '');
  const target = named ?? files.map((path) => FILE.exec(path!)?.[1]).find((pid) => pid !== undefined);
  if (target === undefined && files[0]) throw new ToolFailure(`cannot open ${files[0]}: No such file or directory`);
  if (target === undefined) throw new ToolFailure('no target PID specified');
  if (!/^\d+$/.test(target)) throw new ToolFailure(`failed to parse pid: ${quoteName(target)}: Invalid argument`);
  return target;
}

function enter(sys: Syscalls, target: Bytes, wanted: readonly Namespace[], first: Namespace): void {
  const refuse = (name: Namespace): ToolFailure =>
    new ToolFailure(`reassociate to namespace 'ns/${name}' failed: Operation not permitted`);
  if (!sys.hasCapability('SYS_ADMIN')) throw refuse(first);
  const isOwn = sys.access(`/proc/${target}/environ`, '');
  if (!isOwn && !isOfNode(sys, target))
    throw new ToolFailure(`entering namespaces of a container of another pod is not simulated: use crictl exec`);
  if (!isOwn && wanted.includes('net') && !isInNodeNetwork(sys))
    throw new ToolFailure(`entering the node's network from a pod without hostNetwork is not simulated`);
  if (wanted.includes('mnt')) changeRoot(sys, isOwn ? `/proc/${target}/root` : HOST_ROOT, refuse('mnt').message);
}

const isOfNode = (sys: Syscalls, target: Bytes): boolean =>
  readLink(sys, `/proc/${target}/ns/mnt`) === readLink(sys, '/proc/1/ns/mnt');

function readLink(sys: Syscalls, path: string): Bytes | undefined {
  try {
    return sys.readLink(path);
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}

/** Pods in their node's network have its host name. */
function isInNodeNetwork(sys: Syscalls): boolean {
  const file = `${HOST_ROOT}/etc/hostname`;
  return sys.access(file, 'r') && readSmallFile(sys, file).trim() === sys.hostname;
}

function changeRoot(sys: Syscalls, path: Bytes, failure: string): void {
  try {
    sys.chroot(path);
    sys.chdir('/');
  } catch (error) {
    if (error instanceof SystemError) throw new ToolFailure(failure);
    throw error;
  }
}
