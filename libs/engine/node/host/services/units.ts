import { hash32 } from '../../../machinery/random.js';
import type { Disk } from '../files/disk.js';

/** The services of a node that can be stopped. */
export const UNITS = ['containerd', 'kubelet'] as const;
export type Unit = (typeof UNITS)[number];

/**
 * How systemd has a service: a file of `NAME=value` lines in /run/systemd/units, which is written when somebody starts
 * or stops it. Without the file it was started when the node was.
 */
export interface UnitState {
  readonly isActive: boolean;
  /** Virtual ms; undefined: the node's start. */
  readonly since?: number;
  /** Names the run. */
  readonly run: string;
  /** It ended as soon as it was started: systemd tries again until it stays. */
  readonly hasFailed: boolean;
}

/** As started with the node. */
const BOOTED: UnitState = { isActive: true, run: 'boot', hasFailed: false };
/** A unit of somebody's own, which nobody has started. */
const NEVER_STARTED: UnitState = { isActive: false, run: '', hasFailed: false };

export const isOfNode = (unit: string): unit is Unit => (UNITS as readonly string[]).includes(unit);

export const unitFile = (unit: string): string => `/run/systemd/units/${unit}.service`;

export function readUnit(disk: Disk, unit: string): UnitState {
  const content = disk.read(unitFile(unit));
  if (content === undefined) return isOfNode(unit) ? BOOTED : NEVER_STARTED;
  const values = new Map(content.split('\n').map((line) => splitOnce(line, '=')));
  const since = Number(values.get('SINCE'));
  return {
    isActive: values.get('STATE') !== 'inactive',
    ...(Number.isFinite(since) ? { since } : {}),
    run: values.get('INVOCATION_ID') ?? '',
    hasFailed: values.get('RESULT') === 'exit-code',
  };
}

export const formatUnit = ({ isActive, since = 0, run, hasFailed }: UnitState): string =>
  [
    `STATE=${isActive ? 'active' : 'inactive'}`,
    `SINCE=${since}`,
    `INVOCATION_ID=${run}`,
    `RESULT=${hasFailed ? 'exit-code' : 'success'}`,
    '',
  ].join('\n');

const splitOnce = (line: string, separator: string): [string, string] => {
  const at = line.indexOf(separator);
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
};

/** The main process of a run of a service: systemd gives it another number each time. */
export const servicePid = (unit: string, run: string, host: string): number =>
  (unit === 'containerd' ? 120 : 300) + (run === 'boot' ? 0 : 2_000 + (hash32(`${host}/${unit}/${run}`) % 60_000));
