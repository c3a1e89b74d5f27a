import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { FIXED, putSetting } from '../configuration.js';
import { measure } from '../database.js';
import { LATEST } from '../lines.js';
import type { Client } from '../own.js';
import { array, bulk, bulks, CommandFailure, integer, OK, simple } from '../resp.js';
import { describeReplication } from '../replication/info.js';
import { saveSnapshot } from '../snapshot.js';
import { matchGlob, type CommandContext, type Commands } from './command.js';

function authenticate({ server, connection, args }: CommandContext): Bytes {
  const secret = server.own.configuration['requirepass'];
  if (secret === '' && args.length === 1)
    throw new CommandFailure(
      'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?',
    );
  const user = args.length > 1 ? args[0] : 'default';
  if (args.length > 2) throw new CommandFailure('ERR syntax error');
  if (user !== 'default' || (secret !== '' && args.at(-1) !== secret))
    throw new CommandFailure('WRONGPASS invalid username-password pair or user is disabled.');
  (connection.own as Client).isAuthenticated = true;
  return OK;
}

/** HELLO: what the server is, in the protocol that the client asks for. */
function greet(context: CommandContext): Bytes {
  const { server, connection, args } = context;
  const client = connection.own as Client;
  const [version, ...options] = args;
  if (version !== undefined && version !== '2' && version !== '3')
    throw new CommandFailure(
      /^\d+$/.test(version)
        ? 'NOPROTO unsupported protocol version'
        : 'ERR Protocol version is not an integer or out of range',
    );
  for (let i = 0; i < options.length; i++) {
    const word = options[i]!.toUpperCase();
    if (word === 'AUTH' && i + 2 < options.length) authenticate({ ...context, args: [options[++i]!, options[++i]!] });
    else if (word === 'SETNAME' && i + 1 < options.length) client.name = options[++i]!;
    else throw new CommandFailure(`ERR Syntax error in HELLO option '${options[i]}'`);
  }
  if (!client.isAuthenticated && server.own.configuration['requirepass'] !== '')
    throw new CommandFailure(
      'NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time',
    );
  if (version !== undefined) client.protocol = version === '3' ? 3 : 2;
  const role = server.own.configuration['replicaof'] === '' ? 'master' : 'replica';
  const fields = [
    ...[bulk('server'), bulk('redis'), bulk('version'), bulk(server.sys.env['REDIS_VERSION'] ?? LATEST)],
    ...[bulk('proto'), integer(client.protocol), bulk('id'), integer(server.own.connections)],
    ...[bulk('mode'), bulk('standalone'), bulk('role'), bulk(role), bulk('modules'), array([])],
  ];
  return array(fields);
}

function configure({ server, args }: CommandContext): Bytes {
  const [verb = '', ...words] = args;
  const { configuration } = server.own;
  const kind = verb.toUpperCase();
  if (kind === 'GET' && words.length > 0) {
    const found = Object.entries(configuration).filter(([name]) =>
      words.some((pattern) => matchGlob(pattern.toLowerCase(), name)),
    );
    return bulks(found.flat());
  }
  if (kind === 'SET' && words.length >= 2 && words.length % 2 === 0) {
    const next = { ...configuration };
    for (let i = 0; i < words.length; i += 2) {
      const name = words[i]!.toLowerCase();
      if (!Object.hasOwn(configuration, name))
        throw new CommandFailure(`ERR Unknown option or number of arguments for CONFIG SET - '${words[i]}'`);
      const problem = FIXED.includes(name) ? "can't set immutable config" : putSetting(next, name, words[i + 1]!);
      if (problem !== undefined)
        throw new CommandFailure(`ERR CONFIG SET failed (possibly related to argument '${name}') - ${problem}`);
    }
    Object.assign(configuration, next);
    return OK;
  }
  if (kind === 'RESETSTAT' && words.length === 0) return OK;
  if (kind === 'GET' || kind === 'SET')
    throw new CommandFailure(`ERR wrong number of arguments for 'config|${verb.toLowerCase()}' command`);
  throw new CommandFailure(`ERR unknown subcommand '${verb}'. Try CONFIG HELP.`);
}

function save({ server }: CommandContext): void {
  try {
    saveSnapshot(server.sys, server.own);
  } catch (error) {
    if (error instanceof SystemError) throw new CommandFailure('ERR');
    throw error;
  }
}

/** Sections as real servers print them; only what is known here. */
function describe({ server, now, args }: CommandContext): Bytes {
  const { own, sys, connections } = server;
  const bytes = measure(own.databases);
  const seconds = Math.floor((now - own.startedAt) / 1_000);
  const sections: Readonly<Record<string, readonly string[]>> = {
    Server: [
      `redis_version:${sys.env['REDIS_VERSION'] ?? LATEST}`,
      'redis_mode:standalone',
      'arch_bits:64',
      `process_id:${sys.pid}`,
      `tcp_port:${own.configuration['port']}`,
      `uptime_in_seconds:${seconds}`,
      `uptime_in_days:${Math.floor(seconds / 86_400)}`,
    ],
    Clients: [`connected_clients:${connections.length}`],
    Memory: [
      `used_memory:${bytes}`,
      `maxmemory:${own.configuration['maxmemory']}`,
      `maxmemory_policy:${own.configuration['maxmemory-policy']}`,
    ],
    Persistence: [
      `loading:0`,
      `rdb_changes_since_last_save:${own.dirty}`,
      `rdb_last_save_time:${Math.floor(own.savedAt / 1_000)}`,
      `aof_enabled:${own.configuration['appendonly'] === 'yes' ? 1 : 0}`,
    ],
    Stats: [`total_connections_received:${own.connections}`, `total_commands_processed:${own.commands}`],
    Replication: describeReplication(server),
    Keyspace: own.databases.flatMap((database, i) => {
      const entries = Object.values(database).filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
      const expires = entries.filter(({ expiresAt }) => expiresAt !== null).length;
      return entries.length === 0 ? [] : [`db${i}:keys=${entries.length},expires=${expires},avg_ttl=0`];
    }),
  };
  const wanted = args
    .map((word) => word.toLowerCase())
    .filter((word) => !['all', 'default', 'everything'].includes(word));
  return bulk(
    Object.entries(sections)
      .filter(([name]) => wanted.length === 0 || wanted.includes(name.toLowerCase()))
      .map(([name, lines]) => `# ${name}\r\n${lines.map((line) => `${line}\r\n`).join('')}`)
      .join('\r\n'),
  );
}

const hasChannels = (context: CommandContext): boolean => (context.connection.own as Client).channels.length > 0;

const MAX_CHANNELS = 1_000;

function subscribe({ connection, args }: CommandContext): Bytes {
  const client = connection.own as Client;
  return args
    .map((channel) => {
      if (!client.channels.includes(channel)) client.channels.push(channel);
      if (client.channels.length > MAX_CHANNELS) throw new CommandFailure('ERR too many subscriptions');
      return array([bulk('subscribe'), bulk(channel), integer(client.channels.length)]);
    })
    .join('');
}

function unsubscribe({ connection, args }: CommandContext): Bytes {
  const client = connection.own as Client;
  const leaving: (Bytes | undefined)[] = args.length > 0 ? [...args] : [...client.channels];
  if (leaving.length === 0) leaving.push(undefined);
  return leaving
    .map((channel) => {
      client.channels = client.channels.filter((other) => other !== channel);
      return array([bulk('unsubscribe'), bulk(channel), integer(client.channels.length)]);
    })
    .join('');
}

/** Bytes that wait for a subscriber before it is dropped. */
const MAX_UNSENT = 8 << 20;

function publish({ server, args }: CommandContext): Bytes {
  const [channel = '', message = ''] = args;
  const listeners = server.connections.filter(({ own }) => (own as Client).channels.includes(channel));
  for (const listener of listeners) {
    listener.unsent += bulks(['message', channel, message]);
    if (listener.unsent.length > MAX_UNSENT) listener.closes = true;
  }
  return integer(listeners.length);
}

export const serverCommands: Commands = {
  ping: {
    arity: -1,
    run: (context) => {
      if (context.args.length > 1) throw new CommandFailure("ERR wrong number of arguments for 'ping' command");
      if (hasChannels(context)) return bulks(['pong', context.args[0] ?? '']);
      return context.args.length === 1 ? bulk(context.args[0]) : simple('PONG');
    },
  },
  echo: { arity: 2, run: ({ args }) => bulk(args[0]) },
  auth: { arity: -2, run: authenticate },
  hello: { arity: -1, run: greet },
  info: { arity: -1, run: describe },
  config: { arity: -2, run: configure },
  time: { arity: 1, run: ({ now }) => bulks([String(Math.floor(now / 1_000)), String((now % 1_000) * 1_000)]) },
  lastsave: { arity: 1, run: ({ server }) => integer(Math.floor(server.own.savedAt / 1_000)) },
  save: {
    arity: 1,
    run: (context) => {
      save(context);
      return OK;
    },
  },
  bgsave: {
    arity: -1,
    run: (context) => {
      save(context);
      return simple('Background saving started');
    },
  },
  quit: {
    arity: -1,
    run: ({ connection }) => {
      connection.closes = true;
      return OK;
    },
  },
  subscribe: { arity: -2, run: subscribe },
  unsubscribe: { arity: -1, run: unsubscribe },
  publish: { arity: 3, run: publish },
};
