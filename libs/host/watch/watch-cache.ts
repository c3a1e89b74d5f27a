import type { AppliedChange } from '@terrarium/engine';

/** The last changes of one cluster, in order, so that most watches resume without the store. */
export class Window {
  private changes: AppliedChange[] = [];

  /** `revision`: that of the state that the window begins after. */
  constructor(
    private revision: number,
    private readonly limit: number,
  ) {}

  get length(): number {
    return this.changes.length;
  }

  /** Changes after this revision are here. */
  get start(): number {
    return this.changes[0] ? this.changes[0].revision - 1 : this.revision;
  }

  add(changes: readonly AppliedChange[]): void {
    if (changes.length === 0) return;
    for (const change of changes) this.changes.push(change);
    this.revision = changes[changes.length - 1]!.revision;
    // Twice the limit, so that the copy is made once in a while and not at each change.
    if (this.changes.length > 2 * this.limit) this.trim(this.limit);
  }

  trim(limit: number): void {
    if (this.changes.length > limit) this.changes = limit > 0 ? this.changes.slice(-limit) : [];
  }

  /** The changes after a revision, at most `limit`; undefined when they are no longer all here. */
  after(revision: number, limit: number): readonly AppliedChange[] | undefined {
    const { start } = this;
    if (revision < start) return undefined;
    return this.changes.slice(revision - start, revision - start + limit);
  }
}
