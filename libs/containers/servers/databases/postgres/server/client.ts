import type { Bytes } from '../../../../../engine/kernel/bytes.js';
import type { Connection } from '../../../serve.js';
import { extended } from './extended.js';
import { fail, type Log, type Server } from './failures.js';
import { statusOf, type Client } from './own.js';
import { query, takeCopy } from './queries.js';
import { authenticate, startUp } from './startup.js';
import { Reader, readFrame, readyForQuery } from './wire.js';

/** Messages of one connection in one turn. */
const MAX_TURN = 100;
const MAX_UNSENT = 4 << 20;

/** Takes the messages that are whole. */
export function receive(server: Server, connection: Connection, log: Log): void {
  const client = connection.own as Client;
  for (let turn = 0; turn < MAX_TURN && !connection.closes && connection.unsent.length < MAX_UNSENT; turn++) {
    const message = readFrame(connection.received, client.phase !== 'startup');
    if (message === undefined) return;
    if (message === 'bad') {
      log(server, 'LOG', 'invalid length of startup packet', client.pid);
      connection.closes = true;
      return;
    }
    connection.received = connection.received.slice(message.length);
    server.sys.charge(50 + (message.length >> 3));
    try {
      if (client.phase === 'startup') startUp(server, connection, message.body);
      else if (client.phase === 'ready') take(server, connection, message.type, message.body, log);
      else authenticate(server, connection, message.body, log);
    } catch (error) {
      fail(server, connection, error, log);
      connection.closes = true;
    }
  }
}

function take(server: Server, connection: Connection, type: string, body: Bytes, log: Log): void {
  const client = connection.own as Client;
  if (type === 'X') {
    connection.closes = true;
    return;
  }
  if (client.copy !== null) return takeCopy(server, connection, type, body, log);
  if (type === 'Q') {
    client.isSkipping = false;
    query(server, connection, new Reader(body).text(), log);
    // What follows is the data of a COPY: then the query goes on.
    if (client.copy !== null) return;
    connection.unsent += readyForQuery(statusOf(client));
    return;
  }
  if (type === 'S') {
    client.isSkipping = false;
    if (client.session.block === null) client.portals = {};
    connection.unsent += readyForQuery(statusOf(client));
    return;
  }
  if (client.isSkipping || type === 'H') return;
  try {
    extended(server, connection, type, new Reader(body));
  } catch (error) {
    client.isSkipping = true;
    fail(server, connection, error, log);
  }
}
