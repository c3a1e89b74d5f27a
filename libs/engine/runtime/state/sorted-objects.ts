import type { KubeObject } from '../../machinery/meta/object.js';
import { compareKeys } from './history.js';

type Compare = (a: KubeObject, b: KubeObject) => number;

/** One object's step: created without `old`, deleted without `next`. */
interface Edit {
  readonly old: KubeObject | undefined;
  readonly next: KubeObject | undefined;
}

/** An edit costs a copy's shift at most: beyond so many, a list is sorted anew. */
const MIN_EDITS = 8;
const EDITS_PER_OBJECT = 1 / 16;

/**
 * A table's objects in the order of their keys. A list that was handed out never changes; the next one is made from it
 * by what has changed since, because sorting thousands of objects after each write would be most of a controller's
 * work.
 */
export class SortedObjects {
  private sorted: readonly KubeObject[] | undefined;
  private edits: Edit[] = [];

  constructor(
    private readonly objects: () => Iterable<KubeObject>,
    private readonly compare: Compare = compareKeys,
  ) {}

  get list(): readonly KubeObject[] {
    if (!this.sorted) return (this.sorted = [...this.objects()].sort(this.compare));
    if (this.edits.length === 0) return this.sorted;
    this.sorted = applyEdits(this.sorted, this.edits, this.compare);
    this.edits = [];
    return this.sorted;
  }

  replace(old: KubeObject | undefined, next: KubeObject | undefined): void {
    if (!this.sorted) return;
    this.edits.push({ old, next });
    if (this.edits.length <= MIN_EDITS + this.sorted.length * EDITS_PER_OBJECT) return;
    this.sorted = undefined;
    this.edits = [];
  }
}

function applyEdits(sorted: readonly KubeObject[], edits: readonly Edit[], compare: Compare): readonly KubeObject[] {
  const list = [...sorted];
  for (const { old, next } of edits) {
    const object = next ?? old;
    if (!object) continue;
    const at = lowerBound(list, object, compare);
    if (!next) list.splice(at, 1);
    else if (old) list[at] = next;
    else list.splice(at, 0, next);
  }
  return list;
}

/** Index of the first object whose key is not below this one's. */
function lowerBound(list: readonly KubeObject[], object: KubeObject, compare: Compare): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(list[middle]!, object) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
