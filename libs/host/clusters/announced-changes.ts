import type { Segment } from '@terrarium/store';

/** Segments that wait here may be so large together, in bytes; beyond, the store has them. */
const MAX_BYTES = 2 * 1024 * 1024;

/** The revisions `first` to `last`; without changes they did not fit into an announcement. */
export interface AnnouncedSegment extends Pick<Segment, 'first' | 'last'> {
  readonly changes?: Uint8Array;
}

/** A segment that can be replayed. */
type WholeSegment = Pick<Segment, 'first' | 'last' | 'changes'>;

/**
 * A segment that waits, its bytes as characters: as a view of what the network has brought it would keep several times
 * its bytes, outside of V8's heap, where 64 MiB of garbage are enough to have the whole heap collected.
 */
interface WaitingSegment extends Pick<Segment, 'first' | 'last'> {
  readonly characters: string;
}

/** What other processes have announced of one cluster and this copy has not replayed yet, in the order of arrival. */
export class AnnouncedChanges {
  private segments: WaitingSegment[] = [];
  /** Bytes of the segments that wait. */
  bytes = 0;
  /** The latest revision that was announced. */
  last = 0;

  add({ first, last, changes }: AnnouncedSegment): void {
    this.last = Math.max(this.last, last);
    if (!changes || this.bytes + changes.length > MAX_BYTES) return;
    const characters = Buffer.from(changes.buffer, changes.byteOffset, changes.length).toString('latin1');
    this.segments.push({ first, last, characters });
    this.bytes += changes.length;
  }

  /** The segment that follows `head`. Undefined when there is none, or when those before it have not come. */
  take(head: number): WholeSegment | undefined {
    const at = this.segments.findIndex((segment) => segment.last > head);
    const taken = this.segments[at];
    const passed = this.segments.splice(0, taken ? at + 1 : this.segments.length);
    for (const { characters } of passed) this.bytes -= characters.length;
    if (taken?.first !== head + 1) return undefined;
    const { first, last, characters } = taken;
    return { first, last, changes: Buffer.from(characters, 'latin1') };
  }
}
