/** How long a process may take to close what it has open: a database that does not answer would hold it up for ever. */
const DEADLINE_MS = 8_000;
const ORPHAN_DEADLINE_MS = 1_500;

/**
 * Ends the process at once. An ordinary exit can wait for ever for V8's threads, above all at a start
 * (nodejs/node#54918).
 */
const killProcess = (): void => void process.kill(process.pid, 'SIGKILL');

/**
 * Resolves at SIGINT or SIGTERM; with STOP_WITH_PARENT also when standard input closes, as it does however the parent
 * has ended. The process is killed when it has not ended some time later. Call it before anything is opened.
 */
export function waitForShutdown(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (deadlineMs: number): void => {
      isStopping = true;
      setTimeout(killProcess, deadlineMs).unref();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(DEADLINE_MS));
    if (!process.env['STOP_WITH_PARENT']) return;
    const stopAsOrphan = (): void => stop(ORPHAN_DEADLINE_MS);
    process.stdin.on('end', stopAsOrphan).on('error', stopAsOrphan);
    process.stdin.resume();
    const parent = process.ppid;
    // No exit code is waited for then, but an exit that hangs would hold up the parent or outlive it.
    process.on('exit', () => {
      if (isStopping || process.ppid !== parent) killProcess();
    });
  });
}
