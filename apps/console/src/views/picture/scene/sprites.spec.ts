import { expect, test } from '@jest/globals';
import { Actors, actorName } from '../model/actors.js';
import { Beams, BEAM_MS } from './beams.js';
import { between, fitCamera, toScene } from './camera.js';
import { Streams, type Flow } from '../model/flows.js';
import { clip, formatBytes, formatCpu } from '../model/format.js';
import { hitBox, hitPlace } from './hit.js';
import { zoomAt } from '../pointing.js';
import { buildScene } from './scene.js';
import { Slots } from './slots.js';
import { Sprites } from './sprites.js';
import { syntheticBatches } from '../model/synthetic.js';
import { World } from '../model/world.js';

function picture(pods = 30) {
  const world = new World();
  for (const batch of syntheticBatches(pods, 3)) world.apply(batch);
  return { world, scene: buildScene(world, 'placement', new Slots(), 1.6), sprites: new Sprites() };
}

test('squares come to their places, and rest there', () => {
  const { world, scene, sprites } = picture();
  sprites.aim(world, scene.places);
  for (let i = 0; i < 100 && sprites.isMoving; i++) sprites.step(50);
  expect(sprites.isMoving).toBe(false);
  const { thing, x, side } = scene.places[3]!;
  expect(Math.abs(sprites.x[thing.index]! - x)).toBeLessThan(1);
  expect(Math.abs(sprites.side[thing.index]! - side)).toBeLessThan(1);
});

test('with reduced motion they are there at once, and nothing fades away', () => {
  const { world, scene, sprites } = picture();
  sprites.isStill = true;
  sprites.aim(world, scene.places);
  expect(sprites.side[scene.places[0]!.thing.index]).toBeGreaterThan(0);
  sprites.leave(0);
  expect(sprites.ghosts).toHaveLength(0);
});

test('ghosts of what is gone are few, and fade', () => {
  const { world, scene, sprites } = picture(1_000);
  sprites.aim(world, scene.places);
  for (let i = 0; i < 1_000; i++) sprites.leave(i);
  expect(sprites.ghosts.length).toBeLessThanOrEqual(400);
  for (let i = 0; i < 40; i++) sprites.step(50);
  expect([sprites.ghosts.length, sprites.isMoving]).toEqual([0, false]);
});

test('what is under a point', () => {
  const { world, scene, sprites } = picture();
  sprites.isStill = true;
  sprites.aim(world, scene.places);
  const { thing, x, y } = scene.places[2]!;
  sprites.step(50);
  expect(hitPlace(world, sprites, { x, y })).toBe(thing);
  const box = scene.boxes.find(({ kind }) => kind === 'Node')!;
  expect(hitBox(scene.boxes, { x: box.x + 1, y: box.y + 1 })?.thing).toBe(box.thing);
  expect(hitBox(scene.boxes, { x: -99, y: -99 })).toBeUndefined();
});

test('the camera shows all, and zooms about a point', () => {
  const camera = fitCamera({ w: 1_000, h: 500 }, { w: 800, h: 600 }, 50);
  expect(toScene(camera, 400, 0).x).toBeCloseTo(500);
  const closer = zoomAt(camera, 100, 200, 2);
  expect(toScene(closer, 100, 200)).toEqual(
    expect.objectContaining({ x: expect.closeTo(toScene(camera, 100, 200).x) }),
  );
  expect(zoomAt(camera, 0, 0, 1e9).k).toBeLessThanOrEqual(16);
  expect(between(camera, closer, 1)).toEqual({ ...closer, k: expect.closeTo(closer.k) });
});

test.each([
  ['system:node:worker-1', 'kubelet'],
  ['system:serviceaccount:kube-system:deployment-controller', 'deployment-controller'],
  ['system:kube-scheduler', 'kube-scheduler'],
  ['system:serviceaccount:shop:bot', 'users'],
  ['jane', 'users'],
])('%s is %s', (actor, name) => expect(actorName(actor)).toBe(name));

test('the coldest of the parts makes room for another', () => {
  const actors = new Actors();
  for (let i = 0; i < 40; i++) actors.act(`system:serviceaccount:kube-system:c${i}`);
  expect(actors.all.length).toBeLessThanOrEqual(14);
  expect(actors.all.map(({ name }) => name)).toContain('kubelet');
  expect(actors.cool(10)).toBe(true);
  expect(actors.cool(10_000)).toBe(false);
});

test('of many beams at once some are shown, and they end', () => {
  const beams = new Beams();
  for (let i = 0; i < 500; i++) beams.add({ actor: 'users', index: i, x: 0, y: 0 });
  expect(beams.all.length).toBeLessThan(100);
  expect(beams.step(BEAM_MS + 1)).toBe(false);
});

test('flows between pods of the picture, the refused ones apart; old ones are forgotten', () => {
  const { world } = picture();
  const [a, b] = [...world.all('Pod')];
  const flow = (verdict: Flow['verdict']): Flow => ({
    ...{ service: null, port: 80, decided: '', endedAt: null, bytesSent: 0, bytesReceived: 0 },
    ...{ id: verdict, from: `pod/${a!.namespace}/${a!.name}`, to: `pod/${b!.namespace}/${b!.name}`, verdict },
  });
  const streams = new Streams();
  streams.tell(world, [flow('Delivered'), flow('Dropped'), { ...flow('Delivered'), to: '1.2.3.4' }], 0);
  streams.tell(world, [flow('Delivered')], 1);
  expect([...streams.all].map(({ isRefused, count }) => [isRefused, count])).toEqual([
    [true, 1],
    [false, 1],
  ]);
  streams.tell(world, [{ ...flow('Refused'), to: '1.2.3.4', service: 'service/default/app-0' }], 2);
  expect([...streams.all].at(-1)?.to).toMatchObject({ kind: 'Service', name: 'app-0' });
  streams.tell(world, [], 60_000);
  expect(streams.size).toBe(0);
});

test('texts are cut, hostile characters are seen, and amounts are Kubernetes’', () => {
  expect(clip('abcdef', 40, 10)).toBe('abc…');
  expect(clip('a\u202eb', 100, 10)).toBe('a\ufffdb');
  expect([formatBytes(64 * 1024 ** 2), formatBytes(0), formatCpu(250), formatCpu(1_500)]).toEqual([
    ...['64Mi', '0', '250m', '1.5'],
  ]);
});
