import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import { ApiError } from '@terrarium/engine';
import { WebSocketServer, createWebSocketStream, type WebSocket } from 'ws';
import type { Command } from '../commands/command-streams.js';
import type { PortDialer } from '../ports/port-dialer.js';
import type { Handshake } from '../upgrades/handshake.js';
import { acceptSpdy, isSpdy } from '../spdy/spdy-handshake.js';
import { SPDY_COMMAND_PROTOCOLS, serveSpdyCommand } from '../spdy/spdy-command.js';
import { PORT_FORWARD_PROTOCOL, TUNNEL_PROTOCOL, serveSpdyPortForward } from '../spdy/spdy-port-forward.js';
import { TERMINAL_PROTOCOL, serveTerminalMessages } from './terminal-messages.js';
import { COMMAND_PROTOCOLS, serveCommandChannels } from './websocket-command.js';
import { PORT_CHANNEL_PROTOCOLS, servePortChannels } from './websocket-port-forward.js';
import { LOG_PROTOCOLS, LogMessages } from './log-messages.js';

const MAX_MESSAGE_BYTES = 1024 * 1024;
const NORMAL_CLOSURE = 1000;
const POLICY_VIOLATION = 1008;
/** Prefix of a token in the list of protocols, for browsers, which cannot set headers. */
const BEARER = 'base64url.bearer.authorization.k8s.io.';
const BASE64URL = /^[\w-]+$/;

const protocolsOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());

/** A log's or a command's protocol if one is offered, else the first one, as upstream's watches do; never the token. */
function selectProtocol(offered: Set<string>, raw: IncomingMessage): string | false {
  const chosen = chosenProtocols.get(raw);
  if (chosen !== undefined) return chosen;
  const protocols = [...offered].filter((protocol) => !protocol.startsWith(BEARER));
  return protocols.find((protocol) => COMMAND_PROTOCOLS.has(protocol)) ?? protocols[0] ?? false;
}

const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, handleProtocols: selectProtocol });
const chosenProtocols = new WeakMap<IncomingMessage, string>();
const headersOf = new WeakMap<IncomingMessage, Handshake['headers']>();
sockets.on('headers', (lines, raw) => {
  for (const [name, value] of Object.entries(headersOf.get(raw) ?? {})) lines.push(`${name}: ${value}`);
});

/**
 * Copies a token in the list of protocols to the Authorization header, unless there is one. Throws ApiError 401 for a
 * token that cannot be read, for two, and for one without another protocol that could be answered with; and 400 for an
 * empty list (RFC 6455, section 4.1). Models apiserver/pkg/authentication/request/websocket/protocol.go.
 */
export function authorizeByProtocol(raw: Pick<IncomingMessage, 'headers'>): void {
  const { headers } = raw;
  if (headers['sec-websocket-protocol'] === undefined) return;
  const protocols = protocolsOf(raw);
  if (protocols.includes('')) throw new ApiError(400, 'BadRequest', 'Invalid Sec-WebSocket-Protocol header');
  const tokens = protocols.filter((protocol) => protocol.startsWith(BEARER));
  if (headers.authorization !== undefined || tokens.length === 0) return;
  const token = tokens.length === 1 && protocols.length > 1 ? decodeToken(tokens[0]!.slice(BEARER.length)) : undefined;
  if (token === undefined) throw new ApiError(401, 'Unauthorized', 'Unauthorized');
  headers.authorization = `Bearer ${token}`;
}

function decodeToken(text: string): string | undefined {
  if (!BASE64URL.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const token = bytes.toString('utf8');
  return Buffer.from(token).equals(bytes) ? token : undefined;
}

/** Upgrades, and calls `use` with the stream that a watch's frames are written to. False when that is refused. */
export const acceptFrames = (handshake: Handshake, use: (frames: Writable) => void): boolean =>
  accept(handshake, (client) => use(new FrameMessages(client)));

/** Upgrades to a WebSocket or to SPDY, and serves a command. False when the request is refused. */
export function acceptSession(handshake: Handshake, command: Command): boolean {
  if (!isSpdy(handshake)) return accept(handshake, (client) => serveCommandChannels(client, command));
  const upgrade = acceptSpdy(handshake, SPDY_COMMAND_PROTOCOLS);
  if (upgrade) serveSpdyCommand(upgrade.transport, upgrade.protocol, command);
  return upgrade !== undefined;
}

/** Upgrades to the service's own protocol for terminals. False when the request is refused. Throws ApiError 400. */
export function acceptTerminal(handshake: Handshake, command: Command): boolean {
  if (isSpdy(handshake)) throw new ApiError(400, 'BadRequest', 'a terminal needs a WebSocket');
  const offered = offeredProtocols(handshake);
  if (offered.length > 0 && !offered.includes(TERMINAL_PROTOCOL))
    throw new ApiError(400, 'BadRequest', `the protocol of a terminal is ${TERMINAL_PROTOCOL}`);
  if (offered.length > 0) chosenProtocols.set(handshake.raw, TERMINAL_PROTOCOL);
  return accept(handshake, (client) => serveTerminalMessages(client, command));
}

/**
 * Upgrades, and forwards the client's connections: those of SPDY, which may come in the messages of a WebSocket, or one
 * to each of the ports on the channels of a WebSocket. False when the request is refused. Throws ApiError 400 without
 * ports.
 */
export function acceptPortForward(handshake: Handshake, ports: readonly number[], dialer: PortDialer): boolean {
  if (isSpdy(handshake)) {
    const upgrade = acceptSpdy(handshake, [PORT_FORWARD_PROTOCOL]);
    if (upgrade) serveSpdyPortForward(upgrade.transport, dialer);
    return upgrade !== undefined;
  }
  const offered = offeredProtocols(handshake);
  const protocol = offered.find((p) => p === TUNNEL_PROTOCOL || PORT_CHANNEL_PROTOCOLS.has(p));
  if (protocol === TUNNEL_PROTOCOL)
    return acceptTunnel(handshake, (client) => serveSpdyPortForward(createWebSocketStream(client), dialer));
  if (protocol !== undefined) chosenProtocols.set(handshake.raw, protocol);
  if (ports.length === 0) throw new ApiError(400, 'BadRequest', 'query parameter "port" is required');
  return accept(handshake, (client) => servePortChannels(client, ports, dialer));
}

/** The name of this protocol has a slash, which ws refuses in the header (RFC 6455, section 4.1). */
function acceptTunnel(handshake: Handshake, use: (client: WebSocket) => void): boolean {
  delete handshake.raw.headers['sec-websocket-protocol'];
  return accept({ ...handshake, headers: { ...handshake.headers, 'Sec-WebSocket-Protocol': TUNNEL_PROTOCOL } }, use);
}

const offeredProtocols = ({ raw }: Handshake): string[] =>
  protocolsOf(raw).filter((protocol) => protocol !== '' && !protocol.startsWith(BEARER));

/**
 * Upgrades, and calls `use` with the stream that a pod's log is written to. False when the request is refused. Throws
 * ApiError 403 when no protocol of logs is offered.
 */
export function acceptLog(handshake: Handshake, use: (log: Writable) => void): boolean {
  const offered = offeredProtocols(handshake);
  const protocol = offered.find((candidate) => LOG_PROTOCOLS.has(candidate));
  if (offered.length > 0 && protocol === undefined)
    throw new ApiError(403, 'Forbidden', `requested protocol(s) are not supported: [${offered.join(' ')}]`);
  if (protocol !== undefined) chosenProtocols.set(handshake.raw, protocol);
  return accept(handshake, (client) => use(new LogMessages(client, client.protocol)));
}

function accept({ raw, socket, head, headers, closing }: Handshake, use: (client: WebSocket) => void): boolean {
  let isAccepted = false;
  headersOf.set(raw, headers);
  sockets.handleUpgrade(raw, socket, head, (client) => {
    isAccepted = true;
    const close = (): void => client.close(POLICY_VIOLATION, 'the credential is not valid any more');
    if (closing?.aborted) return close();
    closing?.addEventListener('abort', close, { once: true });
    use(client);
  });
  return isAccepted;
}

/** Sends each frame of a watch as one message: text for JSON, binary for protobuf. Ignores what the client sends. */
class FrameMessages extends Writable {
  constructor(private readonly client: WebSocket) {
    // Not destroyed at its end: the close of the WebSocket has to reach the client.
    super({ decodeStrings: false, autoDestroy: false });
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

const splitLines = (text: string): string[] => text.split(/(?<=\n)/);

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
