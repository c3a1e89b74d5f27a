import type { AppliedChange } from '@terrarium/engine';

/** The last changes of one cluster, in order, so that most watches resume without the store. */
export class WatchCache {
  private changes: AppliedChange[] = [];

  /** `revision`: that of the state before the first change. */
  constructor(
    private revision: number,
    private readonly limit: number,
  ) {}

  get length(): number {
    return this.changes.length;
  }

  /** The cache has every change after this revision. */
  get start(): number {
    return this.changes[0] ? this.changes[0].revision - 1 : this.revision;
  }

  add(changes: readonly AppliedChange[]): void {
    if (changes.length === 0) return;
    for (const change of changes) this.changes.push(change);
    this.revision = changes[changes.length - 1]!.revision;
    // At twice the limit, so that the array is copied once in a while and not at each change.
    if (this.changes.length > 2 * this.limit) this.trim(this.limit);
  }

  /** Drops all but the last `limit` changes. */
  trim(limit: number): void {
    if (this.changes.length > limit) this.changes = limit > 0 ? this.changes.slice(-limit) : [];
  }

  /** The changes after a revision, at most `limit` of them; undefined when the first of them is no longer cached. */
  after(revision: number, limit: number): readonly AppliedChange[] | undefined {
    const { start } = this;
    if (revision < start) return undefined;
    return this.changes.slice(revision - start, revision - start + limit);
  }
}
