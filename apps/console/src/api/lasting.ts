import type { Failure } from './failure.js';

export interface Sink<Data> {
  next(data: Data): void;
  error?(failure: Failure): void;
  complete?(): void;
}

/** What another try may get: the stream was closed, there were too many of them, the service is busy or broken. */
const AGAIN: ReadonlySet<number> = new Set([410, 429, 500, 502, 503, 504]);
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;

/**
 * Follows what `begin` subscribes to, and begins anew when it fails with what passes; the failure is told meanwhile.
 * The returned function ends it.
 */
export function lasting<Data>(begin: (sink: Sink<Data>) => () => void, sink: Sink<Data>): () => void {
  let stop: () => void = () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const start = (): void => {
    timer = undefined;
    stop = begin({
      next: (data) => {
        failures = 0;
        sink.next(data);
      },
      error: (failure) => {
        sink.error?.(failure);
        if (!AGAIN.has(failure.status) || timer !== undefined) return;
        timer = setTimeout(
          () => {
            stop();
            start();
          },
          Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++),
        );
      },
      complete: () => sink.complete?.(),
    });
  };
  start();
  return () => {
    clearTimeout(timer);
    stop();
  };
}
