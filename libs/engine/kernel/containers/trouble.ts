import { hash32 } from '../../machinery/random.js';
import type { Bytes } from '../bytes.js';
import { settleStress } from '../cgroup/stress.js';
import type { Container } from '../container-state.js';
import { SystemError } from '../errno.js';
import type { FileStat } from '../files/file.js';
import type { MountPoint, MountTable } from '../files/mounts.js';
import type { Process } from '../process/process.js';
import { forgetRoots } from '../process/root.js';
import type { State } from '../state.js';
import type { MistakeTrouble, MountTrouble, Trouble } from '../trouble.js';

/** Sets what is wrong with a container; undefined: nothing is. */
export function setTrouble(state: State, container: Container, trouble: Trouble | undefined): void {
  settleStress(container, state.now);
  if (trouble === undefined) delete container.trouble;
  else container.trouble = trouble;
  const table = state.mounts.get(container.id);
  if (table === undefined) return;
  showTrouble(table, container);
  forgetRoots(state, container.id);
}

/** A mount table shows what is wrong, and no longer what was. */
export function showTrouble(table: MountTable, { trouble, mounts }: Pick<Container, 'trouble' | 'mounts'>): void {
  for (const [path, mount] of table) if (mount.sound !== undefined) table.set(path, mount.sound);
  for (const { path, state } of trouble?.mounts ?? []) {
    const mount = table.get(path);
    if (mount === undefined || state === undefined || !mounts.some((own) => own.path === path)) continue;
    table.set(path, spoilt(mount, state));
  }
}

const spoilt = (mount: MountPoint, state: NonNullable<MountTrouble['state']>): MountPoint =>
  state === 'full'
    ? { ...mount, isFull: true, sound: mount }
    : { ...mount, readOnly: true, options: ['ro', ...mount.options.slice(1)], sound: mount };

/** What of a file system is asked for; who only looks at names that the kernel knows meets no trouble. */
export type Asked = 'read' | 'write' | 'names';

/**
 * A call meets what is wrong with the mount that a path leads to: it takes longer, or fails. Without a chroot, paths of
 * a process are those of its container. Throws what the mount fails with, EROFS, and ENOSPC.
 */
export function meetTrouble(state: State, process: Process, path: Bytes, asked: Asked): void {
  for (const trouble of troublesAt(state, process, path)) meetOne(state, process, trouble, asked);
}

const NONE: readonly never[] = [];

function troublesAt(state: State, process: Process, path: Bytes): readonly MountTrouble[] {
  const mounts = state.containers.get(process.container)?.trouble?.mounts;
  if (mounts === undefined) return NONE;
  const whole = process.root === undefined ? path : process.root + path;
  const isIn = (folder: Bytes): boolean => whole === folder || whole.startsWith(`${folder}/`);
  return mounts.filter(({ path: mount, below = mount }) => isIn(mount) && isIn(below));
}

/** What stat says of a path, whatever the file is. */
export function overrideStat(state: State, process: Process, path: Bytes, found: FileStat): FileStat {
  const others = troublesAt(state, process, path).flatMap(({ attributes, percent = 100 }) => {
    const isMet = percent >= 100 || chance(`${path}/stat/${state.now}`, countOf(state, process)) < percent;
    return attributes && isMet ? [attributes] : [];
  });
  return others.reduce<FileStat>((stat, one) => ({ ...stat, ...one }), found);
}

/** What comes of bytes that are read or written: the same length, with wrong ones among them. */
export function makeMistakes(
  state: State,
  process: Process,
  path: Bytes,
  asked: 'read' | 'write',
  bytes: Bytes,
): Bytes {
  let made = bytes;
  for (const { mistake, calls, percent = 100 } of troublesAt(state, process, path)) {
    if (!mistake || bytes === '' || (calls !== undefined && calls !== asked)) continue;
    const count = countOf(state, process);
    const seed = `${path}/${asked}/${state.now}`;
    if (percent < 100 && chance(seed, count) >= percent) continue;
    const times = 1 + (hash32(`${seed}/times`, count) % mistake.occurrences);
    for (let i = 0; i < times; i++) made = spoilBytes(made, mistake, `${seed}/${i}`, count);
  }
  return made;
}

function spoilBytes(bytes: Bytes, { filling, length }: MistakeTrouble, seed: string, count: number): Bytes {
  const size = Math.min(1 + (hash32(`${seed}/length`, count) % length), bytes.length);
  const at = hash32(`${seed}/at`, count) % (bytes.length - size + 1);
  const byte = (i: number): string =>
    filling === 'zero' ? '\0' : String.fromCharCode(hash32(`${seed}/${i}`, count) & 0xff);
  const wrong = Array.from({ length: size }, (_, i) => byte(i)).join('');
  return bytes.slice(0, at) + wrong + bytes.slice(at + size);
}

/** How many calls came before, as far as it can be told. */
const countOf = (state: State, process: Process): number => process.id + process.cpu + state.charged;

function meetOne(state: State, process: Process, trouble: MountTrouble, asked: Asked): void {
  const { error, percent = 100, latencyMs = 0, path } = trouble;
  if (asked === 'write' && trouble.state === 'read-only') throw new SystemError('EROFS');
  if (asked === 'write' && trouble.state === 'full') throw new SystemError('ENOSPC');
  if (trouble.calls !== undefined && trouble.calls !== asked) return;
  if (trouble.mistake ?? trouble.attributes) return;
  if (percent < 100 && chance(`${path}/${asked}/${state.now}`, countOf(state, process)) >= percent) return;
  if (latencyMs > 0) process.stalledUntil = Math.max(process.stalledUntil ?? 0, state.now) + latencyMs;
  if (error !== undefined) throw new SystemError(error);
}

/** 0 to 100: the same for the same call. */
const chance = (text: string, count: number): number => (hash32(text, count) / 2 ** 32) * 100;
