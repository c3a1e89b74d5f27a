import { Duplex, Writable } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { ChannelWriter, parseMessage, sendMessage, writeWithBackPressure } from './channels.js';
import { ConnectionTimers } from '../upgrades/connection-timers.js';
import type { PortDialer } from '../ports/port-dialer.js';
import { PortForwarder } from '../ports/port-forwarder.js';
import { SESSION_LIMITS, type SessionLimits } from '../session-limits.js';

/** Protocols of forwarded ports that name the ports in the query. */
export const PORT_CHANNEL_PROTOCOLS: ReadonlySet<string> = new Set(['v4.channel.k8s.io', 'v4.base64.channel.k8s.io']);

const NORMAL_CLOSURE = 1000;

/**
 * Forwards one connection to each of the ports, on two channels each: data and error, whose first message is the port's
 * number. Models kubelet/pkg/cri/streaming/portforward/websocket.go.
 */
export function servePortChannels(
  client: WebSocket,
  ports: readonly number[],
  dialer: PortDialer,
  limits: Pick<SessionLimits, 'idleMs' | 'sessionMs'> = SESSION_LIMITS,
): void {
  const isBase64 = client.protocol.includes('base64');
  const forwarder = new PortForwarder(dialer);
  const timers = new ConnectionTimers(limits, () => client.close(NORMAL_CLOSURE));
  let left = ports.length;
  const connections = ports.map((port, i) => {
    const [dataChannel, errorChannel] = [2 * i, 2 * i + 1];
    const number = Buffer.alloc(2);
    number.writeUInt16LE(port);
    for (const channel of [dataChannel, errorChannel]) sendMessage(client, { channel, bytes: number }, isBase64);
    const data = new ChannelDuplex(new ChannelWriter(client, dataChannel, isBase64));
    const done = (message?: string): void => {
      if (message) sendMessage(client, { channel: errorChannel, bytes: Buffer.from(message) }, isBase64);
      if (--left === 0) client.close(NORMAL_CLOSURE);
    };
    void forwarder.forward({ port, data, done });
    return data;
  });
  client.on('message', (message: RawData) => {
    timers.restart();
    const { channel = -1, bytes = Buffer.alloc(0) } = parseMessage(message, isBase64) ?? {};
    const data = channel % 2 === 0 ? connections[channel / 2] : undefined;
    if (data && bytes.length > 0) writeWithBackPressure(client, data.input, bytes);
  });
  client.on('error', () => client.terminate());
  client.on('close', () => {
    timers.stop();
    for (const data of connections) data.destroy();
    forwarder.close();
  });
}

/** A channel both ways. What comes is written to `input`. */
class ChannelDuplex extends Duplex {
  readonly input: Writable;
  private goOn: (() => void) | undefined;

  constructor(private readonly output: ChannelWriter) {
    super();
    this.input = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (this.push(chunk)) done();
        else this.goOn = done;
      },
    });
    // The socket has gone, whose own listener tells of it.
    this.on('error', () => undefined);
  }

  override _read(): void {
    const { goOn } = this;
    this.goOn = undefined;
    goOn?.();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (this.output.destroyed) return done(new Error('the connection is closed'));
    this.output.write(chunk, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.input.destroy();
    done(error);
  }
}
