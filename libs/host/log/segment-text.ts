import { changesInText, changesWith, decodeChanges, unpack, type Segment, type StoredChange } from '@terrarium/store';

/** Where a whole state was replaced there are none. */
export const hasChanges = ({ changes }: Segment): boolean => changes.length > '[]'.length;

/** A segment whose changes are read singly: most of a large one are never parsed. */
export class SegmentText {
  private readonly text: string;
  readonly first: number;
  readonly last: number;

  constructor(private readonly segment: Segment) {
    this.text = unpack(segment.changes);
    this.first = segment.first;
    this.last = segment.last;
  }

  get length(): number {
    return this.last - this.first + 1;
  }

  /** Characters, most of them of one byte. */
  get size(): number {
    return this.text.length;
  }

  has(revision: number): boolean {
    return this.first <= revision && revision <= this.last;
  }

  /** Those from one revision to another, as far as they are of this segment. */
  range(from: number, to: number): readonly StoredChange[] {
    const [start, end] = [Math.max(from, this.first), Math.min(to, this.last)];
    if (start > end) return [];
    return changesInText(this.text, this.first, start, end) ?? this.decode().filter(isBetween(start, end));
  }

  /** Those whose row has all of these texts, and maybe others. */
  naming(parts: readonly string[]): readonly StoredChange[] {
    const found = changesWith(this.text, this.first, parts) ?? this.decode();
    return found.filter(isBetween(this.first, this.last));
  }

  private decode(): readonly StoredChange[] {
    return decodeChanges(this.segment.changes, this.first);
  }
}

const isBetween =
  (from: number, to: number) =>
  ({ revision }: StoredChange): boolean =>
    from <= revision && revision <= to;
