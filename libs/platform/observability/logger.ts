import { pino, type Logger, type LoggerOptions } from 'pino';
import { BufferedOutput } from './buffered-output.js';

/** How long a line waits at most before it is written. */
const FLUSH_MS = 1_000;
const STANDARD_OUTPUT = 1;

/** Counts messages: a Counter of prom-client with the label `level`. */
interface MessageCounter {
  inc(labels: { level: string }): void;
}

/** A logger, and the end of its buffer. */
export interface ProcessLog {
  readonly logger: Logger;
  /** Lines that were dropped since nobody read them. */
  dropped(): number;
  /** Writes what is buffered; later lines are written at once. */
  close(): void;
}

/**
 * The log of this process: JSON lines on standard output. Warnings and errors are written at once, with all lines
 * before them; other lines wait for company, so that a request does not pay for a write. `messages` counts warnings and
 * errors, so that a metric tells of each of them.
 */
export function openLog(
  level: string,
  messages: MessageCounter,
  output: Pick<BufferedOutput, 'write' | 'flush' | 'flushSync' | 'dropped'> = new BufferedOutput(STANDARD_OUTPUT),
): ProcessLog {
  let isClosed = false;
  const urgent = pino.levels.values['warn']!;
  const logMethod: NonNullable<LoggerOptions['hooks']>['logMethod'] = function (args, method, at) {
    method.apply(this, args);
    if (at >= urgent) messages.inc({ level: pino.levels.labels[at]! });
    if (at >= urgent || isClosed) output.flushSync();
  };
  const timer = setInterval(() => output.flush(), FLUSH_MS);
  timer.unref();
  const flushAtExit = (): void => output.flushSync();
  process.on('exit', flushAtExit);
  const close = (): void => {
    isClosed = true;
    clearInterval(timer);
    process.off('exit', flushAtExit);
    output.flushSync();
  };
  const logger = pino({ level, base: undefined, hooks: { logMethod } }, output);
  return { logger, dropped: () => output.dropped, close };
}
