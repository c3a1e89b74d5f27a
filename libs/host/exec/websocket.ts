import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { Writable, type Duplex } from 'node:stream';
import type { BodyResponse, ExecResponse } from '@terrarium/engine';
import { WebSocketServer, type WebSocket } from 'ws';
import { serveCommand, COMMAND_PROTOCOLS } from './command-stream.js';

const MAX_MESSAGE_BYTES = 1024 * 1024;
const NORMAL_CLOSURE = 1000;
/** A token in the list of protocols, for browsers, which cannot set headers. */
const BEARER = 'base64url.bearer.authorization.k8s.io.';

/**
 * Upstream's watches take the first protocol that is offered, its commands one that they know; a token is never
 * answered.
 */
const chosen = (offered: Set<string>): string | false => {
  const protocols = [...offered].filter((p) => !p.startsWith(BEARER));
  return protocols.find((p) => COMMAND_PROTOCOLS.has(p)) ?? protocols[0] ?? false;
};

const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, handleProtocols: chosen });

/** Adds the token among the protocols as a header. */
export function authorizeByProtocol({ headers }: IncomingMessage): void {
  if (headers.authorization) return;
  const offered = (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((p) => p.trim())
    .find((p) => p.startsWith(BEARER));
  if (offered)
    headers.authorization = `Bearer ${Buffer.from(offered.slice(BEARER.length), 'base64url').toString('utf8')}`;
}

/** Answers a request for an upgrade as if it had not been one. */
export function refuseUpgrade(socket: Duplex, { status, headers, body }: BodyResponse): void {
  const bytes = Buffer.from(body as string);
  const lines = Object.entries({ ...headers, 'content-length': String(bytes.length), connection: 'close' }).flatMap(
    ([name, value]) => [value].flat().map((v) => `${name}: ${String(v).replace(/[\r\n]/g, ' ')}\r\n`),
  );
  socket.on('error', () => socket.destroy());
  socket.end(
    Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`), bytes]),
  );
}

/** Upgrades and hands on what a watch's frames are written to, one message each. */
export function acceptFrames(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  use: (frames: FrameMessages) => void,
): void {
  sockets.handleUpgrade(request, socket, head, (client) => use(new FrameMessages(client)));
}

/** Upgrades and runs a command. */
export function acceptCommand(request: IncomingMessage, socket: Duplex, head: Buffer, response: ExecResponse): void {
  sockets.handleUpgrade(request, socket, head, (client) => serveCommand(client, response));
}

/** Frames of a watch as messages: text for JSON, binary for protobuf. What the client sends is ignored. */
export class FrameMessages extends Writable {
  constructor(private readonly client: WebSocket) {
    super({ decodeStrings: false });
    client.on('close', () => this.destroy());
    client.on('error', () => this.destroy());
  }

  override _write(chunk: string | Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    const messages = typeof chunk === 'string' ? textFrames(chunk) : binaryFrames(chunk);
    messages.forEach((message, i) => this.client.send(message, i === messages.length - 1 ? done : undefined));
    if (messages.length === 0) done();
  }

  override _final(done: () => void): void {
    this.client.close(NORMAL_CLOSURE);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.client.terminate();
    done(error);
  }
}

const textFrames = (text: string): string[] => text.match(/[^\n]*\n/g) ?? [text];

const LENGTH_BYTES = 4;

/** Several frames may have been joined; each begins with its length, which a message does not need. */
function binaryFrames(bytes: Uint8Array): Uint8Array[] {
  if (bytes[0] === 0x7b) return [bytes];
  const frames: Uint8Array[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + LENGTH_BYTES <= bytes.length;) {
    const length = view.getUint32(at);
    frames.push(bytes.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length));
    at += LENGTH_BYTES + length;
  }
  return frames;
}
