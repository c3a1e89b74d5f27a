/** Each wait is this share of the given ms at least, so that processes that start together do not stay in step. */
const MIN_SHARE = 3 / 4;

/**
 * Runs `work`, which must not reject, at once and then again and again, after as many ms as it has returned. The
 * function that it returns ends it, and resolves when nothing runs any more.
 */
export function repeat(work: () => Promise<number>): () => Promise<void> {
  let isStopped = false;
  let running = Promise.resolve();
  let timer = setTimeout(start, 0);

  function start(): void {
    running = runOnce();
  }

  async function runOnce(): Promise<void> {
    const waitMs = await work();
    if (!isStopped) timer = setTimeout(start, waitMs * (MIN_SHARE + (1 - MIN_SHARE) * Math.random()));
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
    return running;
  };
}
