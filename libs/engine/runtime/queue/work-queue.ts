import { keyText, type Key } from '../../machinery/meta/object.js';

/** A key to be reconciled, and the revision of the change that led to it (0 for a timer). */
export interface WorkItem {
  readonly key: Key;
  /** The key as text. */
  readonly text: string;
  readonly cause: number;
  /** Queued because the cluster was loaded: nothing is known to have happened. */
  readonly isLoaded?: boolean;
  /** The cause is a change of somebody outside of the cluster. */
  readonly isUsers?: boolean;
}

/**
 * A key that waits already, with the cause of what comes meanwhile: what is done then answers to a user's change, the
 * last one, whatever components have done before or since. Theirs are answered to in the order of arrival.
 */
export const withCause = (known: WorkItem, cause: number, isUsers: boolean | undefined): WorkItem =>
  isUsers ? { key: known.key, text: known.text, cause, isUsers } : known;

/** A queue at a moment, as plain data. */
export interface SavedQueue {
  readonly items: readonly WorkItem[];
  /** What the turn that is under way has left. */
  readonly turn?: readonly WorkItem[];
}

/**
 * One controller's keys to reconcile, each once and in the order of arrival. Models client-go/util/workqueue/queue.go.
 */
export class WorkQueue {
  private items = new Map<string, WorkItem>();
  /** What is left of the keys that waited when the controller's turn began. */
  private batch = new Map<string, WorkItem>();
  private rest: Iterator<[string, WorkItem]> | undefined;

  get size(): number {
    return this.items.size + this.batch.size;
  }

  /**
   * A key that waits already keeps its place, and its cause unless a user's change comes. Of a cluster that was loaded
   * nobody knows what has not been seen to yet: that is the last change, sooner than others.
   */
  add(key: Key, cause: number, isLoaded = false, isUsers = false): void {
    const text = keyText(key);
    const known = this.items.get(text);
    if (known?.isLoaded && isLoaded && cause > known.cause) this.items.set(text, { ...known, cause });
    else if (known) this.items.set(text, withCause(known, cause, isUsers));
    const coming = this.batch.get(text);
    if (coming) this.batch.set(text, withCause(coming, cause, isUsers));
    if (known || coming) return;
    const item = { key: { namespace: key.namespace, name: key.name }, text, cause };
    const isPlain = !isLoaded && !isUsers;
    this.items.set(text, isPlain ? item : { ...item, ...(isLoaded && { isLoaded }), ...(isUsers && { isUsers }) });
  }

  /** From now on `take` gives what waits now; what comes meanwhile waits for the next turn. */
  beginTurn(): void {
    if (this.rest) return;
    [this.batch, this.items] = [this.items, this.batch];
    this.rest = this.batch.entries();
  }

  /** The next key of this turn, no longer in the queue; undefined when there is none. */
  take(): WorkItem | undefined {
    const next = this.rest?.next();
    if (!next || next.done) return undefined;
    const [text, item] = next.value;
    this.batch.delete(text);
    return item;
  }

  /** The key that take() will give next; undefined: none before the next turn. */
  peek(): WorkItem | undefined {
    return this.rest ? first(this.batch) : this.peekLater();
  }

  /** The key that take() will give next, in this turn or a later one. */
  peekLater(): WorkItem | undefined {
    return first(this.batch) ?? first(this.items);
  }

  /** The key that was taken last is the next one again. */
  putBack(item: WorkItem): void {
    this.items.delete(item.text);
    this.batch = new Map([[item.text, item], ...this.batch]);
    this.rest = this.batch.entries();
  }

  /** What the turn has left stays, ahead of what came meanwhile. */
  endTurn(): void {
    this.rest = undefined;
    if (this.batch.size === 0) return;
    this.items = new Map([...this.batch, ...this.items]);
    this.batch = new Map();
  }

  /** Undefined when nothing waits, and no turn is under way. */
  save(): SavedQueue | undefined {
    if (this.size === 0 && !this.rest) return undefined;
    const items = [...this.items.values()];
    return this.rest ? { items, turn: [...this.batch.values()] } : { items };
  }

  restore(saved: SavedQueue = { items: [] }): void {
    this.items = byText(saved.items);
    this.batch = byText(saved.turn ?? []);
    this.rest = saved.turn && this.batch.entries();
  }

  clear(): void {
    this.rest = undefined;
    // An empty Map, too, gets new memory when it is cleared.
    if (this.size === 0) return;
    this.items.clear();
    this.batch.clear();
  }
}

const first = (items: ReadonlyMap<string, WorkItem>): WorkItem | undefined => items.values().next().value;
const byText = (items: readonly WorkItem[]): Map<string, WorkItem> => new Map(items.map((item) => [item.text, item]));
