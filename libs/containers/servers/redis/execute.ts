import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Connection, Running } from '../serve.js';
import { hashes, sets } from './commands/collections.js';
import type { Blocking, Command, Commands } from './commands/command.js';
import { groups } from './commands/groups.js';
import { keyspace } from './commands/keys.js';
import { lists } from './commands/lists.js';
import { serverCommands } from './commands/server.js';
import { sortedSets } from './commands/sorted-sets.js';
import { streams } from './commands/streams.js';
import { strings } from './commands/strings.js';
import { endTransaction, hasChanged, MAX_QUEUED, NOT_QUEUED, transactions } from './commands/transactions.js';
import { Keys, measure } from './database.js';
import type { Client, Own } from './own.js';
import { replicationCommands } from './replication/commands.js';
import { feed } from './replication/feed.js';
import { array, CommandFailure, failure, NIL_ARRAY, simple } from './resp.js';

const COMMANDS: Commands = {
  ...strings,
  ...keyspace,
  ...hashes,
  ...lists,
  ...sets,
  ...sortedSets,
  ...streams,
  ...groups,
  ...serverCommands,
  ...replicationCommands,
  ...transactions,
  exec: { arity: 1, run: ({ server, connection }) => runTransaction(server, connection) },
};

/** Bytes of data that one server keeps, whatever its configuration says. */
const MAX_BYTES = 8 << 20;
const BASE_BYTES = 8 << 20;
const WORD_BYTES = 80;
const WITHOUT_SECRET: readonly string[] = ['auth', 'quit', 'hello'];
const MAX_SHOWN = 128;
const WITH_CHANNELS: readonly string[] = ['subscribe', 'unsubscribe', 'ping', 'quit'];

/** The command's own name, by the name that the configuration has given it. */
function ownNameOf(given: string, renamed: Own['renamed']): string | undefined {
  const original = Object.keys(renamed).find((name) => renamed[name] === given);
  return original ?? (Object.hasOwn(renamed, given) ? undefined : given);
}

function find(words: readonly Bytes[], renamed: Own['renamed']): { readonly name: string; readonly command: Command } {
  const [given = '', ...args] = words;
  const name = ownNameOf(given.toLowerCase(), renamed) ?? '';
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    let shown = '';
    for (const word of args) if (shown.length < MAX_SHOWN) shown += `'${word.slice(0, MAX_SHOWN - shown.length)}' `;
    throw new CommandFailure(`ERR unknown command '${given.slice(0, MAX_SHOWN)}', with args beginning with: ${shown}`);
  }
  const { arity } = command;
  if (arity >= 0 ? words.length !== arity : words.length < -arity)
    throw new CommandFailure(`ERR wrong number of arguments for '${name}' command`);
  return { name, command };
}

/** Runs a command; errors are replies. */
export function execute(
  server: Running<Own>,
  connection: Connection,
  words: readonly Bytes[],
  now = server.sys.now,
): Bytes | Blocking {
  const client = connection.own as Client;
  const { own } = server;
  try {
    const { name, command } = find(words, own.renamed);
    own.commands++;
    if (!client.isAuthenticated && own.configuration['requirepass'] !== '' && !WITHOUT_SECRET.includes(name))
      throw new CommandFailure('NOAUTH Authentication required.');
    if (client.channels.length > 0 && !WITH_CHANNELS.includes(name))
      throw new CommandFailure(
        `ERR Can't execute '${name}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context`,
      );
    if (client.queued !== null && !NOT_QUEUED.includes(name)) {
      if (client.queued.length >= MAX_QUEUED) throw new CommandFailure('ERR too many commands in a transaction');
      client.queued.push([...words]);
      return simple('QUEUED');
    }
    if (command.writes !== undefined && client.master === null && isReadOnly(own))
      throw new CommandFailure("READONLY You can't write against a read only replica.");
    if (command.writes === 'grows' && client.master === null) reserve(server, words);
    const keys = new Keys(own.databases[client.database]!, now);
    const reply = command.run({ server, connection, keys, now, args: words.slice(1) });
    if (command.writes !== undefined && typeof reply === 'string') {
      own.dirty++;
      if (command.writes !== 'grows') own.isFull = false;
      feed(server, client.database, words, reply, now);
    }
    return reply;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    if (client.queued !== null && !NOT_QUEUED.includes((words[0] ?? '').toLowerCase())) client.isAborted = true;
    return failure(error.message);
  }
}

const isReadOnly = ({ configuration }: Own): boolean =>
  configuration['replicaof'] !== '' && configuration['replica-read-only'] !== 'no';

/** EXEC: the commands that were queued, one after another; what would wait finds nothing. */
function runTransaction(server: Running<Own>, connection: Connection): Bytes {
  const client = connection.own as Client;
  const { queued, isAborted } = client;
  if (queued === null) throw new CommandFailure('ERR EXEC without MULTI');
  const isStale = hasChanged(server.own, client);
  endTransaction(client);
  if (isAborted) throw new CommandFailure('EXECABORT Transaction discarded because of previous errors.');
  if (isStale) return NIL_ARRAY;
  const replies = queued.map((words) => execute(server, connection, words));
  return array(replies.map((reply) => (typeof reply === 'string' ? reply : NIL_ARRAY)));
}

/** Counts what a command adds; measures all data when that could be too much. Left out: eviction. */
function reserve({ own, sys }: Running<Own>, words: readonly Bytes[]): void {
  const size = words.reduce((sum, word) => sum + word.length + WORD_BYTES, 0);
  const configured = Number(own.configuration['maxmemory']);
  const most = configured > 0 ? Math.min(configured, MAX_BYTES) : MAX_BYTES;
  if (own.bytes + size > most && !own.isFull) {
    own.bytes = measure(own.databases);
    sys.charge(own.bytes >> 5);
    own.isFull = own.bytes + size > most - (most >> 4);
  }
  if (own.isFull) throw new CommandFailure("OOM command not allowed when used memory > 'maxmemory'.");
  own.bytes += size;
  sys.setMemory(BASE_BYTES + own.bytes);
}
