import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { int, OPERATION, text } from '../wire.js';

/** A command of zkCli as the client understood it; `type` is that of its request. */
export type Command = { name: string; type: number; path: Bytes; body: Bytes; showsStat: boolean };

/** Everybody may do everything: what zkCli asks for when no list is given. */
const OPEN_LIST = int(1) + int(31) + text('world') + text('anyone');

const USAGES: Readonly<Record<string, string>> = {
  create: 'create [-s] [-e] [-c] [-t ttl] path [data] [acl]',
  delete: 'delete [-v version] path',
  get: 'get [-s] [-w] path',
  getAcl: 'getAcl [-s] path',
  ls: 'ls [-s] [-w] [-R] path',
  set: 'set [-s] [-v version] path data',
  stat: 'stat [-w] path',
  sync: 'sync path',
};
export const HELP = `ZooKeeper -server host:port -client-configuration properties-file cmd args\n${[
  ...Object.values(USAGES),
  'close',
  'quit',
  'version',
]
  .sort()
  .map((usage) => `\t${usage}\n`)
  .join('')}`;

/** Options of ours; others have no meaning here. */
const FLAGS = ['-s', '-e', '-v'];

/** Reads a command's words; a text is what is said instead. */
export function readCommand(words: readonly Bytes[], isOld: boolean): Command | string {
  const [name = '', ...rest] = words;
  const flags = new Set(rest.filter((word) => /^-[a-zA-Z]$/.test(word)));
  const usage = USAGES[name];
  if (usage === undefined)
    return `ZooKeeper -server host:port cmd args\nCommand not found: Command not found ${name}\n`;
  const unknown = [...flags].find((flag) => !FLAGS.includes(flag));
  if (unknown !== undefined) return `${name} ${unknown} is not simulated\n`;
  const versionAt = rest.indexOf('-v');
  const [path, data, third] = rest.filter((word, i) => !flags.has(word) && (versionAt < 0 || i !== versionAt + 1));
  if (path === undefined || (name === 'set' && data === undefined)) return `${usage}\n`;
  if (!path.startsWith('/')) return `Path must start with / character\n`;
  if (path.length > 1 && path.endsWith('/')) return 'Path must not end with / character\n';
  const old = isOld && (name === 'delete' ? data : name === 'set' ? third : undefined);
  const version = Number((old || rest[versionAt + 1]) ?? -1);
  const showsStat = flags.has('-s') || (isOld && (name === 'get' || name === 'set'));
  const make = (type: number, body: Bytes): Command => ({ name, type, path, body: text(path) + body, showsStat });
  switch (name) {
    case 'create':
      return make(
        OPERATION.create,
        text(data ?? '') + OPEN_LIST + int((flags.has('-e') ? 1 : 0) + (flags.has('-s') ? 2 : 0)),
      );
    case 'set':
      return make(OPERATION.set, text(data!) + int(versionAt < 0 && !old ? -1 : version));
    case 'delete':
      return make(OPERATION.delete, int(versionAt < 0 && !old ? -1 : version));
    case 'ls':
      return make(OPERATION.list2, '\0');
    case 'stat':
      return make(OPERATION.exists, '\0');
    case 'get':
      return make(OPERATION.get, '\0');
    case 'sync':
      return make(OPERATION.sync, '');
    default:
      return make(OPERATION.getAcl, '');
  }
}
