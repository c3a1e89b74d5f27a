import type { KubeObject } from '../../machinery/meta/object.js';
import type { Millis } from '../../machinery/time/time.js';
import type { WaitingKey } from '../../runtime/loop-options.js';
import type { LoopState } from '../../runtime/loop-state.js';
import type { StoredObject } from '../../runtime/state/state.js';

/** The whole state at a revision, as it is kept in a checkpoint. */
export interface CheckpointState {
  readonly revision: number;
  readonly now: Millis;
  /** Encoded size of the objects; counted when they are loaded, unless it is given. */
  readonly bytes?: number;
  readonly objects: readonly StoredObject[];
  /** Changes so far of what only says how time runs. */
  readonly timelessChanges?: number;
  /** What controllers are about to see. */
  readonly waiting?: readonly WaitingKey[];
  /** What they have to go on with, when the process that has written this ran them. */
  readonly loop?: SavedLoop;
}

/** Of a behaviour and of a point of the log: elsewhere it says nothing. */
export interface SavedLoop extends LoopState {
  readonly behaviour: number;
  readonly revision: number;
  readonly now: Millis;
}

const EPOCH = '1970-01-01T00:00:00Z';
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Parts of checkpoints that have no timestamp: a template is moved for each cluster that is created on it. */
const timeless = new WeakSet<object>();

/**
 * A checkpoint moved in time: every timestamp in it by `shift` ms (whole seconds). Subtrees without one stay shared.
 * What the components have to go on with is left out: it holds for the moment at which it was written.
 */
export function shiftCheckpoint({ loop: _, ...state }: CheckpointState, shift: Millis): CheckpointState {
  const move = memoizeShift(shift);
  return {
    ...state,
    now: state.now + shift,
    ...(state.waiting && { waiting: state.waiting.map((key) => ({ ...key, due: key.due + shift })) }),
    objects: state.objects.map(({ resource, object }) => ({
      resource,
      object: shiftValue(object, move) as KubeObject,
    })),
  };
}

type MoveText = (text: string) => string;

function shiftValue(value: unknown, move: MoveText): unknown {
  if (typeof value === 'string')
    return value.length >= 20 && value.length <= 30 && TIMESTAMP.test(value) ? move(value) : value;
  if (typeof value !== 'object' || value === null || timeless.has(value)) return value;
  const moved = Array.isArray(value)
    ? shiftList(value, move)
    : shiftFields(value as Readonly<Record<string, unknown>>, move);
  // Moved by nothing, everything stays the same.
  if (moved === value && move(EPOCH) !== EPOCH) timeless.add(value);
  return moved;
}

function shiftList(list: readonly unknown[], move: MoveText): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const moved = shiftValue(list[i], move);
    if (moved !== list[i]) (copy ??= [...list])[i] = moved;
  }
  return copy ?? list;
}

function shiftFields(object: Readonly<Record<string, unknown>>, move: MoveText): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | undefined;
  for (const field in object) {
    const moved = shiftValue(object[field], move);
    if (moved !== object[field]) (copy ??= { ...object })[field] = moved;
  }
  return copy ?? object;
}

/** Most objects of a template are of the same few seconds. */
function memoizeShift(shift: Millis): MoveText {
  const known = new Map<string, string>();
  return (text) => {
    let moved = known.get(text);
    if (moved === undefined) known.set(text, (moved = shiftText(text, shift)));
    return moved;
  };
}

function shiftText(text: string, shift: Millis): string {
  const moved = new Date(Date.parse(text) + shift).toISOString();
  return text.length === 20 ? `${moved.slice(0, 19)}Z` : `${moved.slice(0, -1)}000Z`;
}
