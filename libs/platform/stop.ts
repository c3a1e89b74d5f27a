/**
 * Resolves at SIGINT or SIGTERM; with STOP_WITH_PARENT also when standard input closes, which it does when the parent is
 * gone, however it ended.
 */
export function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    if (!process.env['STOP_WITH_PARENT']) return;
    process.stdin.on('end', () => resolve()).on('error', () => resolve());
    process.stdin.resume();
  });
}
