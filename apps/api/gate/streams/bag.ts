/**
 * Things that come and go, in no order. V8 gives a Set a new hash table after some deletions. The old one leads to the
 * new one and keeps what was in it: what was ever in a busy Set may stay until V8 collects the whole heap.
 */
export class Bag<T> implements Iterable<T> {
  private readonly items: T[] = [];

  add(item: T): void {
    this.items.push(item);
  }

  /** False when it is not there. Those that came last are found at once. */
  remove(item: T): boolean {
    const { items } = this;
    const at = items.lastIndexOf(item);
    if (at === -1) return false;
    const last = items.pop()!;
    if (at < items.length) items[at] = last;
    return true;
  }

  has(item: T): boolean {
    return this.items.includes(item);
  }

  /** What is there now, whatever comes and goes meanwhile. */
  [Symbol.iterator](): Iterator<T> {
    return [...this.items].values();
  }
}
