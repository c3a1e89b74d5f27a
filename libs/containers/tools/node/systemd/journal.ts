import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import type { Disk } from '../../../../engine/node/host/files/disk.js';
import { diskOf, writeFile } from '../disk.js';

/** A line of the journal. */
export interface JournalEntry {
  /** Virtual ms. */
  readonly at: number;
  /** What wrote it: 'systemd', 'kubelet'. */
  readonly program: string;
  readonly pid: number;
  readonly text: Bytes;
}

const FOLDER = '/var/log/journal';
/** The journal keeps so many bytes: older lines are dropped. */
const MAX_BYTES = 65_536;

const fileOf = (disk: Disk): string => `${FOLDER}/${(disk.read('/etc/machine-id') ?? 'unknown').trim()}/system.journal`;

/** Adds lines that somebody's command has led to; what services print follows from their state. */
export function addToJournal(sys: Syscalls, program: string, pid: number, lines: readonly Bytes[]): void {
  const disk = diskOf(sys);
  const file = fileOf(disk);
  const added = lines.map((text) => `${sys.now}\t${program}\t${pid}\t${text}\n`).join('');
  const kept = ((disk.read(file) ?? '') + added).slice(-MAX_BYTES);
  if (disk.list('/var/log').includes('journal') === false) sys.makeDirectory(FOLDER, 0o755);
  writeFile(sys, file, kept.slice(kept.length === MAX_BYTES ? kept.indexOf('\n') + 1 : 0), 0o640);
}

export const readJournal = (disk: Disk): JournalEntry[] =>
  (disk.read(fileOf(disk)) ?? '').split('\n').flatMap((line): JournalEntry[] => {
    const [at = '', program = '', pid = '', ...text] = line.split('\t');
    return /^\d+$/.test(at) ? [{ at: Number(at), program, pid: Number(pid), text: text.join('\t') }] : [];
  });
