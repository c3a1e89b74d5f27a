import { MongoFailure } from '../failure.js';
import { matches } from './query.js';
import {
  compareValues,
  copyValue,
  fieldOf,
  isDocument,
  isEqual,
  numberOf,
  tagOf,
  typeOf,
  type Document,
  type Value,
} from './value.js';

const MAX_INDEX = 10_000;

/** A document after an update; `isNew`: it is being made by an upsert, at the time `now`. */
export function applyUpdate(document: Document, update: Document, now: number, isNew = false): Document {
  const names = Object.keys(update);
  const next = copyValue(document);
  if (!names.some((name) => name.startsWith('$'))) {
    const id = fieldOf(document, '_id');
    const given = fieldOf(update, '_id');
    if (id !== undefined && given !== undefined && !isEqual(id, given))
      throw new MongoFailure(
        66,
        "After applying the update, the (immutable) field '_id' was found to have been altered",
      );
    return { ...(id === undefined ? {} : { _id: id }), ...copyValue(update) };
  }
  for (const name of names) {
    if (!name.startsWith('$'))
      throw new MongoFailure(9, `the update operation document must contain atomic operators, not ${name}`);
    const fields = update[name];
    if (!isDocument(fields))
      throw new MongoFailure(9, `Modifiers operate on fields but we found type ${typeOf(fields ?? null)} instead.`);
    if (name === '$setOnInsert' && !isNew) continue;
    for (const [path, operand] of Object.entries(fields)) change(next, name, path, operand, now);
  }
  const id = fieldOf(document, '_id');
  if (id !== undefined && !isEqual(fieldOf(next, '_id') ?? null, id))
    throw new MongoFailure(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  return next;
}

type Place = { holder: Document | Value[]; key: string };

/** Where a path ends; documents on the way are made when `makes`. */
function place(document: Document, path: string, makes: boolean): Place | undefined {
  const names = path.split('.');
  const last = names.pop()!;
  let holder: Document | Value[] = document;
  for (const name of names) {
    let inner: Value | undefined = get(holder, name);
    if (inner === undefined || inner === null) {
      if (!makes) return undefined;
      inner = {};
      put({ holder, key: name }, inner);
    }
    if (!Array.isArray(inner) && !isDocument(inner)) {
      if (!makes) return undefined;
      throw new MongoFailure(28, `Cannot create field '${last}' in element {${name}: ${JSON.stringify(inner)}}`);
    }
    holder = inner;
  }
  return { holder, key: last };
}

const get = (holder: Document | Value[], key: string): Value | undefined =>
  Array.isArray(holder) ? holder[Number(key)] : fieldOf(holder, key);

function put({ holder, key }: Place, value: Value): void {
  if (!Array.isArray(holder))
    Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
  else if (/^\d{1,5}$/.test(key) && Number(key) <= MAX_INDEX) {
    while (holder.length < Number(key)) holder.push(null);
    holder[Number(key)] = value;
  } else throw new MongoFailure(28, `Cannot create field '${key}' in element of an array`);
}

function remove({ holder, key }: Place): void {
  if (Array.isArray(holder)) {
    if (Number(key) < holder.length) holder[Number(key)] = null;
  } else delete holder[key];
}

function change(document: Document, name: string, path: string, operand: Value, now: number): void {
  const removes = name === '$unset' || name === '$pull' || name === '$pop' || name === '$rename' || name === '$pullAll';
  const at = place(document, path, !removes);
  if (at === undefined) return;
  const known = get(at.holder, at.key);
  switch (name) {
    case '$set':
    case '$setOnInsert':
      return put(at, copyValue(operand));
    case '$unset':
      return remove(at);
    case '$inc':
    case '$mul':
      return put(at, compute(name, path, known, operand));
    case '$min':
    case '$max': {
      const difference = known === undefined ? undefined : compareValues(operand, known);
      if (difference === undefined || (name === '$min' ? difference < 0 : difference > 0)) put(at, operand);
      return;
    }
    case '$currentDate':
      return put(at, { $date: now });
    case '$rename':
      if (known === undefined) return;
      remove(at);
      return put(place(document, String(operand), true)!, known);
    default:
      return changeList(name, path, known, operand, (list) => put(at, list));
  }
}

function compute(name: string, path: string, known: Value | undefined, operand: Value): Value {
  const by = numberOf(operand);
  const before = known === undefined ? 0 : numberOf(known);
  const word = name === '$inc' ? 'increment' : 'multiply';
  if (by === undefined)
    throw new MongoFailure(14, `Cannot ${word} with non-numeric argument: {${path}: ${JSON.stringify(operand)}}`);
  if (before === undefined)
    throw new MongoFailure(
      14,
      `Cannot apply ${name} to a value of non-numeric type: '${path}' is of non-numeric type ${typeOf(known!)}`,
    );
  const value = name === '$inc' ? before + by : before * by;
  const isLong = tagOf(known) === '$numberLong' || tagOf(operand) === '$numberLong';
  return isLong ? { $numberLong: String(value) } : value;
}

function changeList(
  name: string,
  path: string,
  known: Value | undefined,
  operand: Value,
  put: (list: Value[]) => void,
): void {
  if (!['$push', '$addToSet', '$pull', '$pullAll', '$pop'].includes(name))
    throw new MongoFailure(
      9,
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  if (known !== undefined && !Array.isArray(known))
    throw new MongoFailure(2, `The field '${path}' must be an array but is of type ${typeOf(known)} in document`);
  if (known === undefined && (name === '$pull' || name === '$pop' || name === '$pullAll')) return;
  const list = [...(known ?? [])];
  const added = isDocument(operand) && Array.isArray(operand['$each']) ? operand['$each'] : [operand];
  if (isDocument(operand) && operand['$each'] !== undefined && Object.keys(operand).length > 1)
    throw new MongoFailure(2, `Modifiers of $each are not simulated: ${Object.keys(operand).slice(1).join(', ')}`);
  if (name === '$push') put([...list, ...copyValue(added)]);
  else if (name === '$addToSet') {
    for (const one of added) if (!list.some((other) => isEqual(other, one))) list.push(copyValue(one));
    put(list);
  } else if (name === '$pop') put(numberOf(operand) === -1 ? list.slice(1) : list.slice(0, -1));
  else if (name === '$pullAll') put(list.filter((one) => ![operand].flat().some((other) => isEqual(one, other))));
  else put(list.filter((one) => !isPulled(one, operand)));
}

/** A condition is of the element itself, or of its fields. */
function isPulled(value: Value, condition: Value): boolean {
  if (!isDocument(condition)) return isEqual(value, condition);
  const isOperators = Object.keys(condition).some((key) => key.startsWith('$'));
  if (isOperators) return matches({ value }, { value: condition });
  return isDocument(value) && matches(value, condition);
}

/** The document that an upsert begins with: what the filter says is equal. */
export function beginUpsert(filter: Document): Document {
  const document: Document = {};
  for (const [path, value] of Object.entries(filter)) {
    const wanted = isDocument(value) && fieldOf(value, '$eq') !== undefined ? value['$eq']! : value;
    const isCondition = isDocument(wanted) && Object.keys(wanted).some((key) => key.startsWith('$'));
    if (path.startsWith('$') || isCondition || tagOf(wanted) === '$regularExpression') continue;
    put(place(document, path, true)!, copyValue(wanted));
  }
  return document;
}
