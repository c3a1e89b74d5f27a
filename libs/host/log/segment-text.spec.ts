import { describe, expect, test } from '@jest/globals';
import type { AppliedChange, KubeObject } from '@terrarium/engine';
import { encodeChanges, type Segment } from '@terrarium/store';
import { hasChanges, SegmentText } from './segment-text.js';

const change = (revision: number): AppliedChange => {
  const name = `pod-${revision}`;
  const object = { metadata: { name, namespace: 'shop' } } as unknown as KubeObject;
  const where = { resource: 'pods', namespace: 'shop', name };
  return { revision, type: 'put', ...where, actor: 'jane', cause: 0, at: revision, object, old: undefined };
};
const encoded = encodeChanges([5, 6, 7, 8].map(change)).stored;
const rows = JSON.stringify([5, 6, 7, 8].map((i) => [0, 'pods', 'shop', `pod-${i}`, 'jane', 0, i, {}]));

/** The last one is another cluster's: a fork has left the log before it. */
const segment = (changes: Uint8Array): Segment => ({ first: 5, last: 7, at: 0, changes });

describe.each([
  ['of rows in lines', encoded],
  ['of when rows had no line ends between', Buffer.from(rows)],
])('a segment %s', (_, changes) => {
  const text = new SegmentText(segment(changes));

  test.each([
    [5, 5, [5]],
    [6, 7, [6, 7]],
    [0, 100, [5, 6, 7]],
    [8, 9, []],
  ])('has from %i to %i', (from, to, expected) =>
    expect(text.range(from, to).map(({ revision }) => revision)).toEqual(expected),
  );

  test('is searched by name', () => {
    const found = (name: string) => text.naming(['"pods",', `"${name}",`]).filter((one) => one.name === name);
    expect([found('pod-6'), found('pod-8')]).toMatchObject([[{ revision: 6, at: 6 }], []]);
  });
});

test('one at which a state was replaced has no changes', () => {
  expect([encoded, Buffer.from('R'), Buffer.from('[]')].map((changes) => hasChanges(segment(changes)))).toEqual([
    true,
    false,
    false,
  ]);
});
