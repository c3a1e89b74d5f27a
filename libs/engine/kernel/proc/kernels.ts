import { hash32 } from '../../machinery/random.js';
import { SystemError } from '../errno.js';
import type { State } from '../state.js';
import { KERNEL_RELEASE, KERNEL_VERSION, linuxLog } from './system.js';

/** What a process sees of the kernel that answers it. */
export interface KernelFacts {
  /** uname -r. */
  readonly release: string;
  /** uname -v. */
  readonly version: string;
  /** /proc/version, without its newline. */
  readonly banner: string;
}

/** A line of the kernel's log: seconds since its start, and what it says. */
export interface KernelMessage {
  readonly at: number;
  readonly text: string;
}

export const LINUX: KernelFacts = {
  release: KERNEL_RELEASE,
  version: KERNEL_VERSION,
  banner: `Linux version ${KERNEL_RELEASE} (debian-kernel@lists.debian.org) (gcc-12 12.2.0) ${KERNEL_VERSION}`,
};

const GVISOR_RELEASE = '4.19.0-gvisor';
const GVISOR_VERSION = '#1 SMP Sun Jan 10 15:06:54 PST 2016';
/** Models gVisor's pkg/sentry/kernel/version.go. */
const GVISOR: KernelFacts = {
  release: GVISOR_RELEASE,
  version: GVISOR_VERSION,
  banner: `Linux version ${GVISOR_RELEASE} ${GVISOR_VERSION}`,
};

/** Kernels that a container may have instead of the node's. */
export type KernelName = 'gvisor';

export const kernelOf = (state: State, container: string): KernelFacts =>
  state.containers.get(container)?.kernel === 'gvisor' ? GVISOR : LINUX;

/** syslog(2) of a container: the node's kernel tells who has CAP_SYSLOG. Throws EPERM. */
export function kernelLogOf(state: State, container: string, maySyslog: boolean): readonly KernelMessage[] {
  if (state.containers.get(container)?.kernel === 'gvisor') return gvisorLog(state, container);
  if (!maySyslog) throw new SystemError('EPERM');
  return linuxLog();
}

/** What gVisor jokes about while it starts: some of them, in an order that is each sandbox's own. */
const JOKES = [
  'Synthesizing system calls...',
  'Checking naughty and nice process list...',
  'Granting licence to kill(2)...',
  'Digging up root...',
  'Mounting deweydecimalfs...',
  'Committing treasure map to memory...',
  'Generating random numbers by fair dice roll...',
  'Creating process schedule...',
  'Creating bureaucratic processes...',
  'Forking spaghetti code...',
  'Searching for socket adapter...',
  'Preparing for the zombie uprising...',
  'Reading process obituaries...',
  'Constructing home...',
  'Gathering forks...',
  'Waiting for children...',
  'Letting the watchdogs out...',
  'Consulting tar man page...',
];
const SHOWN = 10;

/** Models pkg/sentry/kernel/syslog.go. */
function gvisorLog(state: State, container: string): KernelMessage[] {
  const order = JOKES.map((text) => ({ text, rank: hash32(`${container}/${text}`, state.seed) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SHOWN);
  let at = 0;
  const wait = (text: string): number => (at += 0.1 + (hash32(text, state.seed) % 400_000) / 1_000_000);
  return [
    { at: 0, text: 'Starting gVisor...' },
    ...order.map(({ text }) => ({ at: wait(`${container}/${text}`), text })),
    { at: wait(container), text: 'Setting up VFS...' },
    { at: at + 0.3, text: 'Setting up FUSE...' },
    { at: at + 0.6, text: 'Ready!' },
  ];
}
