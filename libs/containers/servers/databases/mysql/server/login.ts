import { textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import type { Connection } from '../../../serve.js';
import { MyFailure } from '../failure.js';
import { versionOf } from '../lines.js';
import type { Session } from '../sql/contract.js';
import { databasesOf, isMaria, readUsers, type Client, type Server } from './state.js';
import { isProven, okBody, packet, readSized, readWhole, STATUS_AUTOCOMMIT, whole } from './wire.js';

const CAPABILITIES = 0x00_8a_f7_8f;
const CONNECT_WITH_DB = 8;
const PLUGIN_AUTH = 0x80000;
const LENENC_AUTH = 0x200000;

/** The server speaks first: what it is, and what a password is proven by. */
export function greet(server: Server, connection: Connection): void {
  const { sys, own } = server;
  const nonce = Array.from({ length: 20 }, () => String.fromCharCode(1 + Math.floor(sys.random() * 126))).join('');
  const plugin = isMaria(sys) ? 'mysql_native_password' : 'caching_sha2_password';
  const session: Session = { user: '', host: '', database: '', lastInsertId: 0, block: null, isAutocommit: true };
  const client: Client = { phase: 'login', id: own.nextId++, nonce, plugin, session };
  connection.own = client;
  const body = [
    '\x0a',
    `${versionOf(sys)}\0`,
    whole(client.id, 4),
    `${nonce.slice(0, 8)}\0`,
    whole(CAPABILITIES & 0xffff, 2),
    '\xff',
    whole(STATUS_AUTOCOMMIT, 2),
    whole((CAPABILITIES >>> 16) | (PLUGIN_AUTH >>> 16), 2),
    '\x15',
    '\0'.repeat(10),
    `${nonce.slice(8)}\0`,
    `${plugin}\0`,
  ];
  connection.unsent += packet(body.join(''), 0);
}

/** Throws MyFailure: the user is not let in. */
export function login(server: Server, connection: Connection, body: Bytes, sequence: number): void {
  const client = connection.own as Client;
  const { session } = client;
  let proof = body;
  if (client.phase === 'login') {
    const flags = readWhole(body, 0, 4);
    let at = body.indexOf('\0', 32);
    session.user = textOf(body.slice(32, at));
    at++;
    if ((flags & LENENC_AUTH) !== 0) {
      const [value, next] = readSized(body, at);
      [proof, at] = [value ?? '', next];
    } else {
      const length = body.charCodeAt(at) || 0;
      [proof, at] = [body.slice(at + 1, at + 1 + length), at + 1 + length];
    }
    if ((flags & CONNECT_WITH_DB) !== 0) {
      const next = body.indexOf('\0', at);
      session.database = textOf(body.slice(at, next < 0 ? undefined : next));
      at = next < 0 ? body.length : next + 1;
    }
    const given = (flags & PLUGIN_AUTH) !== 0 ? body.slice(at).split('\0', 1)[0]! : 'mysql_native_password';
    session.host = connection.address.startsWith('127.') ? 'localhost' : connection.address;
    if (given !== client.plugin && ['mysql_native_password', 'caching_sha2_password'].includes(given) === false) {
      client.phase = 'switch';
      connection.unsent += packet(`\xfe${client.plugin}\0${client.nonce}\0`, sequence + 1);
      return;
    }
    client.plugin = given;
  }
  const users = readUsers(server.sys, server.own.data) ?? [];
  const user = users.find((one) => one.name === session.user && (one.host === '%' || one.host === session.host));
  if (!user || !isProven(client.plugin, proof, user, client.nonce)) {
    const using = proof === '' ? 'NO' : 'YES';
    throw new MyFailure(
      1045,
      '28000',
      `Access denied for user '${session.user}'@'${session.host}' (using password: ${using})`,
    );
  }
  if (session.database !== '' && !databasesOf(server).includes(session.database))
    throw new MyFailure(1049, '42000', `Unknown database '${session.database}'`);
  client.phase = 'ready';
  // Its password is known: the short way of caching_sha2_password.
  const isQuick = client.plugin === 'caching_sha2_password' && proof !== '';
  if (isQuick) connection.unsent += packet('\x01\x03', sequence + 1);
  connection.unsent += packet(okBody(0, 0, STATUS_AUTOCOMMIT), sequence + (isQuick ? 2 : 1));
}
