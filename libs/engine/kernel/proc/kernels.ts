import { hash32 } from '../../machinery/random.js';
import { SystemError } from '../errno.js';
import type { State } from '../state.js';
import { BOOT_LOG, GVISOR, type KernelFacts, type KernelMessage, LINUX } from './kernel-facts.js';

export const kernelOf = (state: State, container: string): KernelFacts =>
  state.containers.get(container)?.kernel === 'gvisor' ? GVISOR : LINUX;

/** syslog(2) of a container: the node's kernel tells who has CAP_SYSLOG. Throws EPERM. */
export function kernelLogOf(state: State, container: string, maySyslog: boolean): readonly KernelMessage[] {
  if (state.containers.get(container)?.kernel === 'gvisor') return gvisorLog(state, container);
  if (!maySyslog) throw new SystemError('EPERM');
  const { cpus, memory } = state.hardware();
  const total = Math.floor(memory / 1024);
  return BOOT_LOG.map(({ at, text }) => ({
    at,
    text: text
      .replace('Allowing 2 CPUs', `Allowing ${Math.max(1, Math.floor(cpus))} CPUs`)
      .replace('8149712K/8388216K', `${Math.floor(total * 0.97)}K/${total}K`),
  }));
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
