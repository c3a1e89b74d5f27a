import { fieldOf, isDocument, type Document, type Value } from '../data/value.js';
import { makeId } from '../server/own.js';
import { documentOf, ScriptFailure, thing, valueOf, type Methods, type Shell, type Thing } from './thing.js';

type Own = { database: string; name: string };
const ask = (shell: Shell, { database }: Own, command: Document): Document => shell.ask(database, command);

/** Throws what the driver throws for writes that failed. */
function checkWrite(answer: Document, isBulk = false): Document {
  const [first] = (answer['writeErrors'] ?? []) as Document[];
  if (first)
    throw new ScriptFailure(`${isBulk ? 'MongoBulkWriteError' : 'MongoServerError'}: ${String(first['errmsg'])}`);
  return answer;
}

const withId = (shell: Shell, document: Document): Document =>
  fieldOf(document, '_id') === undefined ? { ...document, _id: makeId(shell.sys) } : document;

function insert(shell: Shell, own: Own, args: readonly Thing[], isMany: boolean): Thing {
  const given = valueOf(args[0]);
  if (isMany ? !Array.isArray(given) : !isDocument(given))
    throw new ScriptFailure(
      isMany
        ? 'MongoInvalidArgumentError: Argument "docs" must be an array of documents'
        : 'MongoshInvalidInputError: [COMMON-10001] Missing required argument at position 0 (Collection.insertOne)',
    );
  const documents = ([given].flat() as Document[]).map((one) => withId(shell, one));
  checkWrite(
    ask(shell, own, { insert: own.name, documents, ordered: fieldOf(documentOf(args[1]), 'ordered') ?? true }),
    isMany,
  );
  const ids = documents.map((one) => one['_id']!);
  return thing(
    isMany
      ? { acknowledged: true, insertedIds: Object.fromEntries(ids.map((id, i) => [String(i), id])) }
      : { acknowledged: true, insertedId: ids[0]! },
  );
}

function update(shell: Shell, own: Own, args: readonly Thing[], kind: 'one' | 'many' | 'replace'): Thing {
  const [q, u, options] = args.map((one) => valueOf(one) ?? null);
  const isAtomic = isDocument(u ?? null) && Object.keys(u as Document).every((key) => key.startsWith('$'));
  if (kind !== 'replace' && !isAtomic && !Array.isArray(u))
    throw new ScriptFailure('MongoInvalidArgumentError: Update document requires atomic operators');
  if (kind === 'replace' && isAtomic)
    throw new ScriptFailure('MongoInvalidArgumentError: Replacement document must not contain atomic operators');
  const upsert = Boolean(isDocument(options) && fieldOf(options, 'upsert'));
  const answer = checkWrite(
    ask(shell, own, { update: own.name, updates: [{ q: q ?? {}, u: u ?? {}, multi: kind === 'many', upsert }] }),
  );
  const [upserted] = (answer['upserted'] ?? []) as Document[];
  return thing({
    ...{ acknowledged: true, insertedId: upserted ? upserted['_id']! : null },
    ...{
      matchedCount: Number(answer['n']) - (upserted ? 1 : 0),
      modifiedCount: answer['nModified']!,
      upsertedCount: upserted ? 1 : 0,
    },
  });
}

function remove(shell: Shell, own: Own, [filter]: readonly Thing[], limit: number): Thing {
  const answer = checkWrite(ask(shell, own, { delete: own.name, deletes: [{ q: documentOf(filter), limit }] }));
  return thing({ acknowledged: true, deletedCount: answer['n']! });
}

function modify(shell: Shell, own: Own, args: readonly Thing[], isRemoval: boolean): Thing {
  const [query, update] = [documentOf(args[0]), valueOf(args[1]) ?? {}];
  const options = documentOf(args[isRemoval ? 1 : 2]);
  const how: Document = isRemoval
    ? { remove: true }
    : {
        update,
        new: options['returnDocument'] === 'after' || options['returnNewDocument'] === true,
        upsert: options['upsert'] ?? false,
      };
  const answer = ask(shell, own, {
    findAndModify: own.name,
    query,
    ...how,
    sort: options['sort'] ?? {},
    fields: options['projection'] ?? {},
  });
  return thing(answer['value'] ?? null);
}

const cursorOf = (own: Own, command: Document): Thing => ({
  kind: 'cursor',
  database: own.database,
  collection: own.name,
  command,
});

const indexName = (key: Document): string =>
  Object.entries(key)
    .map(([field, way]) => `${field}_${String(way)}`)
    .join('_');

const firstBatch = (answer: Document): Value => (answer['cursor'] as Document)['firstBatch']!;

/** Methods of a collection. */
export const collectionMethods: Methods<Own> = {
  insertOne: (shell, own, args) => insert(shell, own, args, false),
  insertMany: (shell, own, args) => insert(shell, own, args, true),
  updateOne: (shell, own, args) => update(shell, own, args, 'one'),
  updateMany: (shell, own, args) => update(shell, own, args, 'many'),
  replaceOne: (shell, own, args) => update(shell, own, args, 'replace'),
  deleteOne: (shell, own, args) => remove(shell, own, args, 1),
  deleteMany: (shell, own, args) => remove(shell, own, args, 0),
  findOneAndUpdate: (shell, own, args) => modify(shell, own, args, false),
  findOneAndReplace: (shell, own, args) => modify(shell, own, args, false),
  findOneAndDelete: (shell, own, args) => modify(shell, own, args, true),
  find: (_shell, own, [filter, projection]) =>
    cursorOf(own, {
      find: own.name,
      filter: documentOf(filter),
      ...(projection ? { projection: documentOf(projection) } : {}),
    }),
  findOne(shell, own, [filter, projection]) {
    const answer = ask(shell, own, {
      find: own.name,
      filter: documentOf(filter),
      projection: documentOf(projection),
      limit: 1,
      singleBatch: true,
    });
    return thing((firstBatch(answer) as Document[])[0] ?? null);
  },
  aggregate(_shell, own, [pipeline]) {
    const stages = valueOf(pipeline) ?? [];
    return cursorOf(own, { aggregate: own.name, pipeline: [stages].flat() as Value, cursor: {} });
  },
  countDocuments(shell, own, [filter]) {
    const pipeline: Document[] = [{ $match: documentOf(filter) }, { $group: { _id: 1, n: { $sum: 1 } } }];
    const found = firstBatch(ask(shell, own, { aggregate: own.name, pipeline, cursor: {} })) as Document[];
    return thing(found[0]?.['n'] ?? 0);
  },
  estimatedDocumentCount: (shell, own) => thing(ask(shell, own, { count: own.name })['n']),
  count: (shell, own, [filter]) => thing(ask(shell, own, { count: own.name, query: documentOf(filter) })['n']),
  distinct: (shell, own, [key, query]) =>
    thing(ask(shell, own, { distinct: own.name, key: valueOf(key) ?? '', query: documentOf(query) })['values']),
  createIndex(shell, own, [key, options]) {
    const name = indexName(documentOf(key));
    ask(shell, own, { createIndexes: own.name, indexes: [{ key: documentOf(key), name, ...documentOf(options) }] });
    return thing(fieldOf(documentOf(options), 'name') ?? name);
  },
  getIndexes: (shell, own) => thing(firstBatch(ask(shell, own, { listIndexes: own.name }))),
  dropIndex: (shell, own, [index]) => thing(ask(shell, own, { dropIndexes: own.name, index: valueOf(index) ?? '' })),
  drop(shell, own) {
    ask(shell, own, { drop: own.name });
    return thing(true);
  },
  getName: (_shell, own) => thing(own.name),
};
