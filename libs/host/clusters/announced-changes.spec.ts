import { expect, test } from '@jest/globals';
import { AnnouncedChanges, type AnnouncedSegment } from './announced-changes.js';

const segment = (first: number, last: number, length = 1): AnnouncedSegment => ({
  first,
  last,
  changes: new Uint8Array(length),
});

/** The segments that a copy at `head` replays, as `first-last`. */
function replayAll(announced: AnnouncedChanges, head: number): string[] {
  const next = announced.take(head);
  return next ? [`${next.first}-${next.last}`, ...replayAll(announced, next.last)] : [];
}

test.each([
  ['those in a row', [segment(4, 5), segment(6, 6)], ['4-5', '6-6']],
  ['none that is replayed already', [segment(1, 2), segment(3, 3), segment(4, 4)], ['4-4']],
  ['none behind a gap', [segment(5, 5), segment(6, 6)], []],
  ['none behind one that came without its changes', [{ first: 4, last: 4 }, segment(5, 5)], []],
  ['none behind one that is too large', [segment(4, 4, 3 << 20), segment(5, 5)], []],
  ['each once', [segment(4, 4), segment(4, 4), segment(5, 5)], ['4-4', '5-5']],
])('at revision 3 replays %s', (_case, segments, expected) => {
  const announced = new AnnouncedChanges();
  for (const each of segments) announced.add(each);
  expect(replayAll(announced, 3)).toEqual(expected);
  expect(announced.last).toBe(segments.at(-1)!.last);
});

test('keeps no bytes of what was taken or cannot be used', () => {
  const announced = new AnnouncedChanges();
  for (const each of [segment(1, 1, 100), segment(3, 3, 100)]) announced.add(each);
  expect(announced.bytes).toBe(200);
  expect(replayAll(announced, 0)).toEqual(['1-1']);
  expect(announced.bytes).toBe(0);
});

test('gives the bytes as they came', () => {
  const announced = new AnnouncedChanges();
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  announced.add({ first: 1, last: 1, changes: bytes.subarray(1) });
  expect(announced.take(0)?.changes).toEqual(Buffer.from(bytes.subarray(1)));
});
