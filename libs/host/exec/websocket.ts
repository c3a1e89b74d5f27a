import type { IncomingMessage } from 'node:http';
import { Writable, type Duplex } from 'node:stream';
import type { BodyResponse, ExecResponse } from '@terrarium/engine';
import { WebSocketServer, type WebSocket } from 'ws';
import { respondOnSocket } from '../gate/respond-on-socket.js';
import { serveCommand, COMMAND_PROTOCOLS } from './command-stream.js';

const MAX_MESSAGE_BYTES = 1024 * 1024;
const NORMAL_CLOSURE = 1000;
/** Prefix of a token in the list of protocols, for browsers, which cannot set headers. */
const BEARER = 'base64url.bearer.authorization.k8s.io.';

/** A command's protocol if one is offered, else the first one, as upstream's watches do; never the token. */
function selectProtocol(offered: Set<string>): string | false {
  const protocols = [...offered].filter((protocol) => !protocol.startsWith(BEARER));
  return protocols.find((protocol) => COMMAND_PROTOCOLS.has(protocol)) ?? protocols[0] ?? false;
}

const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, handleProtocols: selectProtocol });

/** Copies a token in the list of protocols to the Authorization header, unless there is one. */
export function authorizeByProtocol({ headers }: IncomingMessage): void {
  if (headers.authorization) return;
  const offered = (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((p) => p.trim())
    .find((p) => p.startsWith(BEARER));
  if (offered)
    headers.authorization = `Bearer ${Buffer.from(offered.slice(BEARER.length), 'base64url').toString('utf8')}`;
}

/** Answers a request for an upgrade as any other request, without an upgrade. */
export function refuseUpgrade(socket: Duplex, response: BodyResponse): void {
  socket.on('error', () => socket.destroy());
  respondOnSocket(socket, response);
}

/** Upgrades, and calls `use` with the stream that a watch's frames are written to. */
export function acceptFrames(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  use: (frames: FrameMessages) => void,
): void {
  sockets.handleUpgrade(request, socket, head, (client) => use(new FrameMessages(client)));
}

/** Upgrades, and runs a command. */
export function acceptCommand(request: IncomingMessage, socket: Duplex, head: Buffer, response: ExecResponse): void {
  sockets.handleUpgrade(request, socket, head, (client) => serveCommand(client, response));
}

/** Sends each frame of a watch as one message: text for JSON, binary for protobuf. Ignores what the client sends. */
export class FrameMessages extends Writable {
  constructor(private readonly client: WebSocket) {
    super({ decodeStrings: false });
    client.on('close', () => this.destroy());
    client.on('error', () => this.destroy());
  }

  override _write(chunk: string | Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    const messages = typeof chunk === 'string' ? splitLines(chunk) : splitByLength(chunk);
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

const splitLines = (text: string): string[] => text.match(/[^\n]*\n/g) ?? [text];

const LENGTH_BYTES = 4;
/** JSON that came as bytes: one frame. */
const OPENING_BRACE = 0x7b;

/** Protobuf frames, which may have been joined: each begins with its length, which a message does not need. */
function splitByLength(bytes: Uint8Array): Uint8Array[] {
  if (bytes[0] === OPENING_BRACE) return [bytes];
  const frames: Uint8Array[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + LENGTH_BYTES <= bytes.length;) {
    const length = view.getUint32(at);
    frames.push(bytes.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length));
    at += LENGTH_BYTES + length;
  }
  return frames;
}
