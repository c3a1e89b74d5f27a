import { aggregate } from '../data/aggregate.js';
import { project } from '../data/project.js';
import { matches, sortBy, valuesAt } from '../data/query.js';
import { applyUpdate, beginUpsert } from '../data/update.js';
import { copyValue, fieldOf, isDocument, isEqual, numberOf, type Document, type Value } from '../data/value.js';
import { MongoFailure } from '../failure.js';
import {
  collectionName,
  documentField,
  keep,
  listField,
  makeId,
  numberField,
  openCursor,
  type Call,
  type Commands,
} from './own.js';
import { findCollection, needCollection, needRoom, needUnique, type Collection } from './store.js';

const MAX_DOCUMENT = 1 << 20;

const namespaceOf = (call: Call): string => `${call.database}.${collectionName(call)}`;
const collectionOf = (call: Call): Collection | undefined =>
  findCollection(call.own.databases, call.database, collectionName(call));

/** The documents that fit, in order, between skip and limit. */
function select(call: Call, filter: Document): Document[] {
  const all = collectionOf(call)?.documents ?? [];
  call.sys.charge(all.length * 4);
  const found = all.filter((one) => matches(one, filter));
  const order = documentField(call, 'sort');
  const sorted = Object.keys(order).length === 0 ? found : sortBy(found, order);
  const [skip, limit] = [numberField(call, 'skip') ?? 0, Math.abs(numberField(call, 'limit') ?? 0)];
  return sorted.slice(skip, limit === 0 ? undefined : skip + limit);
}

/** Runs each write of a command; the first error ends those that are ordered. */
function writeEach(call: Call, writes: readonly Document[], write: (one: Document, index: number) => void): Document[] {
  const errors: Document[] = [];
  for (const [index, one] of writes.entries()) {
    try {
      write(one, index);
    } catch (error) {
      if (!(error instanceof MongoFailure)) throw error;
      errors.push({ index, code: error.code, errmsg: error.message });
      if (fieldOf(call.document, 'ordered') !== false) break;
    }
  }
  keep(call);
  return errors;
}

const withErrors = (answer: Document, errors: Document[]): Document => ({
  ...answer,
  ...(errors.length > 0 ? { writeErrors: errors } : {}),
  ok: 1,
});

function insert(call: Call): Document {
  const documents = listField(call, 'documents');
  const collection = needCollection(call.own.databases, call.database, collectionName(call));
  needRoom(call.own.databases, documents);
  let n = 0;
  const errors = writeEach(call, documents, (one) => {
    const document = { _id: fieldOf(one, '_id') ?? makeId(call.sys), ...one };
    put(call, collection, document);
    n++;
  });
  return withErrors({ n }, errors);
}

function put(call: Call, collection: Collection, document: Document): void {
  if (JSON.stringify(document).length > MAX_DOCUMENT) throw new MongoFailure(10_334, 'object to insert too large');
  needUnique(namespaceOf(call), collection, document);
  collection.documents.push(document);
}

/** Changes those that fit; an upsert makes one when none does. */
function change(
  call: Call,
  { q, u, multi, upsert }: { q: Document; u: Value; multi: boolean; upsert: boolean },
): { matched: Document[]; modified: Document[]; upserted?: Value } {
  if (!isDocument(u)) throw new MongoFailure(9, 'Updates by a pipeline are not simulated');
  const collection = needCollection(call.own.databases, call.database, collectionName(call));
  const sorted = sortBy(collection.documents, documentField(call, 'sort'));
  const found = (Object.keys(documentField(call, 'sort')).length > 0 ? sorted : collection.documents).filter((one) =>
    matches(one, q),
  );
  const matched = multi ? found : found.slice(0, 1);
  if (matched.length === 0 && upsert) {
    const base = beginUpsert(q);
    const made = applyUpdate(base, u, call.sys.now, true);
    const id = fieldOf(made, '_id') ?? fieldOf(base, '_id') ?? makeId(call.sys);
    needRoom(call.own.databases, made);
    put(call, collection, { _id: id, ...made });
    return { matched, modified: [], upserted: id };
  }
  const modified: Document[] = [];
  for (const before of matched) {
    const after = applyUpdate(before, u, call.sys.now);
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    needUnique(namespaceOf(call), collection, after, before);
    needRoom(call.own.databases, after);
    collection.documents[collection.documents.indexOf(before)] = after;
    modified.push(after);
  }
  return { matched, modified };
}

function update(call: Call): Document {
  let [n, nModified] = [0, 0];
  const upserted: Document[] = [];
  const errors = writeEach(call, listField(call, 'updates'), (one, index) => {
    const { q = {}, u = null, multi = false, upsert = false } = one;
    const done = change(call, { q: q as Document, u, multi: Boolean(multi), upsert: Boolean(upsert) });
    n += done.matched.length + (done.upserted === undefined ? 0 : 1);
    nModified += done.modified.length;
    if (done.upserted !== undefined) upserted.push({ index, _id: done.upserted });
  });
  return withErrors({ n, nModified, ...(upserted.length > 0 ? { upserted } : {}) }, errors);
}

function remove(call: Call): Document {
  let n = 0;
  const errors = writeEach(call, listField(call, 'deletes'), ({ q = {}, limit = 0 }) => {
    const collection = collectionOf(call);
    if (!collection) return;
    const fitting = collection.documents.filter((one) => matches(one, q as Document));
    const gone = new Set(numberOf(limit) === 1 ? fitting.slice(0, 1) : fitting);
    collection.documents = collection.documents.filter((one) => !gone.has(one));
    n += gone.size;
  });
  return withErrors({ n }, errors);
}

function findAndModify(call: Call): Document {
  const q = documentField(call, 'query');
  const fields = documentField(call, 'fields');
  const shown = (one: Document | undefined): Value => (one === undefined ? null : project(copyValue(one), fields));
  if (fieldOf(call.document, 'remove')) {
    const [first] = select(call, q);
    const collection = collectionOf(call);
    if (collection && first) collection.documents = collection.documents.filter((one) => one !== first);
    keep(call);
    return { lastErrorObject: { n: first ? 1 : 0 }, value: shown(first), ok: 1 };
  }
  const isNew = Boolean(fieldOf(call.document, 'new'));
  const done = change(call, {
    q,
    u: fieldOf(call.document, 'update') ?? null,
    multi: false,
    upsert: Boolean(fieldOf(call.document, 'upsert')),
  });
  keep(call);
  const { documents } = collectionOf(call)!;
  const id = done.upserted ?? fieldOf(done.matched[0] ?? {}, '_id');
  const after = id === undefined ? undefined : documents.find((one) => isEqual(fieldOf(one, '_id') ?? null, id));
  return {
    lastErrorObject: { n: id === undefined ? 0 : 1, updatedExisting: done.matched.length > 0 },
    ...{ value: shown(isNew ? after : done.matched[0]), ok: 1 },
  };
}

function distinct(call: Call): Document {
  const path = String(fieldOf(call.document, 'key') ?? '').split('.');
  const values: Value[] = [];
  for (const one of select(call, documentField(call, 'query')))
    for (const value of valuesAt(one, path).filter((found) => !Array.isArray(found)))
      if (!values.some((known) => isEqual(known, value))) values.push(value);
  return { values, ok: 1 };
}

function find(call: Call): Document {
  const wanted = documentField(call, 'projection');
  const found = select(call, documentField(call, 'filter')).map((one) => project(one, wanted));
  return openCursor(call, namespaceOf(call), found, Boolean(fieldOf(call.document, 'singleBatch')));
}

function runPipeline(call: Call): Document {
  const name = fieldOf(call.document, 'aggregate');
  if (typeof name !== 'string') throw new MongoFailure(2, 'Aggregations of a whole database are not simulated');
  const documents = findCollection(call.own.databases, call.database, name)?.documents ?? [];
  call.sys.charge(documents.length * 8);
  const pipeline = fieldOf(call.document, 'pipeline');
  return openCursor(call, `${call.database}.${name}`, aggregate(documents, Array.isArray(pipeline) ? pipeline : []));
}

function getMore(call: Call): Document {
  const { own } = call;
  const id = numberField(call, 'getMore') ?? 0;
  const cursor = own.cursors.find((one) => one.id === id);
  if (!cursor) throw new MongoFailure(43, `cursor id ${id} not found`);
  const nextBatch = cursor.documents.splice(0, numberField(call, 'batchSize') ?? cursor.documents.length);
  const isDone = cursor.documents.length === 0;
  if (isDone) own.cursors = own.cursors.filter((one) => one !== cursor);
  return { cursor: { nextBatch, id: { $numberLong: isDone ? '0' : String(id) }, ns: cursor.namespace }, ok: 1 };
}

function killCursors(call: Call): Document {
  const ids = ((fieldOf(call.document, 'cursors') ?? []) as Value[]).map((id) => numberOf(id));
  call.own.cursors = call.own.cursors.filter(({ id }) => !ids.includes(id));
  return { cursorsKilled: ids.map((id) => ({ $numberLong: String(id ?? 0) })), ok: 1 };
}

/** Commands that read and write documents. */
export const crud: Commands = {
  ...{ insert, update, delete: remove, find, getMore, killCursors, distinct, aggregate: runPipeline },
  ...{
    findAndModify,
    findandmodify: (call) =>
      findAndModify({
        ...call,
        document: { ...call.document, findAndModify: fieldOf(call.document, 'findandmodify')! },
        command: 'findAndModify',
      }),
  },
  count: (call) => ({ n: select(call, documentField(call, 'query')).length, ok: 1 }),
};
