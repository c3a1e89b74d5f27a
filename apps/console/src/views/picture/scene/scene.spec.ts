import { expect, test } from '@jest/globals';
import { compareNumbered } from '../model/groups.js';
import { fitCells, packRows } from './pack.js';
import { buildScene } from './scene.js';
import { Slots } from './slots.js';
import { syntheticBatches } from '../model/synthetic.js';
import { World } from '../model/world.js';

function worldOf(pods: number, nodes: number): World {
  const world = new World();
  for (const batch of syntheticBatches(pods, nodes)) world.apply(batch);
  return world;
}

test.each(['placement', 'traffic', 'ownership'] as const)(
  '%s: every pod stands once, in a box, on no other',
  (mode) => {
    const world = worldOf(500, 12);
    const scene = buildScene(world, mode, new Slots(), 1.6);
    expect(new Set(scene.places.map(({ thing }) => thing.uid)).size).toBe(500);
    expect(scene.places).toHaveLength(500);
    const cells = new Set(scene.places.map(({ x, y }) => `${x.toFixed(1)}/${y.toFixed(1)}`));
    expect(cells.size).toBe(500);
    for (const { x, y, side } of scene.places) {
      const box = scene.boxes.find(
        (b) => x - side / 2 >= b.x && x <= b.x + b.w && y - side / 2 >= b.y && y <= b.y + b.h,
      );
      expect(box).toBeDefined();
    }
  },
);

test('a pod that leaves moves no other', () => {
  const world = worldOf(40, 2);
  const slots = new Slots();
  const before = new Map(
    buildScene(world, 'placement', slots, 1.6).places.map(({ thing, x, y }) => [thing.uid, [x, y]]),
  );
  const pod = [...world.all('Pod')][5]!;
  const { kind, namespace, name, uid } = pod;
  world.apply({
    ...{ begins: false, left: 0, revision: 9_999, at: 0, labels: [] },
    rows: [{ kind, namespace, name, uid, revision: 9_999, created: 0, gone: true, is: {} }],
  });
  for (const { thing, x, y } of buildScene(world, 'placement', slots, 1.6).places)
    expect([thing.uid, [x, y]]).toEqual([thing.uid, before.get(thing.uid)]);
});

test('20,000 pods are laid out well within the time between two layouts', () => {
  const world = worldOf(20_000, 200);
  const slots = new Slots();
  buildScene(world, 'placement', slots, 1.6);
  const started = performance.now();
  expect(buildScene(world, 'placement', slots, 1.6).places).toHaveLength(20_000);
  expect(performance.now() - started).toBeLessThan(600);
});

test('boxes in rows do not overlap, and use the screen', () => {
  const sizes = Array.from({ length: 7 }, (_, i) => ({ w: 50 + 10 * i, h: 40 }));
  const { w, h, at } = packRows(sizes, 5, 1.6);
  at.forEach((a, i) =>
    at.slice(i + 1).forEach((b, k) => {
      const [one, other] = [sizes[i]!, sizes[i + 1 + k]!];
      const apart = a.x + one.w <= b.x || b.x + other.w <= a.x || a.y + one.h <= b.y || b.y + other.h <= a.y;
      expect(apart).toBe(true);
    }),
  );
  expect(w / h).toBeGreaterThan(0.8);
  expect(packRows([], 5, 1)).toEqual({ w: 0, h: 0, at: [] });
});

test.each([
  [1, 1],
  [10, 3],
  [110, 11],
])('%i cells fit', (count) => {
  const { columns, side } = fitCells(count, { w: 240, h: 146 }, 72);
  expect(columns * side).toBeLessThanOrEqual(240.001);
  expect(Math.ceil(count / columns) * side).toBeLessThanOrEqual(146.001);
});

test('numbers in names are compared as numbers', () => {
  expect(['w-10', 'w-2', 'a', 'w-1'].sort(compareNumbered)).toEqual(['a', 'w-1', 'w-2', 'w-10']);
});
