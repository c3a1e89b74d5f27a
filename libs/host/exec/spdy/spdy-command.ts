import type { Duplex } from 'node:stream';
import { encodeStatus } from '../commands/command-status.js';
import { sendOutput, type Command } from '../commands/command-streams.js';
import { ConnectionTimers } from '../upgrades/connection-timers.js';
import { SESSION_LIMITS, type SessionLimits } from '../session-limits.js';
import { SpdyConnection } from './connection.js';
import type { SpdyStream } from './stream.js';
import { TerminalSizeReader } from '../commands/terminal-size.js';

/** Values of X-Stream-Protocol-Version for commands, best first. */
export const SPDY_COMMAND_PROTOCOLS = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
];

type StreamType = 'error' | 'stdin' | 'stdout' | 'stderr' | 'resize';

/** As the kubelet's --stream-creation-timeout. */
const CREATION_TIMEOUT_MS = 30_000;
const MAX_STREAMS = 5;

/**
 * Serves a command on the streams of a SPDY connection, each of which names its type: the command's output is sent when
 * all have come. `protocol`: '' for a client that has named none. Models
 * kubelet/pkg/cri/streaming/remotecommand/httpstream.go.
 */
export function serveSpdyCommand(
  transport: Duplex,
  protocol: string,
  command: Command,
  limits: Pick<SessionLimits, 'idleMs' | 'sessionMs'> = SESSION_LIMITS,
): void {
  const { session } = command;
  const isText = !/^v[45]\./.test(protocol);
  const expected = expectedStreams(command, protocol);
  const streams = new Map<StreamType, SpdyStream>();
  const connection = new SpdyConnection(transport, {
    limits: { streams: MAX_STREAMS },
    onActivity: () => timers.restart(),
    onStream: (stream) => {
      const type = stream.headers.get('streamtype') as StreamType;
      if (!expected.has(type) || streams.has(type)) return void stream.destroy();
      streams.set(type, stream);
      if (streams.size === expected.size) begin();
    },
  });
  const timers = new ConnectionTimers(limits, () => connection.close());
  const creation = setTimeout(() => connection.close(), CREATION_TIMEOUT_MS).unref();
  const begin = (): void => {
    clearTimeout(creation);
    const error = streams.get('error')!;
    if (session) connectInput(session, streams);
    session?.stdout.on('data', () => timers.restart());
    session?.stderr.on('data', () => timers.restart());
    void sendOutput(command, {
      stdout: streams.get('stdout'),
      stderr: streams.get('stderr'),
      finish: (status) => {
        error.end(encodeStatus(status, isText));
        connection.close();
      },
      leave: () => connection.close(),
    });
  };
  void connection.serve().then(() => {
    clearTimeout(creation);
    timers.stop();
    session?.close();
  });
}

function expectedStreams(command: Command, protocol: string): ReadonlySet<StreamType> {
  const types: StreamType[] = ['error'];
  for (const type of ['stdin', 'stdout', 'stderr'] as const) if (command[type]) types.push(type);
  if (command.tty && /^v[345]\./.test(protocol)) types.push('resize');
  return new Set(types);
}

function connectInput(session: NonNullable<Command['session']>, streams: ReadonlyMap<StreamType, SpdyStream>): void {
  streams.get('stdin')?.pipe(session.stdin);
  const sizes = new TerminalSizeReader();
  streams.get('resize')?.on('data', (chunk: Buffer) => {
    const size = sizes.read(chunk.toString('latin1'));
    if (size) session.resize(size);
  });
}
