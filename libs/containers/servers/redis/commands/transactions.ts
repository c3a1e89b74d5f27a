import { getIn } from '../database.js';
import type { Client, Own } from '../own.js';
import { CommandFailure, OK } from '../resp.js';
import type { CommandContext, Commands } from './command.js';

/** Commands that one transaction has. */
export const MAX_QUEUED = 10_000;
const MAX_WATCHED = 1_000;

const clientOf = ({ connection }: CommandContext): Client => connection.own as Client;

/** Those that are run, not queued, within MULTI. */
export const NOT_QUEUED: readonly string[] = ['multi', 'exec', 'discard', 'watch', 'quit'];

/** A key's entry as a text: the same as long as nobody has changed it. */
const stateOf = ({ databases }: Own, database: number, key: string): string =>
  JSON.stringify(getIn(databases[database]!, key) ?? null);

export function endTransaction(client: Client): void {
  Object.assign(client, { queued: null, isAborted: false, watched: [] });
}

export const hasChanged = (own: Own, { watched }: Client): boolean =>
  watched.some(({ database, key, state }) => stateOf(own, database, key) !== state);

function watch(context: CommandContext): string {
  const client = clientOf(context);
  if (client.queued !== null) throw new CommandFailure('ERR WATCH inside MULTI is not allowed');
  const { database } = client;
  for (const key of context.args)
    client.watched.push({ database, key, state: stateOf(context.server.own, database, key) });
  client.watched = client.watched.slice(-MAX_WATCHED);
  return OK;
}

/** What begins and leaves a transaction; EXEC runs it. */
export const transactions: Commands = {
  multi: {
    arity: 1,
    run(context) {
      const client = clientOf(context);
      if (client.queued !== null) throw new CommandFailure('ERR MULTI calls can not be nested');
      client.queued = [];
      return OK;
    },
  },
  discard: {
    arity: 1,
    run(context) {
      if (clientOf(context).queued === null) throw new CommandFailure('ERR DISCARD without MULTI');
      endTransaction(clientOf(context));
      return OK;
    },
  },
  watch: { arity: -2, run: watch },
  unwatch: {
    arity: 1,
    run(context) {
      clientOf(context).watched = [];
      return OK;
    },
  },
};
