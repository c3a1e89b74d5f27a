import { expect, test } from '@jest/globals';
import type { AppliedChange, KubeObject } from '@terrarium/engine';
import { encodeChanges, type Segment } from '@terrarium/store';
import { SegmentTexts } from './segment-texts.js';

/** A segment of pods, large enough to be deflated. */
function segmentOf(namespace: string, first: number): Segment {
  const changes: AppliedChange[] = Array.from({ length: 200 }, (_, i) => ({
    revision: first + i,
    type: 'put',
    ...{ resource: 'pods', namespace, name: `web-${i}`, actor: 'jane', cause: 0, at: 0 },
    object: { metadata: { namespace, name: `web-${i}`, resourceVersion: String(first + i) } } as unknown as KubeObject,
    old: undefined,
  }));
  return { first, last: first + 199, at: 0, changes: encodeChanges(changes).stored };
}

const namespacesOf = (texts: SegmentTexts, segment: Segment): string[] => [
  ...new Set(
    texts
      .of('one', segment)
      .range(segment.first, segment.last)
      .map(({ namespace }) => namespace),
  ),
];

test('a segment is unpacked once', () => {
  const texts = new SegmentTexts(1_000_000);
  expect(texts.of('one', segmentOf('shop', 1))).toBe(texts.of('one', segmentOf('shop', 1)));
});

test('other changes at the same revisions, of another cluster or of a successor, are not taken for it', () => {
  const texts = new SegmentTexts(1_000_000);
  const [shop, shed] = [segmentOf('shop', 1), segmentOf('shed', 1)];
  expect(shop.changes.length).toBe(shed.changes.length);
  expect([namespacesOf(texts, shop), namespacesOf(texts, shed)]).toEqual([['shop'], ['shed']]);
  expect(texts.of('two', shop)).not.toBe(texts.of('one', shop));
});

test('what was not wanted for the longest time goes first', () => {
  const [first, second] = [segmentOf('shop', 1), segmentOf('shop', 201)];
  const texts = new SegmentTexts(1.5 * new SegmentTexts(1e9).of('one', first).size);
  const known = texts.of('one', first);
  texts.of('one', second);
  expect(texts.of('one', first)).not.toBe(known);
});
