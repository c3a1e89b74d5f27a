import type { Millis } from '../../machinery/time/time.js';

export interface Timer<T> {
  readonly due: Millis;
  readonly id: string;
  readonly value: T;
}

/** The heap is made anew when it has so many replaced timers more than others. */
const STALE_TIMERS = 1_000;

/**
 * One timer per id, earliest first; of equal times the lesser id fires first, so that a process that has just loaded a
 * cluster fires them as the one that had set them would have. A binary heap whose replaced timers are dropped when they
 * reach its top, or when they are too many. Models client-go/util/workqueue's delaying queue.
 */
export class Timers<T> {
  private readonly heap: Timer<T>[] = [];
  private readonly current = new Map<string, Timer<T>>();

  get(id: string): Timer<T> | undefined {
    return this.current.get(id);
  }

  /** Throws for a time that is none: it would have no place among the others. */
  set(id: string, due: Millis, value: T): void {
    if (Number.isNaN(due)) throw new RangeError(`timer ${id} has no time`);
    if (this.current.get(id)?.due === due) return;
    const timer = { due, id, value };
    this.current.set(id, timer);
    this.push(timer);
    if (this.heap.length > 2 * this.current.size + STALE_TIMERS) this.dropStale();
  }

  private dropStale(): void {
    const timers = [...this.current.values()];
    this.heap.length = 0;
    for (const timer of timers) this.push(timer);
  }

  clear(id: string): void {
    this.current.delete(id);
  }

  clearAll(): void {
    if (this.heap.length === 0) return;
    this.heap.length = 0;
    this.current.clear();
  }

  peek(): Timer<T> | undefined {
    for (;;) {
      const top = this.heap[0];
      if (!top || this.current.get(top.id) === top) return top;
      this.pop();
    }
  }

  take(): Timer<T> | undefined {
    const top = this.peek();
    if (!top) return undefined;
    this.pop();
    this.current.delete(top.id);
    return top;
  }

  get size(): number {
    return this.current.size;
  }

  /** In the order in which they were set. */
  values(): Iterable<Timer<T>> {
    return this.current.values();
  }

  private push(timer: Timer<T>): void {
    const heap = this.heap;
    let i = heap.push(timer) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!before(timer, heap[parent]!)) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = timer;
  }

  private pop(): void {
    const heap = this.heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
      if (!before(heap[child]!, last)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
  }
}

const before = <T>(a: Timer<T>, b: Timer<T>): boolean => a.due < b.due || (a.due === b.due && a.id < b.id);
