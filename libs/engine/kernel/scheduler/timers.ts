import type { Millis } from '../../machinery/time/time.js';

/** Something that is due at a time: a sleeping process, a throttled container, a connection that is answered late. */
export interface Timer {
  readonly at: Millis;
  readonly kind: 'process' | 'container' | 'socket';
  readonly id: number | string;
}

const RANK = { container: 0, socket: 1, process: 2 };

/** Timers of one instant fire in a fixed order, whatever order they were set in. */
function isBefore(a: Timer, b: Timer): boolean {
  if (a.at !== b.at) return a.at < b.at;
  if (a.kind !== b.kind) return RANK[a.kind] < RANK[b.kind];
  return a.id < b.id;
}

/** A binary heap. Timers are not taken back: who takes one looks whether it still holds. */
export class Timers {
  private readonly heap: Timer[] = [];

  first(): Timer | undefined {
    return this.heap[0];
  }

  add(timer: Timer): void {
    const { heap } = this;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(timer, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = timer;
  }

  take(): Timer | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}
