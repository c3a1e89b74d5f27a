import type { LogStore } from '@terrarium/store';

interface Asked {
  readonly promise: Promise<Map<string, number>>;
  readonly ids: Set<string>;
}

/**
 * Asks the store for heads: all that wait, of any cluster, share one query, and each gets an answer younger than its
 * question.
 */
export class HeadCheck {
  private next: Asked | undefined;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly store: Pick<LogStore, 'heads'>) {}

  /** Undefined when there is no such cluster. */
  async ask(id: string): Promise<number | undefined> {
    const asked = (this.next ??= this.begin());
    asked.ids.add(id);
    return (await asked.promise).get(id);
  }

  private begin(): Asked {
    const ids = new Set<string>();
    const promise = this.running.then(() => {
      this.next = undefined;
      return this.store.heads([...ids]);
    });
    this.running = promise.catch(() => undefined);
    return { promise, ids };
  }
}
