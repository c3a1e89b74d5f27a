import { MongoFailure } from '../failure.js';
import { fieldOf, isDocument, type Document } from '../data/value.js';
import { matches } from '../data/query.js';
import { collectionName, documentField, keep, listField, makeId, openCursor, type Call, type Commands } from './own.js';
import { findCollection, needCollection, needUnique, sizeOf, sortNames, type Index } from './store.js';

const MAX_INDEXES = 64;
const EMPTY_SIZE = 8_192;
const long = (value: number): Document => ({ $numberLong: String(value) });

const namesOf = ({ own, database }: Call): string[] => sortNames(Object.keys(own.databases[database] ?? {}));

/** What a driver learns first. */
function hello({ own, sys, document }: Call): Document {
  const wanted = fieldOf(document, 'saslSupportedMechs');
  return {
    ...{
      isWritablePrimary: true,
      ismaster: true,
      topologyVersion: { processId: makeIdOf(own.startedAt), counter: long(0) },
    },
    ...{ maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 },
    ...{ localTime: { $date: sys.now }, logicalSessionTimeoutMinutes: 30, connectionId: own.connections },
    ...{ minWireVersion: 0, maxWireVersion: 25, readOnly: false },
    ...(wanted === undefined ? {} : { saslSupportedMechs: ['SCRAM-SHA-256'] }),
    ok: 1,
  };
}

const makeIdOf = (at: number): Document => makeId({ now: at, random: () => 0.5 }) as Document;

function buildInfo({ own }: Call): Document {
  const [major = 0, minor = 0, patch = 0] = own.version.split('.').map(Number);
  return {
    ...{
      version: own.version,
      gitVersion: 'simulated',
      modules: [],
      allocator: 'tcmalloc-google',
      javascriptEngine: 'none',
    },
    ...{ sysInfo: 'deprecated', versionArray: [major, minor, patch, 0], bits: 64, debug: false },
    ...{ maxBsonObjectSize: 16_777_216, storageEngines: ['wiredTiger'], ok: 1 },
  };
}

function listDatabases({ own }: Call): Document {
  // Those that every server has, also when nobody has written to them.
  const names = sortNames([...new Set(['admin', 'config', 'local', ...Object.keys(own.databases)])]);
  const databases = names.map((name) => {
    const size = own.databases[name] ? Math.max(EMPTY_SIZE, sizeOf(own.databases[name])) : 0;
    return { name, sizeOnDisk: long(size + 32_768), empty: false };
  });
  return { databases, totalSize: long(databases.length * 40_960), totalSizeMb: long(0), ok: 1 };
}

function listCollections(call: Call): Document {
  const filter = documentField(call, 'filter');
  const found = namesOf(call).map((name): Document => ({
    ...{ name, type: 'collection', options: {}, info: { readOnly: false } },
    idIndex: { v: 2, key: { _id: 1 }, name: '_id_' },
  }));
  const fitting = found.filter((one) => matches(one, filter));
  return openCursor(call, `${call.database}.$cmd.listCollections`, fitting);
}

function create(call: Call): Document {
  const name = collectionName(call);
  if (findCollection(call.own.databases, call.database, name))
    throw new MongoFailure(48, `Collection ${call.database}.${name} already exists.`);
  const refused = ['capped', 'timeseries', 'viewOn', 'validator'].find((option) => fieldOf(call.document, option));
  if (refused !== undefined) throw new MongoFailure(2, `create with '${refused}' is not simulated`);
  needCollection(call.own.databases, call.database, name);
  keep(call);
  return { ok: 1 };
}

function drop(call: Call): Document {
  const name = collectionName(call);
  const collection = findCollection(call.own.databases, call.database, name);
  if (!collection) return { ok: 1 };
  delete call.own.databases[call.database]![name];
  keep(call);
  return { nIndexesWas: collection.indexes.length, ns: `${call.database}.${name}`, ok: 1 };
}

function dropDatabase(call: Call): Document {
  const isThere = call.own.databases[call.database] !== undefined;
  call.own.databases[call.database] = {};
  keep(call);
  return { ...(isThere ? { dropped: call.database } : {}), ok: 1 };
}

function createIndexes(call: Call): Document {
  const name = collectionName(call);
  const isNew = findCollection(call.own.databases, call.database, name) === undefined;
  const collection = needCollection(call.own.databases, call.database, name);
  const before = collection.indexes.length;
  for (const one of listField(call, 'indexes')) {
    const key = isDocument(one['key']) ? one['key'] : {};
    const index: Index = { name: String(one['name'] ?? ''), key, unique: Boolean(one['unique']) };
    if (Object.keys(key).length === 0) throw new MongoFailure(67, 'Index keys cannot be an empty object');
    const refused = Object.keys(one).find((option) => !['key', 'name', 'unique', 'background', 'v'].includes(option));
    if (refused !== undefined) throw new MongoFailure(67, `Index option '${refused}' is not simulated`);
    if (collection.indexes.some((known) => JSON.stringify(known.key) === JSON.stringify(key))) continue;
    if (collection.indexes.length >= MAX_INDEXES)
      throw new MongoFailure(67, `add index fails, too many indexes for ${call.database}.${name}`);
    collection.indexes.push(index);
    try {
      for (const document of collection.documents)
        needUnique(`${call.database}.${name}`, collection, document, document);
    } catch (error) {
      collection.indexes.pop();
      throw error;
    }
  }
  keep(call);
  return {
    numIndexesBefore: before,
    numIndexesAfter: collection.indexes.length,
    createdCollectionAutomatically: isNew,
    ok: 1,
  };
}

function listIndexes(call: Call): Document {
  const name = collectionName(call);
  const collection = findCollection(call.own.databases, call.database, name);
  if (!collection) throw new MongoFailure(26, `ns does not exist: ${call.database}.${name}`);
  const shown = collection.indexes.map((one): Document => ({
    v: 2,
    key: one.key,
    name: one.name,
    ...(one.unique && one.name !== '_id_' ? { unique: true } : {}),
  }));
  return openCursor(call, `${call.database}.${name}`, shown);
}

function dropIndexes(call: Call): Document {
  const name = collectionName(call);
  const collection = findCollection(call.own.databases, call.database, name);
  if (!collection) throw new MongoFailure(26, `ns not found ${call.database}.${name}`);
  const which = fieldOf(call.document, 'index') ?? '*';
  const before = collection.indexes.length;
  const isMeant = (one: Index): boolean => one.name === which || JSON.stringify(one.key) === JSON.stringify(which);
  if (which === '_id_') throw new MongoFailure(72, 'cannot drop _id index');
  if (which !== '*' && !collection.indexes.some(isMeant))
    throw new MongoFailure(27, `index not found with name [${String(which)}]`);
  collection.indexes = collection.indexes.filter((one) => one.name === '_id_' || !(which === '*' || isMeant(one)));
  keep(call);
  return { nIndexesWas: before, ok: 1 };
}

function dbStats(call: Call): Document {
  const all = Object.values(call.own.databases[call.database] ?? {});
  const objects = all.reduce((sum, { documents }) => sum + documents.length, 0);
  const dataSize = all.reduce((sum, { documents }) => sum + sizeOf(documents), 0);
  const indexes = all.reduce((sum, one) => sum + one.indexes.length, 0);
  return {
    db: call.database,
    collections: long(all.length),
    views: long(0),
    objects: long(objects),
    dataSize,
    storageSize: dataSize,
    indexes: long(indexes),
    ok: 1,
  };
}

function serverStatus({ own, sys }: Call): Document {
  const uptime = Math.floor((sys.now - own.startedAt) / 1_000);
  return {
    ...{ host: sys.hostname, version: own.version, process: 'mongod', pid: long(sys.pid), uptime },
    ...{ connections: { current: 1, totalCreated: own.connections }, storageEngine: { name: 'wiredTiger' }, ok: 1 },
  };
}

const noReplication = (): never => {
  throw new MongoFailure(76, 'not running with --replSet');
};
const ok = (): Document => ({ ok: 1 });

/** Commands about databases, collections, indexes and the server. */
export const admin: Commands = {
  ...{ hello, isMaster: hello, ismaster: hello, buildInfo, buildinfo: buildInfo, listDatabases, listCollections },
  ...{ create, drop, dropDatabase, createIndexes, listIndexes, dropIndexes, dbStats, dbstats: dbStats, serverStatus },
  ...{ ping: ok, endSessions: ok, replSetGetStatus: noReplication, replSetInitiate: noReplication },
  getParameter: () => ({ featureCompatibilityVersion: { version: '8.0' }, ok: 1 }),
  whatsmyuri: () => ({ you: '127.0.0.1', ok: 1 }),
  connectionStatus: ({ client }) => ({
    authInfo: {
      authenticatedUsers:
        client.user === null
          ? []
          : [{ user: client.user.split('.').slice(1).join('.'), db: client.user.split('.')[0]! }],
      authenticatedUserRoles: [],
    },
    ok: 1,
  }),
};
