import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';
import { WebSocket } from 'ws';
import { SpdyClient } from '../spdy/testing.js';
import type { Handshake } from './handshake.js';

const servers: http.Server[] = [];
const sockets: net.Socket[] = [];
const clients: WebSocket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.terminate();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A server whose upgrades are given to `accept`; returns its port. */
export async function serveUpgrades(accept: (handshake: Handshake) => void): Promise<number> {
  const server = http.createServer();
  servers.push(server);
  server.on('upgrade', (raw, socket, head) => {
    sockets.push(socket as net.Socket);
    socket.on('error', () => socket.destroy());
    accept({ raw, socket, head, headers: { 'x-request-id': 'r1' } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** What a client of channels hears. */
export interface ChannelClient {
  readonly client: WebSocket;
  /** By channel, as text. */
  readonly received: Record<number, string>;
  readonly messages: number[];
  readonly closed: Promise<number>;
  send(channel: number, bytes: string | Buffer): void;
}

export async function connectChannels(port: number, protocol: string): Promise<ChannelClient> {
  const client = new WebSocket(`ws://127.0.0.1:${port}/`, protocol === '' ? [] : [protocol]);
  clients.push(client);
  const isBase64 = protocol.includes('base64');
  const received: Record<number, string> = {};
  const messages: number[] = [];
  client.on('message', (data: Buffer) => {
    const channel = isBase64 ? data[0]! - 0x30 : data[0]!;
    const bytes = isBase64 ? Buffer.from(data.subarray(1).toString(), 'base64') : data.subarray(1);
    received[channel] = (received[channel] ?? '') + bytes.toString('latin1');
    messages.push(channel);
  });
  const closed = new Promise<number>((resolve) => client.on('close', resolve));
  await new Promise((resolve, reject) => client.on('open', resolve).on('error', reject));
  const send = (channel: number, bytes: string | Buffer): void => {
    const buffer = Buffer.from(bytes as string);
    if (isBase64) client.send(`${channel}${buffer.toString('base64')}`);
    else client.send(Buffer.concat([Buffer.from([channel]), buffer]));
  };
  return { client, received, messages, closed, send };
}

/** Asks for SPDY, and resolves with the answer's head; the connection's rest is the client's when it is 101. */
export async function connectSpdy(
  port: number,
  protocols: readonly string[],
): Promise<{ readonly head: string; readonly client: SpdyClient | undefined }> {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => undefined);
  const versions = protocols.map((protocol) => `X-Stream-Protocol-Version: ${protocol}\r\n`).join('');
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\n${versions}\r\n`);
  let text = '';
  for (;;) {
    const chunk = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    text += chunk.toString('latin1');
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) continue;
    const head = text.slice(0, end);
    if (!head.startsWith('HTTP/1.1 101')) return { head: text, client: undefined };
    socket.unshift(Buffer.from(text.slice(end + 4), 'latin1'));
    return { head, client: new SpdyClient(socket) };
  }
}
