import type { RawData, WebSocket } from 'ws';
import { ChannelWriter, parseMessage, sendMessage, writeWithBackPressure } from './channels.js';
import { encodeStatus, translateStatus } from '../commands/command-status.js';
import { sendOutput, type Command } from '../commands/command-streams.js';
import { ConnectionTimers } from '../upgrades/connection-timers.js';
import { SESSION_LIMITS, type SessionLimits } from '../session-limits.js';
import { parseTerminalSize } from '../commands/terminal-size.js';

/** Protocols of commands, best first. */
export const COMMAND_PROTOCOLS: ReadonlySet<string> = new Set([
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v4.base64.channel.k8s.io',
  'channel.k8s.io',
  'base64.channel.k8s.io',
]);

const TRANSLATED = 'v5.channel.k8s.io';
const CHANNELS = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
const NORMAL_CLOSURE = 1000;
const GOING_AWAY = 1001;
const EMPTY = Buffer.alloc(0);

/**
 * Serves a command on the channels of a WebSocket: stdin, stdout, stderr, the status at its end, and sizes of the
 * terminal; with v5 the client can end its input and still read the output. Models
 * kubelet/pkg/cri/streaming/remotecommand/websocket.go, and translator.go of the API server for v5.
 */
export function serveCommandChannels(
  client: WebSocket,
  command: Command,
  limits: Pick<SessionLimits, 'idleMs' | 'sessionMs'> = SESSION_LIMITS,
): void {
  const { session } = command;
  const { protocol } = client;
  const isBase64 = protocol.includes('base64');
  const isTranslated = protocol === TRANSLATED;
  const isText = !/^v[45]\./.test(protocol);
  const timers = new ConnectionTimers(limits, () => client.close(NORMAL_CLOSURE));
  const receive = (data: RawData): void => {
    timers.restart();
    const message = parseMessage(data, isBase64);
    if (!message || !session) return;
    const { channel, bytes } = message;
    if (channel === CHANNELS.stdin && command.stdin) writeWithBackPressure(client, session.stdin, bytes);
    else if (channel === CHANNELS.close && isTranslated) endStream(bytes[0]);
    else if (channel === CHANNELS.resize && command.tty) resize(bytes);
  };
  const endStream = (stream: number | undefined): void => {
    if (stream === CHANNELS.stdin && session?.stdin.writable) session.stdin.end();
  };
  const resize = (bytes: Buffer): void => {
    const size = parseTerminalSize(bytes.toString());
    if (size) session?.resize(size);
  };
  client.on('message', receive);
  client.on('error', () => client.terminate());
  client.on('close', () => {
    timers.stop();
    session?.close();
  });
  const writerOf = (channel: number): ChannelWriter => new ChannelWriter(client, channel, isBase64);
  // An empty message tells the client that the streams are open.
  const lowest = command.stdout ? CHANNELS.stdout : command.stderr ? CHANNELS.stderr : CHANNELS.error;
  sendMessage(client, { channel: lowest, bytes: EMPTY }, isBase64);
  session?.stdout.on('data', () => timers.restart());
  session?.stderr.on('data', () => timers.restart());
  void sendOutput(command, {
    stdout: command.stdout ? writerOf(CHANNELS.stdout) : undefined,
    stderr: command.stderr ? writerOf(CHANNELS.stderr) : undefined,
    finish: (status) => {
      const text = encodeStatus(isTranslated ? translateStatus(status) : status, isText);
      if (text) sendMessage(client, { channel: CHANNELS.error, bytes: Buffer.from(text) }, isBase64);
      client.close(NORMAL_CLOSURE);
    },
    leave: () => client.close(GOING_AWAY),
  });
}
