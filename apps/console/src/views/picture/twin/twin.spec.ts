import { expect, test } from '@jest/globals';
import { syntheticBatches } from '../model/synthetic.js';
import { flattenTwin, moveInTwin, twinGroups } from './twin.js';
import { MODES } from '../model/groups.js';
import { World } from '../model/world.js';

const world = new World();
for (const batch of syntheticBatches(200, 3)) world.apply(batch);
const groups = twinGroups(world, 'placement');
const closed = flattenTwin(groups, new Set());

test('closed lines have what is in them as a number; an open one has its pods', () => {
  expect(closed.map(({ kind, isOpen }) => [kind, isOpen])).toEqual([
    ['Waiting', false],
    ...Array.from({ length: 3 }, () => ['Node', false]),
  ]);
  const open = flattenTwin(groups, new Set(['waiting']));
  expect(open[1]).toMatchObject({ kind: 'Pod', level: 2, position: 1, siblings: 2, parent: 'waiting' });
  expect(open).toHaveLength(closed.length + 2);
});

test.each(MODES)('%s has a list', (mode) => {
  const rows = flattenTwin(twinGroups(world, mode), new Set());
  if (mode !== 'storage') expect(rows.length).toBeGreaterThan(0);
});

const first = closed[0]!.id;
const second = closed[1]!.id;
test.each([
  ['ArrowDown', first, { type: 'go', id: second }],
  ['ArrowUp', first, { type: 'go', id: first }],
  ['End', first, { type: 'go', id: closed.at(-1)!.id }],
  ['Home', second, { type: 'go', id: first }],
  ['ArrowRight', first, { type: 'open', id: first }],
  ['ArrowLeft', first, undefined],
  ['x', first, undefined],
])('%s', (key, from, move) => expect(moveInTwin(closed, from, key)).toEqual(move));

test('to the left goes to the parent, then closes it', () => {
  const open = flattenTwin(groups, new Set(['waiting']));
  expect(moveInTwin(open, open[1]!.id, 'ArrowLeft')).toEqual({ type: 'go', id: 'waiting' });
  expect(moveInTwin(open, 'waiting', 'ArrowLeft')).toEqual({ type: 'close', id: 'waiting' });
  expect(moveInTwin([], undefined, 'ArrowDown')).toBeUndefined();
});
