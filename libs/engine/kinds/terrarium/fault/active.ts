import type { Effect, EffectName, EffectOf } from '../../../faults/index.js';
import type { Reader } from '../../../machinery/reader.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import { kind as Faults, type Fault } from './kind.js';

/** What is computed from the past, too. */
type Remembered = 'process' | 'probe' | 'network' | 'clock' | 'stress' | 'volume' | 'pressure' | 'etcd' | 'component';

const NONE: readonly never[] = [];

/** What active faults do to one component. A look into an empty index when there are none. */
export function activeEffects<D extends EffectName>(read: Reader, does: D): readonly EffectOf<D>[] {
  const faults = read.byIndex(Faults, 'effect', does);
  return faults.length === 0 ? NONE : faults.flatMap((fault) => effectsOf(fault, does));
}

/** Whether etcd answers: most of its members are there. */
export const hasStore = (read: Reader): boolean => !activeEffects(read, 'etcd').some(({ fault }) => fault === 'quorum');

/** An effect, and when it is or was there. `to` is Infinity while no end is known. */
export interface Lasting<E extends Effect = Effect> {
  readonly effect: E;
  readonly from: Millis;
  readonly to: Millis;
  /** Chooses what is random, and tells faults apart. */
  readonly fault: string;
}

/** The same with their times, and of faults that are over, for what is computed from the past. */
export function lastingEffects<D extends Remembered>(read: Reader, does: D): readonly Lasting<EffectOf<D>>[] {
  const active = read.byIndex(Faults, 'effect', does);
  const past = read.byIndex(Faults, 'past', does);
  if (active.length === 0 && past.length === 0) return NONE;
  return [...past, ...active].flatMap((fault) => {
    const { startTime = '', endTime, endsAt } = fault.status;
    const end = endTime ?? endsAt;
    const times = { from: parseTimestamp(startTime), to: end === undefined ? Infinity : parseTimestamp(end) };
    return effectsOf(fault, does).map((effect) => ({ effect, ...times, fault: fault.metadata.uid ?? '' }));
  });
}

const effectsOf = <D extends EffectName>({ status }: Fault, does: D): EffectOf<D>[] =>
  (status.effects ?? []).filter((effect): effect is EffectOf<D> => effect.does === does);

/** Whether a change of a Fault begins or ends effects: for sources of controllers. */
export const changesEffects = (fault: Fault, old: Fault | undefined, ...names: readonly EffectName[]): boolean =>
  has(fault, names) || (old !== undefined && has(old, names));

const has = ({ status }: Fault, names: readonly EffectName[]): boolean =>
  status?.effects?.some(({ does }) => names.includes(does)) ?? false;

/** The nodes that effects of these names concern. */
export const nodesOf = ({ status }: Fault, ...names: readonly EffectName[]): string[] =>
  (status?.effects ?? []).flatMap((effect) =>
    names.includes(effect.does) && 'nodes' in effect ? [...(effect.nodes ?? [])] : [],
  );
