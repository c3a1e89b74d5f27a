import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { EXEC, exit, type Program } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { findCommand } from '../../../tools/framework/command.js';
import { defineServer, type Connection, type Running } from '../../serve.js';
import { expiry, findItem, makeCache, putItem, removeItem, type Cache, type Item } from './items.js';

type Own = {
  port: number;
  problem: string;
  wantsVersion: boolean;
  cache: Cache;
  startedAt: number;
  connections: number;
};
type Server = Running<Own>;

const LATEST = '1.6.40';
const MAX_KEY = 250;
const MAX_VALUE = 1_048_576;
const MAX_LINE = 8_192;
const MAX_TURN = 200;
const MAX_UNSENT = 4 << 20;
const STORES = ['set', 'add', 'replace', 'append', 'prepend', 'cas'];
const BAD_FORMAT = 'CLIENT_ERROR bad command line format\r\n';

const versionOf = ({ env }: Syscalls): string => env['MEMCACHED_VERSION'] ?? LATEST;

function start(argv: readonly Bytes[], sys: Syscalls): Own {
  const own = { port: 11_211, problem: '', wantsVersion: false, startedAt: sys.now, connections: 0 };
  let megabytes = 64;
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at]!;
    const cut = word.indexOf('=');
    const name = word.startsWith('--') ? word.slice(2, cut < 0 ? undefined : cut) : word.slice(1, 2);
    const value = (): string =>
      word.startsWith('--') && cut >= 0
        ? word.slice(cut + 1)
        : !word.startsWith('--') && word.length > 2
          ? word.slice(2)
          : (argv[++at] ?? '');
    if (name === 'p' || name === 'port') own.port = Number(value());
    else if (name === 'm' || name === 'memory-limit') megabytes = Number(value()) || 64;
    else if (
      [
        'c',
        'conn-limit',
        't',
        'threads',
        'I',
        'max-item-size',
        'l',
        'listen',
        'U',
        'udp-port',
        'u',
        'user',
        'o',
        'extended',
      ].includes(name)
    )
      value();
    else if (name === 'V' || name === 'version') own.wantsVersion = true;
    else if (!/^-v{1,3}$/.test(word) && !['M', 'k', 'C', 'L', 'r', 'd', 'disable-evictions', 'verbose'].includes(name))
      own.problem = `memcached: unrecognized option '${word}'\nIllegal argument "?"\n`;
  }
  return { ...own, cache: makeCache(megabytes) };
}

function begin(server: Server): void {
  const { own, sys } = server;
  if (own.wantsVersion) {
    server.out(`memcached ${versionOf(sys)}\n`);
    return server.exit(0);
  }
  if (own.problem !== '') {
    server.err(own.problem);
    return server.exit(64);
  }
  try {
    server.listen(own.port);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    server.err(`bind(): ${error.message}\nfailed to listen on TCP port ${own.port}: ${error.message}\n`);
    server.exit(71);
  }
}

/** Takes the commands that are whole. */
function receive(server: Server, connection: Connection): void {
  for (let turn = 0; turn < MAX_TURN && !connection.closes && connection.unsent.length < MAX_UNSENT; turn++) {
    const end = connection.received.indexOf('\n');
    if (end < 0) {
      if (connection.received.length <= MAX_LINE) return;
      connection.unsent += 'CLIENT_ERROR line too long\r\n';
      connection.closes = true;
      return;
    }
    const line = connection.received.slice(0, end).replace(/\r$/, '');
    const words = line.split(' ').filter(Boolean);
    const [name = ''] = words;
    server.sys.charge(20 + (end >> 3));
    if (STORES.includes(name)) {
      if (!store(server, connection, words, end + 1)) return;
      continue;
    }
    connection.received = connection.received.slice(end + 1);
    const answer = run(server, connection, words);
    if (words.at(-1) !== 'noreply') connection.unsent += answer;
  }
}

/** False: its data are not there yet. */
function store(server: Server, connection: Connection, words: readonly string[], from: number): boolean {
  const { own, sys } = server;
  const [name = '', key = '', flags = '', seconds = '', length = '', unique = ''] = words;
  const size = /^\d{1,9}$/.test(length) ? Number(length) : -1;
  const isSilent = words.at(-1) === 'noreply';
  const reply = (text: string): void => {
    if (!isSilent) connection.unsent += `${text}\r\n`;
  };
  if (size < 0 || !/^\d{1,10}$/.test(flags) || !/^-?\d{1,10}$/.test(seconds) || key.length > MAX_KEY) {
    connection.received = connection.received.slice(from);
    connection.unsent += words.length < 5 ? 'ERROR\r\n' : BAD_FORMAT;
    return true;
  }
  if (size > MAX_VALUE) {
    connection.unsent += 'SERVER_ERROR object too large for cache\r\n';
    connection.closes = true;
    return true;
  }
  if (connection.received.length < from + size + 2) return false;
  const value = connection.received.slice(from, from + size);
  const isEnded = connection.received.startsWith('\r\n', from + size);
  connection.received = connection.received.slice(from + size + 2);
  if (!isEnded) {
    connection.unsent += 'CLIENT_ERROR bad data chunk\r\n';
    return true;
  }
  own.cache.stats.sets++;
  const known = findItem(own.cache, key, sys.now);
  reply(
    keep(
      own.cache,
      name,
      key,
      { value, flags: Number(flags), expiresAt: expiry(Number(seconds), sys.now) },
      known,
      unique,
    ),
  );
  sys.setMemory((4 << 20) + own.cache.bytes);
  return true;
}

function keep(
  cache: Cache,
  name: string,
  key: Bytes,
  item: Omit<Item, 'cas'>,
  known: Item | undefined,
  unique: string,
): string {
  if (
    name === 'add'
      ? known !== undefined
      : (name === 'replace' || name === 'append' || name === 'prepend') && known === undefined
  )
    return 'NOT_STORED';
  if (name === 'cas' && known === undefined) return 'NOT_FOUND';
  if (name === 'cas' && String(known!.cas) !== unique) return 'EXISTS';
  if (name === 'append' || name === 'prepend') {
    const value = name === 'append' ? known!.value + item.value : item.value + known!.value;
    if (value.length > MAX_VALUE) return 'SERVER_ERROR out of memory storing object';
    putItem(cache, key, { ...known!, value });
  } else putItem(cache, key, item);
  return 'STORED';
}

function run(server: Server, connection: Connection, [name = '', ...args]: readonly string[]): Bytes {
  const { own, sys } = server;
  const { cache } = own;
  switch (name) {
    case 'get':
    case 'gets':
      return args.length === 0 ? 'ERROR\r\n' : get(cache, args, sys.now, name === 'gets');
    case 'delete':
      if (args.length === 0) return 'ERROR\r\n';
      findItem(cache, args[0]!, sys.now);
      return removeItem(cache, args[0]!) ? 'DELETED\r\n' : 'NOT_FOUND\r\n';
    case 'incr':
    case 'decr':
      return count(cache, name, args, sys.now);
    case 'touch': {
      const item = findItem(cache, args[0] ?? '', sys.now);
      if (args.length < 2 || !/^-?\d+$/.test(args[1]!)) return 'ERROR\r\n';
      if (item === undefined) return 'NOT_FOUND\r\n';
      item.expiresAt = expiry(Number(args[1]), sys.now);
      return 'TOUCHED\r\n';
    }
    case 'flush_all':
      cache.items = {};
      cache.bytes = 0;
      return 'OK\r\n';
    case 'version':
      return `VERSION ${versionOf(sys)}\r\n`;
    case 'verbosity':
      return 'OK\r\n';
    case 'stats':
      return args.length === 0 ? statistics(server) : args[0] === 'reset' ? 'RESET\r\n' : 'END\r\n';
    case 'quit':
      connection.closes = true;
      return '';
    default:
      return 'ERROR\r\n';
  }
}

function get(cache: Cache, keys: readonly Bytes[], now: number, isUnique: boolean): Bytes {
  let answer = '';
  for (const key of keys) {
    if (key.length > MAX_KEY) return BAD_FORMAT;
    const item = findItem(cache, key, now, true);
    cache.stats.gets++;
    if (item === undefined) cache.stats.misses++;
    else {
      cache.stats.hits++;
      answer += `VALUE ${key} ${item.flags} ${item.value.length}${isUnique ? ` ${item.cas}` : ''}\r\n${item.value}\r\n`;
    }
    if (answer.length > MAX_UNSENT) break;
  }
  return `${answer}END\r\n`;
}

function count(cache: Cache, name: string, [key = '', by = '']: readonly string[], now: number): Bytes {
  if (!/^\d{1,20}$/.test(by)) return by === '' ? 'ERROR\r\n' : 'CLIENT_ERROR invalid numeric delta argument\r\n';
  const item = findItem(cache, key, now);
  if (item === undefined) return 'NOT_FOUND\r\n';
  if (!/^\d{1,20}$/.test(item.value)) return 'CLIENT_ERROR cannot increment or decrement non-numeric value\r\n';
  const before = BigInt(item.value);
  const after =
    name === 'incr' ? BigInt.asUintN(64, before + BigInt(by)) : before > BigInt(by) ? before - BigInt(by) : 0n;
  putItem(cache, key, { ...item, value: String(after) });
  return `${after}\r\n`;
}

function statistics({ own, sys, connections }: Server): Bytes {
  const { cache, startedAt } = own;
  const { gets, sets, hits, misses, evictions, total } = cache.stats;
  const facts: readonly (readonly [string, number | string])[] = [
    ...([
      ['pid', sys.pid],
      ['uptime', Math.floor((sys.now - startedAt) / 1_000)],
    ] as const),
    ...([
      ['time', Math.floor(sys.now / 1_000)],
      ['version', versionOf(sys)],
      ['pointer_size', 64],
    ] as const),
    ...([
      ['max_connections', 1_024],
      ['curr_connections', connections.length],
      ['total_connections', own.connections],
    ] as const),
    ...([
      ['cmd_get', gets],
      ['cmd_set', sets],
      ['get_hits', hits],
      ['get_misses', misses],
    ] as const),
    ...([
      ['limit_maxbytes', 67_108_864],
      ['threads', 4],
      ['bytes', cache.bytes],
    ] as const),
    ...([
      ['curr_items', Object.keys(cache.items).length],
      ['total_items', total],
      ['evictions', evictions],
    ] as const),
  ];
  return `${facts.map(([name, value]) => `STAT ${name} ${value}\r\n`).join('')}END\r\n`;
}

const memcached = defineServer<Own>({
  signals: ['TERM', 'INT'],
  start,
  begin,
  signal(server, name) {
    server.err(`Signal handled: ${name === 'INT' ? 'Interrupt' : 'Terminated'}.\n`);
    server.exit(0);
  },
  connect(server) {
    server.own.connections++;
  },
  receive,
});

/** docker-entrypoint.sh: options alone are the server's. */
const entrypoint: Program<null> = {
  start: () => null,
  step(_state, sys) {
    const given = sys.argv.slice(1);
    const words = given[0] === undefined || given[0].startsWith('-') ? ['memcached', ...given] : given;
    try {
      sys.exec(findCommand(sys, words[0]!), words);
      return EXEC;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      sys.write(2, `/usr/local/bin/docker-entrypoint.sh: 7: exec: ${words[0]}: not found\n`);
      return exit(127);
    }
  },
};

/** Memcached as its image has it: what it keeps is gone with its process. */
export const programs: Readonly<Record<string, Program>> = {
  'memcached:memcached': memcached,
  'memcached:entrypoint': entrypoint as unknown as Program,
};
