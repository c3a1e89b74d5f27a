import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { HOST_ROOT } from '../../../engine/kernel/host/host.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../accounts.js';
import { type Options, parseOptions, quoteName } from '../framework/options.js';
import { defineTool, ToolFailure } from '../framework/tool.js';
import { processOfNode } from './node-processes.js';
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
/** A namespace by its file: `--mount=/proc/1/ns/mnt`, `--net=/var/run/netns/cni-…`. */
const FILE = /^\/proc\/(\d+)\/ns\/\w+$/;
const NAMED = /^(?:\/var)?\/run\/netns\/([^/]+)$/;

/**
 * Runs a program with the files and the network of another process: of one of its pod, or, where the pod is in the PID
 * namespace of its node (hostPID), of the node; with the network alone of any process there. Host name, IPC and users
 * stay those of the pod.
 */
export const nsenter = defineTool((tool) => {
  const { sys } = tool;
  const options = parseOptions(tool, OPTIONS, true);
  const words = options.operands.length > 0 ? options.operands : [sys.env['SHELL'] ?? '/bin/sh'];
  const named = options.value('n') ?? '';
  if (NAMED.test(named)) {
    enterNamed(sys, named);
    return runInstead(tool, words);
  }
  const target = targetOf(options);
  const wanted = NAMESPACES.filter(([key]) => options.has(key) || options.has('a')).map(([, name]) => name);
  const first = wanted[0] ?? 'mnt';
  if (!sys.processes().some(({ pid }) => String(pid) === target))
    throw new ToolFailure(`cannot open /proc/${target}/ns/${first}: No such file or directory`);
  if (wanted.length > 0) enter(sys, target, wanted, first);
  else if (options.has('r')) changeRoot(sys, `/proc/${target}/root`, `chroot failed`);
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
  if (!isOwn && wanted.includes('mnt') && !isOfNode(sys, target))
    throw new ToolFailure(`entering the files of a container of another pod is not simulated: use crictl exec`);
  if (!isOwn && wanted.includes('net')) enterNetwork(sys, `pid:${target}`, refuse('net').message);
  // Who has the node's files already stays where it is.
  const isThere = isOwn ? hasSameMounts(sys, target) : processOfNode(sys, 1) !== undefined;
  if (!wanted.includes('mnt') || isThere) return;
  changeRoot(sys, isOwn ? `/proc/${target}/root` : HOST_ROOT, refuse('mnt').message);
}

/** Processes of one container: there is nowhere to go. */
const hasSameMounts = (sys: Syscalls, target: Bytes): boolean =>
  readSmallFile(sys, `/proc/${target}/mountinfo`) === readSmallFile(sys, '/proc/self/mountinfo');

/** `--net=FILE`: a namespace that containerd has made for a pod. */
function enterNamed(sys: Syscalls, path: Bytes): void {
  if (!sys.access(path, '')) throw new ToolFailure(`cannot open ${path}: No such file or directory`);
  enterNetwork(sys, NAMED.exec(path)?.[1] ?? '', `reassociate to namespace 'ns/net' failed: Operation not permitted`);
}

function enterNetwork(sys: Syscalls, name: string, failure: string): void {
  try {
    sys.enterNetwork(name);
  } catch (error) {
    if (error instanceof SystemError) throw new ToolFailure(failure);
    throw error;
  }
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

function changeRoot(sys: Syscalls, path: Bytes, failure: string): void {
  try {
    sys.chroot(path);
    sys.chdir('/');
  } catch (error) {
    if (error instanceof SystemError) throw new ToolFailure(failure);
    throw error;
  }
}
