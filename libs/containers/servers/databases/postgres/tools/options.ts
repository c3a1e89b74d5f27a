import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../../tools/accounts.js';
import { socketDirectory } from '../server/files.js';
import type { Target } from './connection.js';

/** The name of the process' user: libpq's default. */
export function userName(sys: Syscalls): string {
  for (const line of readSmallFile(sys, '/etc/passwd').split('\n')) {
    const [name = '', , id] = line.split(':');
    if (id === String(sys.user)) return name;
  }
  return String(sys.user);
}

export function defaultTarget(sys: Syscalls, application: string): Target {
  const { env } = sys;
  return {
    sockets: socketDirectory(sys),
    host: env['PGHOST'] ?? '',
    port: env['PGPORT'] ?? '5432',
    user: env['PGUSER'] ?? '',
    database: env['PGDATABASE'] ?? '',
    password: env['PGPASSWORD'] ?? null,
    application,
  };
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** `postgresql://user:password@host:port/name`, `host=db user=me`, or a name. */
export function readDatabaseName(text: string, target: Target): void {
  const uri = /^postgres(?:ql)?:\/\/(?:([^@/]*)@)?([^/?]*)(?:\/([^?]*))?/.exec(text);
  if (uri) {
    const [, login, place = '', name] = uri;
    const [user, password] = (login ?? '').split(':');
    const [host, port] = place.split(':');
    if (user) target.user = decode(user);
    if (password !== undefined) target.password = decode(password);
    if (host) target.host = host;
    if (port) target.port = port;
    if (name) target.database = decode(name);
    return;
  }
  if (!text.includes('=')) {
    target.database = text;
    return;
  }
  for (const pair of text.split(/\s+/)) {
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1).replace(/^'(.*)'$/, '$1');
    const key = {
      host: 'host',
      hostaddr: 'host',
      port: 'port',
      user: 'user',
      dbname: 'database',
      password: 'password',
    }[pair.slice(0, at)] as 'host' | 'port' | 'user' | 'database' | 'password' | undefined;
    if (key) target[key] = value;
  }
}

/** Fills in what was not given. */
export function completeTarget(target: Target, sys: Syscalls): void {
  if (target.user === '') target.user = userName(sys);
  if (target.database === '') target.database = target.user;
}

export interface OptionSpec {
  /** Short and long names that take a value, by their meaning. */
  readonly values: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, string>>;
}
export type Options = {
  readonly given: [name: string, value: string][];
  readonly words: string[];
  readonly wrong?: string;
};

const CONNECTION = {
  ...{
    h: 'host',
    p: 'port',
    U: 'user',
    d: 'database',
    host: 'host',
    port: 'port',
    username: 'user',
    dbname: 'database',
  },
};

/** getopt_long: options in their order, and words. A program's own flag comes before a letter of the connection. */
export function readOptions(args: readonly string[], { values, flags }: OptionSpec): Options {
  const takes: Readonly<Record<string, string>> = { ...CONNECTION, ...values };
  const given: [string, string][] = [];
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (word === '--') return { given, words: [...words, ...args.slice(at + 1)] };
    if (word.startsWith('--')) {
      const cut = word.indexOf('=');
      const name = word.slice(2, cut < 0 ? undefined : cut);
      if (Object.hasOwn(flags, name)) given.push([flags[name]!, '']);
      else if (Object.hasOwn(takes, name))
        given.push([takes[name]!, cut < 0 ? (args[++at] ?? '') : word.slice(cut + 1)]);
      else return { given, words, wrong: `unrecognized option '--${name}'` };
    } else if (word.startsWith('-') && word.length > 1) {
      for (let i = 1; i < word.length; i++) {
        const letter = word[i]!;
        if (Object.hasOwn(flags, letter)) {
          given.push([flags[letter]!, '']);
          continue;
        }
        if (Object.hasOwn(takes, letter)) {
          const value = word.slice(i + 1) || args[++at];
          if (value === undefined) return { given, words, wrong: `option requires an argument -- '${letter}'` };
          given.push([takes[letter]!, value]);
          break;
        }
        return { given, words, wrong: `invalid option -- '${letter}'` };
      }
    } else words.push(word);
  }
  return { given, words };
}

/** What of the options says where to connect. */
export function applyConnection({ given }: Options, target: Target): void {
  for (const [name, value] of given) {
    if (name === 'host' || name === 'port' || name === 'user') target[name] = value;
    if (name === 'database') readDatabaseName(value, target);
  }
}
