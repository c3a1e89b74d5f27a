import { finished, type Readable, type Writable } from 'node:stream';
import type { ApiError } from '@terrarium/engine';
import { failureStatus, statusOf, type CommandStatus } from './command-status.js';
import type { ContainerSession } from '../container-session.js';

/** A session that a request has opened, or why it could not be; and the command of `exec`. */
export interface Command {
  readonly session: ContainerSession | undefined;
  readonly failure: ApiError | undefined;
  /** Empty for `attach`. */
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The client's ends of a command's output, in whichever protocol. */
export interface CommandStreams {
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  /** Sends the status, and ends the connection. */
  finish(status: CommandStatus): void;
  /** Ends the connection: this process serves it no longer. */
  leave(): void;
}

/** Sends a command's output, then how it has ended. */
export async function sendOutput(command: Command, streams: CommandStreams): Promise<void> {
  const { session, failure } = command;
  if (!session) return void (failure ? streams.finish(failureStatus(failure)) : streams.leave());
  await Promise.all([send(session.stdout, streams.stdout), send(session.stderr, streams.stderr)]);
  const end = await session.end;
  if (end.type === 'closed') return streams.leave();
  streams.finish(statusOf(end, command.command));
}

/** Resolves when all is sent, or the client has left. */
function send(from: Readable, to: Writable | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (to) finished(from.pipe(to), { readable: false }, () => resolve());
    else finished(from.resume(), { writable: false }, () => resolve());
  });
}
