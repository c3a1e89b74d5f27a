import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Connection, Running } from '../../serve.js';
import { execute } from '../execute.js';
import type { Own } from '../own.js';
import { parseCommand } from '../resp.js';
import { AT } from './feed.js';
import { clientOf } from './state.js';

/**
 * Runs the commands that a master, or an append-only file, has sent, as far as they are whole. Each does what it did
 * there, at the time that it says. Throws CommandFailure when the bytes are no commands.
 */
export function applyStream(server: Running<Own>, connection: Connection): void {
  for (;;) {
    const head = parseCommand(connection.received);
    if (head === undefined) return;
    const isTime = head.words[0] === AT;
    const command = isTime ? parseCommand(connection.received.slice(head.length)) : head;
    if (command === undefined) return;
    const length = head.length + (isTime ? command.length : 0);
    connection.received = connection.received.slice(length);
    server.sys.charge(20 + (length >> 3));
    if (isTime) {
      clientOf(connection).database = Number(head.words[2]) % server.own.databases.length;
      run(server, connection, command.words, Number(head.words[1]));
    } else run(server, connection, command.words, server.sys.now);
  }
}

function run(server: Running<Own>, connection: Connection, words: readonly Bytes[], at: number): void {
  if (words.length > 0) execute(server, connection, words, at);
}
