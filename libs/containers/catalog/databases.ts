import type { FileNode, ImageFiles } from '../../engine/kernel/files/file.js';
import { directory, file, joinLayers, readPrograms, withAccounts, type Account } from '../layers/index.js';
import { MONGO_ENTRYPOINT } from './mongo/entrypoint.js';
import { RABBITMQ_ENTRYPOINT } from './rabbitmq/entrypoint.js';
import { alpine, debian, releaseOf, shareLayer, ubuntu } from './bases.js';

interface Database {
  readonly base: (tag: string) => ImageFiles;
  readonly account: Account;
  /** Directories that belong to its user. */
  readonly own: readonly string[];
  readonly files: ImageFiles;
  /** Clients, as lists of programs. */
  readonly programs: readonly string[];
}

const DATABASES: Readonly<Record<string, Database>> = {
  mongo: {
    base: () => ubuntu(),
    account: ['mongodb', 999, 999, '', '/data/db', '/bin/sh'],
    own: ['/data/db', '/data/configdb'],
    files: {
      '/docker-entrypoint-initdb.d': directory(),
      '/etc/mongod.conf.orig': file('net:\n  port: 27017\n'),
      '/usr/local/bin/docker-entrypoint.sh': file(MONGO_ENTRYPOINT, 0o755),
    },
    programs: ['/usr/bin mongo mongod mongosh mongo=mongo:mongosh', '/usr/local/bin tool gosu'],
  },
  rabbitmq: {
    base: (tag) => (tag.includes('alpine') ? alpine(tag) : ubuntu()),
    account: ['rabbitmq', 999, 999, '', '/var/lib/rabbitmq', '/bin/bash'],
    own: ['/var/lib/rabbitmq', '/var/log/rabbitmq', '/etc/rabbitmq'],
    files: {
      '/etc/rabbitmq/conf.d/10-defaults.conf': file('loopback_users.guest = false\nlog.console = true\n'),
      '/etc/rabbitmq/enabled_plugins': file('[rabbitmq_prometheus].\n'),
      '/usr/local/bin/docker-entrypoint.sh': file(RABBITMQ_ENTRYPOINT, 0o755),
    },
    programs: [
      '/opt/rabbitmq/sbin rabbitmq rabbitmq-server rabbitmqctl rabbitmq-diagnostics=rabbitmq:rabbitmqctl',
      '/usr/local/bin tool gosu su-exec=tool:gosu',
    ],
  },
  memcached: {
    base: (tag) => (tag.includes('alpine') ? alpine(tag) : debian(tag)),
    account: ['memcache', 11_211, 11_211, '', '/home/memcache', '/bin/sh'],
    own: [],
    files: {},
    programs: ['/usr/local/bin memcached memcached docker-entrypoint.sh=memcached:entrypoint'],
  },
};

/** The files of a database's image: its base, user, directories and clients. */
export function databaseFiles(name: string, tag = ''): ImageFiles {
  const { base, account, own, files, programs } = DATABASES[name]!;
  const below = base(tag);
  const hasManagement = name === 'rabbitmq' && tag.includes('management');
  return shareLayer(`${name} ${releaseOf(below)}${hasManagement ? ' management' : ''}`, () => {
    const [user, id, group] = account;
    const owned = own.map((path): [string, FileNode] => [path, { ...directory(), user: id, group }]);
    const layers = [below, files, Object.fromEntries(owned), ...programs.map((list) => readPrograms(list))];
    if (hasManagement)
      layers.push({ '/etc/rabbitmq/enabled_plugins': file('[rabbitmq_management,rabbitmq_prometheus].\n') });
    return withAccounts(joinLayers(...layers), [account], [[user, group]]);
  });
}
