/** How long a process may take to close what it has open; a database that is gone would hold it up for ever. */
const DEADLINE_MS = 8_000;
const ORPHAN_DEADLINE_MS = 1_500;

/**
 * Ends the process at once. An exit in the ordinary way can wait for ever for V8's threads, above all at a start
 * (nodejs/node#54918).
 */
const vanish = (): void => void process.kill(process.pid, 'SIGKILL');

/**
 * Resolves at SIGINT or SIGTERM; with STOP_WITH_PARENT also when standard input closes, which it does when the parent
 * is
 * gone, however it ended. From then on the process ends by itself after a while. Call it before anything is opened.
 */
export function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    let told = false;
    const stop = (deadlineMs: number): void => {
      told = true;
      setTimeout(vanish, deadlineMs).unref();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(DEADLINE_MS));
    if (!process.env['STOP_WITH_PARENT']) return;
    const orphaned = (): void => stop(ORPHAN_DEADLINE_MS);
    process.stdin.on('end', orphaned).on('error', orphaned);
    process.stdin.resume();
    const parent = process.ppid;
    // Nobody waits for an exit code then, but an exit that hangs would hold up our parent or outlive it.
    process.on('exit', () => {
      if (told || process.ppid !== parent) vanish();
    });
  });
}
