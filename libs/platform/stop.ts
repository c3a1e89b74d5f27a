/** How long a process may take to close what it has open; a database that is gone would hold it up for ever. */
const DEADLINE_MS = 8_000;
const ORPHAN_DEADLINE_MS = 1_500;

/**
 * Resolves at SIGINT or SIGTERM; with STOP_WITH_PARENT also when standard input closes, which it does when the parent is
 * gone, however it ended. From then on the process ends by itself after a while.
 */
export function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (deadlineMs: number): void => {
      setTimeout(() => process.exit(1), deadlineMs).unref();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(DEADLINE_MS));
    if (!process.env['STOP_WITH_PARENT']) return;
    const orphaned = (): void => stop(ORPHAN_DEADLINE_MS);
    process.stdin.on('end', orphaned).on('error', orphaned);
    process.stdin.resume();
  });
}
