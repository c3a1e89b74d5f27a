import type { AppliedChange } from '../../machinery/requests/http.js';
import type { KubeObject } from '../../machinery/meta/object.js';

/** So many changes can be looked back over. */
const MAX_CHANGES = 1_000;

/**
 * The last changes of one state, by which a list is read at an earlier revision. The objects are those of the host's
 * window: nothing is copied.
 */
export class History {
  private changes: AppliedChange[] = [];

  add(change: AppliedChange): void {
    this.changes.push(change);
    // Twice the limit, so that the copy is made once in a while and not at each change.
    if (this.changes.length > 2 * MAX_CHANGES) this.changes = this.changes.slice(-MAX_CHANGES);
  }

  /** Forgets the newest changes, which have been rolled back. */
  undo(count: number): void {
    this.changes.length = Math.max(0, this.changes.length - count);
  }

  /** Forgets the changes up to a revision, whose objects take too much memory. */
  forgetUpTo(revision: number): void {
    const first = this.changes[0];
    if (first && revision >= first.revision) this.changes = this.changes.slice(revision - first.revision + 1);
  }

  /** Every change after this revision is known here; Infinity when none is. */
  get start(): number {
    const first = this.changes[0];
    return first ? first.revision - 1 : Infinity;
  }

  /** The change of a revision; undefined when that is too long ago. */
  changeAt(revision: number): AppliedChange | undefined {
    return this.changes[revision - this.start - 1];
  }

  /** The list `current` as it was at a revision, in the order of keys; undefined when that is too long ago. */
  at(
    revision: number,
    resource: string,
    namespace: string | undefined,
    current: readonly KubeObject[],
  ): readonly KubeObject[] | undefined {
    const first = this.changes[0];
    if (!first || revision < first.revision - 1) return undefined;
    const before = new Map<string, KubeObject | undefined>();
    for (let i = this.changes.length - 1; i >= 0; i--) {
      const change = this.changes[i]!;
      if (change.revision <= revision) break;
      if (change.resource === resource && (namespace === undefined || change.namespace === namespace))
        before.set(`${change.namespace}/${change.name}`, change.old);
    }
    if (before.size === 0) return current;
    const unchanged = current.filter(({ metadata: { namespace: ns = '', name = '' } }) => !before.has(`${ns}/${name}`));
    return [...unchanged, ...[...before.values()].filter((o) => o !== undefined)].sort(compareKeys);
  }
}

/** etcd's key order: by namespace, then name, bytewise. */
export function compareKeys(a: KubeObject, b: KubeObject): number {
  const [an, bn] = [a.metadata.namespace ?? '', b.metadata.namespace ?? ''];
  if (an !== bn) return an < bn ? -1 : 1;
  const [a2, b2] = [a.metadata.name ?? '', b.metadata.name ?? ''];
  return a2 < b2 ? -1 : a2 > b2 ? 1 : 0;
}
