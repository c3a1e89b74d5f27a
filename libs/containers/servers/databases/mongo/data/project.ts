import { MongoFailure } from '../failure.js';
import { fieldOf, isDocument, type Document, type Value } from './value.js';

/** The fields that `{ name: 1 }` asks for, or all but those of `{ name: 0 }`. Left out: expressions. */
export function project(document: Document, wanted: Document): Document {
  const entries = Object.entries(wanted);
  if (entries.length === 0) return document;
  for (const [path, value] of entries)
    if (typeof value !== 'number' && typeof value !== 'boolean')
      throw new MongoFailure(9, `Expressions in projections are not simulated: ${path}`);
  const isIncluding = entries.some(([path, value]) => path !== '_id' && Boolean(value));
  if (isIncluding && entries.some(([path, value]) => path !== '_id' && !value))
    throw new MongoFailure(31_254, 'Cannot do exclusion on field in inclusion projection');
  const isOnlyId = entries.length === 1 && entries[0]![0] === '_id' && Boolean(entries[0]![1]);
  const paths = entries.filter(([path]) => path !== '_id').map(([path]) => path.split('.'));
  if (!isIncluding && !isOnlyId)
    return drop(document, [
      ...paths,
      ...(fieldOf(wanted, '_id') === 0 || fieldOf(wanted, '_id') === false ? [['_id']] : []),
    ]);
  const hasId = fieldOf(wanted, '_id') === undefined || Boolean(fieldOf(wanted, '_id'));
  return take(document, [...(hasId ? [['_id']] : []), ...paths]);
}

const isAt = (path: readonly string[], name: string): boolean => path[0] === name;

function take(document: Document, paths: readonly (readonly string[])[]): Document {
  const taken: [string, Value][] = [];
  for (const [name, value] of Object.entries(document)) {
    const inner = paths.filter((path) => isAt(path, name)).map((path) => path.slice(1));
    if (inner.some((path) => path.length === 0)) taken.push([name, value]);
    else if (inner.length > 0 && isDocument(value)) taken.push([name, take(value, inner)]);
    else if (inner.length > 0 && Array.isArray(value))
      taken.push([name, value.filter(isDocument).map((one) => take(one, inner))]);
  }
  return Object.fromEntries(taken);
}

function drop(document: Document, paths: readonly (readonly string[])[]): Document {
  const left: [string, Value][] = [];
  for (const [name, value] of Object.entries(document)) {
    const inner = paths.filter((path) => isAt(path, name)).map((path) => path.slice(1));
    if (inner.some((path) => path.length === 0)) continue;
    const within = (one: Value): Value => (isDocument(one) ? drop(one, inner) : one);
    if (inner.length === 0) left.push([name, value]);
    else left.push([name, Array.isArray(value) ? value.map(within) : within(value)]);
  }
  return Object.fromEntries(left);
}
