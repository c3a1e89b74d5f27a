import { setImmediate } from 'node:timers/promises';

/** How long (ms) work may keep the thread before the event loop goes round. */
const WORK_MS = 10;

/** Long work in pieces: between two of them, once in a while, the event loop goes round. */
export class Breaks {
  private since = performance.now();

  /** Call it between two pieces. */
  async take(): Promise<void> {
    if (performance.now() - this.since < WORK_MS) return;
    await setImmediate();
    this.since = performance.now();
  }
}
