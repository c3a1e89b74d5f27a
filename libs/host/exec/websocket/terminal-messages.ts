import { Writable } from 'node:stream';
import type { TerminalSize } from '@terrarium/engine';
import type { RawData, WebSocket } from 'ws';
import { writeWithBackPressure } from './channels.js';
import type { CommandStatus } from '../commands/command-status.js';
import { sendOutput, type Command } from '../commands/command-streams.js';
import { ConnectionTimers } from '../upgrades/connection-timers.js';
import { SESSION_LIMITS, type SessionLimits } from '../session-limits.js';
import { parseTerminalSize } from '../commands/terminal-size.js';

/** Of the service's own WebSocket for terminals in browsers (docs/TERMINAL.md). */
export const TERMINAL_PROTOCOL = 'v1.terminal.terrarium.dev';

const NORMAL_CLOSURE = 1000;
const GOING_AWAY = 1001;

/**
 * Serves a command's terminal on a WebSocket: binary messages are bytes, text messages are JSON: sizes from the client,
 * and in the end the exit code, or an error, to the client.
 */
export function serveTerminalMessages(
  client: WebSocket,
  command: Command,
  limits: Pick<SessionLimits, 'idleMs' | 'sessionMs'> = SESSION_LIMITS,
): void {
  const { session } = command;
  const timers = new ConnectionTimers(limits, () => client.close(NORMAL_CLOSURE));
  client.on('message', (data: RawData, isBinary: boolean) => {
    timers.restart();
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
    if (!session) return;
    if (isBinary) return writeWithBackPressure(client, session.stdin, bytes);
    const size = parseResize(bytes.toString());
    if (size) session.resize(size);
  });
  client.on('error', () => client.terminate());
  client.on('close', () => {
    timers.stop();
    session?.close();
  });
  session?.stdout.on('data', () => timers.restart());
  session?.stderr.on('data', () => timers.restart());
  const output = (): Writable => {
    const made = new Writable({
      write: (chunk: Buffer, _encoding, done) => client.send(chunk, { binary: true }, done),
    });
    // The browser has gone: its socket's end closes the session.
    made.on('error', () => undefined);
    client.on('close', () => made.destroy());
    return made;
  };
  void sendOutput(command, {
    stdout: output(),
    // A container without a terminal has two outputs: the page shows both.
    stderr: command.stderr ? output() : undefined,
    finish: (status) => {
      client.send(JSON.stringify(endOf(status)));
      client.close(NORMAL_CLOSURE);
    },
    leave: () => client.close(GOING_AWAY),
  });
}

/** `{"resize":{"columns":80,"rows":24}}` */
function parseResize(text: string): TerminalSize | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    // What is no JSON says nothing of a size, as upstream has it.
    return undefined;
  }
  const { columns, rows } = (message as { resize?: { columns?: unknown; rows?: unknown } } | null)?.resize ?? {};
  return parseTerminalSize(JSON.stringify({ Width: columns, Height: rows }));
}

function endOf(status: CommandStatus): object {
  if (status['status'] === 'Success') return { exit: { code: 0 } };
  const { causes } = (status['details'] ?? {}) as { causes?: readonly { message: string }[] };
  if (status['reason'] === 'NonZeroExitCode') return { exit: { code: Number(causes?.[0]?.message) } };
  const { message, reason, code } = status;
  return { error: { message, reason, code } };
}
