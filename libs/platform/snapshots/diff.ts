import { isObject, type CheckpointState, type KubeObject } from '@terrarium/engine';
import type { FieldChange, ObjectDifference } from './history-nouns.js';

/** Changes of one object that are shown, and the characters of one value. */
const MAX_CHANGES = 100;
const MAX_VALUE_CHARACTERS = 2_048;
/** Differ with every write, and say nothing about what is in an object. */
const NOT_COMPARED = new Set(['/metadata/managedFields', '/metadata/resourceVersion']);

type Place = Pick<ObjectDifference, 'resource' | 'namespace' | 'name'>;
interface Entry extends Place {
  readonly object: KubeObject;
}

export interface DiffPage {
  readonly items: ObjectDifference[];
  /** The place of the last item, when there are more. */
  readonly after?: Place;
}

/** What of a state is compared: everything that its API server serves. */
export type IsCompared = (resource: string) => boolean;

/**
 * The objects that are in one of two states only, or differ, in the order of their places; at most `limit`, beginning
 * behind `after`.
 */
export function compareStates(
  from: CheckpointState,
  to: CheckpointState,
  isCompared: IsCompared,
  { limit, after }: { readonly limit: number; readonly after?: Place },
): DiffPage {
  const [old, now] = [entriesOf(from, isCompared), entriesOf(to, isCompared)];
  const places = [...new Set([...old.keys(), ...now.keys()])].sort();
  const begin = after === undefined ? '' : keyOf(after);
  const items: ObjectDifference[] = [];
  for (const key of places) {
    if (key <= begin) continue;
    const difference = compareEntries(old.get(key), now.get(key));
    if (!difference) continue;
    const last = items.at(-1);
    if (items.length === limit && last) return { items, after: placeOf(last) };
    items.push(difference);
  }
  return { items };
}

const placeOf = ({ resource, namespace, name }: Place): Place => ({ resource, namespace, name });

const keyOf = ({ resource, namespace, name }: Place): string => `${resource}\0${namespace}\0${name}`;

function entriesOf({ objects }: CheckpointState, isCompared: IsCompared): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { resource, object } of objects) {
    if (!isCompared(resource)) continue;
    const { namespace = '', name = '' } = object.metadata;
    const entry = { resource, namespace, name, object };
    entries.set(keyOf(entry), entry);
  }
  return entries;
}

function compareEntries(old: Entry | undefined, now: Entry | undefined): ObjectDifference | undefined {
  if (old && now) return compareObjects(old, now);
  return { ...placeOf((old ?? now)!), type: old ? 'removed' : 'added', changes: [], truncated: false };
}

function compareObjects(old: Entry, now: Entry): ObjectDifference | undefined {
  if (old.object === now.object) return undefined;
  const found: Found = { changes: [], truncated: false };
  compareValues(old.object, now.object, '', found);
  const { changes, truncated } = found;
  if (changes.length === 0) return undefined;
  const shown = changes.slice(0, MAX_CHANGES);
  return { ...placeOf(now), type: 'changed', changes: shown, truncated: truncated || shown.length < changes.length };
}

interface Found {
  readonly changes: FieldChange[];
  truncated: boolean;
}

/** Lists are compared place by place: the work grows with the objects, and not with the square of a list. */
function compareValues(old: unknown, now: unknown, path: string, found: Found): void {
  if (old === now || found.changes.length > MAX_CHANGES || NOT_COMPARED.has(path)) return;
  if (isFields(old) && isFields(now)) {
    for (const field of new Set([...Object.keys(old), ...Object.keys(now)]))
      compareValues(old[field], now[field], `${path}/${escapePointer(field)}`, found);
    return;
  }
  const op = old === undefined ? 'add' : now === undefined ? 'remove' : 'replace';
  const [from, to] = [shorten(old, found), shorten(now, found)];
  found.changes.push({ op, path, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) });
}

const isFields = (value: unknown): value is Record<string, unknown> => isObject(value) || Array.isArray(value);

const escapePointer = (field: string): string => field.replaceAll('~', '~0').replaceAll('/', '~1');

/** A value that is too long is cut off. */
function shorten(value: unknown, found: Found): unknown {
  if (typeof value !== 'object' && typeof value !== 'string') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= MAX_VALUE_CHARACTERS) return value;
  found.truncated = true;
  return `${text.slice(0, MAX_VALUE_CHARACTERS)}…`;
}
