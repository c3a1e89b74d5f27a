import type { KubeObject } from '../machinery/meta/object.js';
import type { Millis } from '../machinery/time/time.js';
import type { StoredObject } from '../runtime/state.js';

/** The whole state at a revision, as it is kept in a checkpoint. */
export interface CheckpointState {
  readonly revision: number;
  readonly now: Millis;
  /** Encoded size of the objects; counted when they are loaded, unless it is given. */
  readonly bytes?: number;
  readonly objects: readonly StoredObject[];
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * A checkpoint moved in time: every timestamp in it by `shift` ms (whole seconds). Subtrees without one stay shared.
 */
export function shiftCheckpoint(state: CheckpointState, shift: Millis): CheckpointState {
  return {
    ...state,
    now: state.now + shift,
    objects: state.objects.map(({ resource, object }) => ({
      resource,
      object: shiftValue(object, shift) as KubeObject,
    })),
  };
}

function shiftValue(value: unknown, shift: Millis): unknown {
  if (typeof value === 'string')
    return value.length >= 20 && value.length <= 30 && TIMESTAMP.test(value) ? shiftText(value, shift) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? shiftList(value, shift)
    : shiftFields(value as Readonly<Record<string, unknown>>, shift);
}

function shiftList(list: readonly unknown[], shift: Millis): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const moved = shiftValue(list[i], shift);
    if (moved !== list[i]) (copy ??= [...list])[i] = moved;
  }
  return copy ?? list;
}

function shiftFields(object: Readonly<Record<string, unknown>>, shift: Millis): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | undefined;
  for (const field in object) {
    const moved = shiftValue(object[field], shift);
    if (moved !== object[field]) (copy ??= { ...object })[field] = moved;
  }
  return copy ?? object;
}

function shiftText(text: string, shift: Millis): string {
  const moved = new Date(Date.parse(text) + shift).toISOString();
  return text.length === 20 ? `${moved.slice(0, 19)}Z` : `${moved.slice(0, -1)}000Z`;
}
