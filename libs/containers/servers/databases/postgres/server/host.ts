import { Sqlite, type SqlCall } from '../../sqlite/sqlite.js';
import type { Running } from '../../../serve.js';
import type { Cluster } from '../sql/catalog.js';
import { PgFailure } from '../failure.js';
import {
  makeDatabase,
  readDatabase,
  readShared,
  removeDatabase,
  socketDirectory,
  writeDatabase,
  writeShared,
} from './files.js';
import { FUNCTIONS } from '../sql/functions.js';
import type { Client, Own } from './own.js';
import { manage } from '../sql/roles.js';
import { versionLine, versionOf } from '../server-version.js';
import type { Host } from './session.js';
import { DEFAULTS } from './settings.js';

const NONE = { roles: [], databases: [] };
const TEMPLATE = 1;

/** A session's server: its files and settings. */
export function hostOf(server: Running<Own>, client: Client): Host {
  const { sys, own, connections } = server;
  const { session } = client;
  const cluster = (): Cluster => {
    const { roles, databases } = readShared(sys, own.data) ?? NONE;
    const backends = connections
      .map((connection) => ({ connection, one: connection.own as Client }))
      .filter(({ one }) => one.phase === 'ready')
      .map(({ connection, one: { pid, session: of, state, query } }) => ({
        ...{ pid, database: of.database, user: of.user, application: of.application, state, query },
        address: connection.address.startsWith('127.') ? '' : connection.address,
      }));
    return { roles, databases, backends, settings: { ...DEFAULTS, ...own.settings, database: session.database } };
  };
  const oid = (): number => {
    const found = readShared(sys, own.data)?.databases.find(({ name }) => name === session.database);
    if (found) return found.oid;
    throw new PgFailure('3D000', `database "${session.database}" does not exist`, { severity: 'FATAL' });
  };
  let before = '';
  const callOf = (): SqlCall => ({
    now: session.block?.at ?? sys.now,
    ...{
      user: session.user,
      database: session.database,
      seed: session.block?.seed ?? Math.floor(sys.random() * 2 ** 31),
    },
    settings: {
      ...{
        ...own.settings,
        ...session.settings,
        version: versionLine(sys),
        pid: String(client.pid),
        size: String(before.length),
      },
      ...Object.fromEntries(cluster().roles.map(({ name }, i) => [`role ${i === 0 ? 10 : 25_384 + i}`, name])),
      started: new Date(own.startedAt).toISOString().slice(0, 23).replace('T', ' '),
    },
  });
  return {
    now: sys.now,
    cluster,
    open(begun) {
      before = readDatabase(sys, own.data, oid());
      return { sqlite: new Sqlite(before, FUNCTIONS, callOf(), begun), isNew: before === '' };
    },
    save: (content) => writeDatabase(sys, own.data, oid(), before, content),
    manage: (words) =>
      manage(words, {
        ...{ user: session.user, database: session.database, isInBlock: session.block !== null, cluster },
        random: () => sys.random(),
        storeRoles: (roles) =>
          writeShared(sys, own.data, { ...(readShared(sys, own.data) ?? NONE), roles: [...roles] }),
        storeDatabases: (databases) =>
          writeShared(sys, own.data, { ...(readShared(sys, own.data) ?? NONE), databases: [...databases] }),
        createDatabase(database, template) {
          const shared = readShared(sys, own.data) ?? NONE;
          const source = shared.databases.find(({ name }) => name === template)?.oid ?? TEMPLATE;
          makeDatabase(sys, own.data, database.oid);
          writeDatabase(sys, own.data, database.oid, '', readDatabase(sys, own.data, source));
          writeShared(sys, own.data, { ...shared, databases: [...shared.databases, database] });
        },
        dropDatabase(database) {
          const shared = readShared(sys, own.data) ?? NONE;
          writeShared(sys, own.data, {
            ...shared,
            databases: shared.databases.filter(({ oid: one }) => one !== database.oid),
          });
          removeDatabase(sys, own.data, database.oid);
        },
      }),
    defaultOf(name) {
      if (name === 'server_version') return versionOf(sys);
      if (name === 'data_directory') return own.data;
      if (name === 'config_file') return `${own.data}/postgresql.conf`;
      if (name === 'hba_file') return `${own.data}/pg_hba.conf`;
      if (name === 'unix_socket_directories') return socketDirectory(sys);
      return own.settings[name] ?? (Object.hasOwn(DEFAULTS, name) ? DEFAULTS[name] : undefined);
    },
  };
}
