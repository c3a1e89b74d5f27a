import type { Segment } from '@terrarium/store';
import { LRUCache } from 'lru-cache';
import { SegmentText } from './segment-text.js';

/** zlib's checksum of the plain bytes ends a stream. */
const CHECKSUM_BYTES = 4;

/** Segments that were unpacked last, for questions about the past: asked again, a question reads them from memory. */
export class SegmentTexts {
  private readonly texts: LRUCache<string, SegmentText>;

  constructor(maxBytes: number) {
    this.texts = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ size }) => size + 1 });
  }

  of(cluster: string, segment: Segment): SegmentText {
    const key = keyOf(cluster, segment);
    const known = this.texts.get(key);
    if (known) return known;
    const text = new SegmentText(segment);
    this.texts.set(key, text);
    return text;
  }
}

/** By its bytes, too: a worker that takes over may write other changes at the revisions that its predecessor lost. */
const keyOf = (cluster: string, { first, last, changes }: Segment): string =>
  [cluster, first, last, changes.length, Buffer.from(changes.subarray(-CHECKSUM_BYTES)).toString('hex')].join(' ');
