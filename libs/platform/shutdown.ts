import { writeSync } from 'node:fs';
import { inspect } from 'node:util';

/** How long a process may take to close what it has open: a database that does not answer would hold it up for ever. */
const DEADLINE_MS = 8_000;
const ORPHAN_DEADLINE_MS = 1_500;

/**
 * Ends the process at once. An ordinary exit can wait for ever for V8's threads, above all at a start
 * (nodejs/node#54918).
 */
const killProcess = (): void => void process.kill(process.pid, 'SIGKILL');

/** EX_SOFTWARE of sysexits.h. */
const INTERNAL_SOFTWARE_ERROR = 70;
const FATAL = 60;

/**
 * Resolves with the code that the process is to exit with when it must end: 0 at SIGINT or SIGTERM; with
 * STOP_WITH_PARENT also when standard input closes, as it does however the parent has ended. An error that nothing has
 * caught, or a rejection, is logged, and the process ends too, with another code: its state can no longer be trusted,
 * and what has started it starts it again. The process is killed when it has not ended some time later. Call it before
 * anything is opened.
 */
export function waitForShutdown(): Promise<number> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (deadlineMs: number, exitCode: number): void => {
      setTimeout(killProcess, deadlineMs).unref();
      resolve(exitCode);
    };
    const fail = (origin: string, error: unknown): void => {
      logFatal(origin, error);
      stop(DEADLINE_MS, INTERNAL_SOFTWARE_ERROR);
    };
    process.on('uncaughtException', (error) => fail('uncaughtException', error));
    process.on('unhandledRejection', (error) => fail('unhandledRejection', error));
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        isStopping = true;
        stop(DEADLINE_MS, 0);
      });
    if (!process.env['STOP_WITH_PARENT']) return;
    const stopAsOrphan = (): void => {
      isStopping = true;
      stop(ORPHAN_DEADLINE_MS, 0);
    };
    process.stdin.on('end', stopAsOrphan).on('error', stopAsOrphan);
    process.stdin.resume();
    const parent = process.ppid;
    // No exit code is waited for then, but an exit that hangs would hold up the parent or outlive it.
    process.on('exit', () => {
      if (isStopping || process.ppid !== parent) killProcess();
    });
  });
}

/** At once, and beside the logger, which may be what is broken: a line as pino writes it. */
function logFatal(origin: string, error: unknown): void {
  const err = error instanceof Error ? { message: error.message, stack: inspect(error) } : { message: inspect(error) };
  const msg = 'an error was not caught: the process ends';
  writeSync(process.stderr.fd, `${JSON.stringify({ level: FATAL, time: Date.now(), origin, err, msg })}\n`);
}
