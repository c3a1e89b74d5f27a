import http from 'node:http';
import { Duplex, Transform, Writable } from 'node:stream';
import type { ContainerSession } from '../container-session.js';

/** The head of an answer; a longer one ends the connection. */
const MAX_HEAD_BYTES = 65_536;
/** A TLS server's hello, with its certificates. */
const MAX_HELLO_BYTES = 262_144;
const HANDSHAKE = 0x16;
const NEWLINE = 0x0a;

export interface AskedBefore {
  readonly method: string;
  readonly isUpgrade: boolean;
}

/** What a server has answered: a message whose body is yet to be read, or bytes both ways after its head. */
export type RawAnswer =
  | { readonly type: 'message'; readonly message: http.IncomingMessage }
  | { readonly type: 'upgraded'; readonly head: Buffer; readonly bytes: Duplex };

/**
 * Reads an HTTP/1.1 answer from a session whose request was sent already. Rejects when the session ends before, or says
 * something else.
 */
export function readAnswer(session: ContainerSession, { method, isUpgrade }: AskedBefore): Promise<RawAnswer> {
  const bytes = Duplex.from({ readable: session.stdout.pipe(withoutHello()), writable: sink() }) as Duplex;
  return new Promise((resolve, reject) => {
    const request = http.request({
      // What Node.js writes is not sent: it only reads here.
      createConnection: () => bytes as never,
      ...{ method, maxHeaderSize: MAX_HEAD_BYTES },
      ...(isUpgrade ? { headers: { connection: 'Upgrade', upgrade: 'x' } } : {}),
    });
    request.on('error', reject);
    request.on('response', (message) => resolve({ type: 'message', message }));
    request.on('upgrade', (message, _socket, rest) => {
      resolve({ type: 'upgraded', head: Buffer.concat([headOf(message), rest]), bytes });
    });
    request.end();
  });
}

const sink = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

function headOf({ statusCode, statusMessage, rawHeaders }: http.IncomingMessage): Buffer {
  let head = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) head += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`;
  return Buffer.from(`${head}\r\n`, 'latin1');
}

/** Simulated TLS is one line before plain bytes. */
function withoutHello(): Transform {
  let isOver = false;
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!isOver && length === 0 && chunk[0] !== HANDSHAKE) isOver = true;
      if (isOver) return done(null, chunk);
      const end = chunk.indexOf(NEWLINE);
      length += chunk.length;
      if (end >= 0) isOver = true;
      else if (length > MAX_HELLO_BYTES) return done(new Error('hello too long'));
      done(null, end < 0 ? undefined : chunk.subarray(end + 1));
    },
  });
}
