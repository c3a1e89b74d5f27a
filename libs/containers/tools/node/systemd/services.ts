import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import type { Disk } from '../../../../engine/node/host/files/disk.js';
import { SHUTDOWN_FILE } from '../../../../engine/node/host/services/power.js';
import { startKubelet } from '../../../../engine/node/host/services/kubelet-start.js';
import {
  formatUnit,
  isOfNode,
  readUnit,
  servicePid,
  unitFile,
  UNITS,
  type UnitState,
} from '../../../../engine/node/host/services/units.js';
import { hash32 } from '../../../../engine/machinery/random.js';
import { addToJournal } from './journal.js';
import { writeFile } from '../disk.js';

/** A service of the node, as its unit files and its state tell. */
export interface Service {
  /** 'kubelet'. */
  readonly unit: string;
  readonly description: string;
  readonly documentation: string;
  readonly file: string;
  readonly dropIns: readonly string[];
  readonly isEnabled: boolean;
  readonly state: UnitState;
  /** 'failing': it ends whenever it is started, and systemd tries again; 'failed': it does not. */
  readonly course: 'running' | 'failing' | 'failed' | 'dead';
  /** Why it ends. */
  readonly failure?: string;
  readonly isMissing?: boolean;
  readonly pid: number;
  /** Seconds after which systemd tries again. */
  readonly restartSeconds: number;
}

const WANTS = '/etc/systemd/system/multi-user.target.wants';
const FOLDERS = ['/etc/systemd/system', '/run/systemd/system', '/usr/lib/systemd/system'];

export const wantsLink = (unit: string): string => `${WANTS}/${unit}.service`;

/** What systemd knows of a service; undefined when there is no unit file. */
export function readService(sys: Syscalls, disk: Disk, unit: string): Service | undefined {
  const folder = FOLDERS.find((path) => disk.has(`${path}/${unit}.service`));
  if (folder === undefined) return undefined;
  const file = `${folder}/${unit}.service`;
  const text = disk.read(file) ?? '';
  const dropIns = FOLDERS.flatMap((path) =>
    disk
      .list(`${path}/${unit}.service.d`)
      .filter((name) => name.endsWith('.conf'))
      .map((name) => `${path}/${unit}.service.d/${name}`),
  );
  const state = readUnit(disk, unit);
  const start = state.isActive && state.hasFailed ? startOf(disk, unit, text) : undefined;
  const fails = start?.failure !== undefined;
  const restartSeconds = Number.parseFloat(valueOf(text, 'RestartSec')) || (isOfNode(unit) ? 10 : 0.1);
  const isTriedAgain = isOfNode(unit) || (mayRestart(text) && restartSeconds > LIMIT_SECONDS / LIMIT_STARTS);
  return {
    unit,
    description: valueOf(text, 'Description') || `${unit}.service`,
    documentation: valueOf(text, 'Documentation'),
    file,
    dropIns,
    isEnabled: disk.list(WANTS).includes(`${unit}.service`),
    state,
    course: !state.isActive ? 'dead' : !fails ? 'running' : isTriedAgain ? 'failing' : 'failed',
    ...(fails ? { failure: start.failure!, isMissing: start.isMissing ?? false } : {}),
    pid: pidOf(unit, state, sys.hostname),
    restartSeconds,
  };
}

/** systemd gives up on what it has to start five times within ten seconds (DefaultStartLimit…). */
const LIMIT_STARTS = 5;
const LIMIT_SECONDS = 10;
const mayRestart = (text: string): boolean => /^(always|on-failure|on-abnormal)$/.test(valueOf(text, 'Restart'));

/** What becomes of a service that is started. */
function startOf(disk: Disk, unit: string, text: string): { readonly failure?: string; readonly isMissing?: boolean } {
  if (unit === 'kubelet') return startKubelet(disk, () => true);
  if (isOfNode(unit)) return {};
  const [binary = ''] = valueOf(text, 'ExecStart')
    .replace(/^[-@:+!]+/, '')
    .split(' ', 1);
  if (disk.has(binary)) return {};
  const failure = `${unit}.service: Unable to locate executable '${binary}': No such file or directory`;
  return { failure, isMissing: true };
}

/** The services that systemd knows: those of every node first. Those with a place for a name (`a@`) are none. */
export function unitsOn(disk: Disk): string[] {
  const names = FOLDERS.flatMap((path) => disk.list(path)).filter((name) => /^[^@]+\.service$/.test(name));
  return [...new Set([...UNITS, ...names.map((name) => name.slice(0, -'.service'.length)).sort()])];
}

/** systemd gives a run of a service another number each time. */
export const pidOf = (unit: string, { run }: UnitState, host: string): number => servicePid(unit, run, host);

export const valueOf = (text: string, name: string): string => {
  const line = text.split('\n').find((one) => one.trim().startsWith(`${name}=`));
  return line === undefined ? '' : line.trim().slice(name.length + 1);
};

/** Starts a service that does not run, or anew one that does. Returns whether it stays up. */
export function startService(sys: Syscalls, disk: Disk, { unit, description, state, file }: Service): boolean {
  const run = newRun(sys, unit);
  const hasFailed = startOf(disk, unit, disk.read(file) ?? '').failure !== undefined;
  // A node that was switched off is on again.
  if (disk.has(SHUTDOWN_FILE)) sys.unlink(SHUTDOWN_FILE);
  if (state.isActive) addToJournal(sys, 'systemd', 1, stopLines(unit, description));
  writeFile(sys, unitFile(unit), formatUnit({ isActive: true, since: sys.now, run, hasFailed }));
  addToJournal(sys, 'systemd', 1, [`Started ${unit}.service - ${description}.`]);
  return !hasFailed;
}

export function stopService(sys: Syscalls, { unit, description }: Service): void {
  const run = newRun(sys, unit);
  writeFile(sys, unitFile(unit), formatUnit({ isActive: false, since: sys.now, run, hasFailed: false }));
  addToJournal(sys, 'systemd', 1, stopLines(unit, description));
}

const stopLines = (unit: string, description: string): string[] => [
  `Stopping ${unit}.service - ${description}...`,
  `${unit}.service: Deactivated successfully.`,
  `Stopped ${unit}.service - ${description}.`,
];

const newRun = (sys: Syscalls, unit: string): string =>
  [1, 2, 3, 4].map((salt) => hash32(`${sys.hostname}/${unit}/${sys.now}`, salt).toString(16).padStart(8, '0')).join('');
