import type { LogStore } from '@terrarium/store';

interface Query {
  readonly ids: Set<string>;
  readonly heads: Promise<Map<string, number>>;
}

/**
 * Reads heads from the store. All callers that wait, for any cluster, share one query, and each gets an answer that is
 * younger than its call.
 */
export class HeadCheck {
  private next: Query | undefined;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly store: Pick<LogStore, 'heads'>) {}

  /** Undefined when there is no such cluster. */
  async headOf(id: string): Promise<number | undefined> {
    const query = (this.next ??= this.startQuery());
    query.ids.add(id);
    return (await query.heads).get(id);
  }

  private startQuery(): Query {
    const ids = new Set<string>();
    const heads = this.running.then(() => {
      this.next = undefined;
      return this.store.heads([...ids]);
    });
    // Who waits for the heads is told of the error.
    this.running = heads.catch(() => undefined);
    return { ids, heads };
  }
}
