import { expect, test } from '@jest/globals';
import { buildScene } from './scene.js';
import { Slots } from './slots.js';
import { chainsOf } from './storage-scene.js';
import type { Facts, Row } from '../model/row.js';
import { World } from '../model/world.js';

const row = (kind: string, name: string, is: Facts, namespace?: string): Row => ({
  ...{ kind, name, uid: name, revision: 1, created: 0, is },
  ...(namespace ? { namespace } : {}),
});
const world = new World();
world.apply({
  ...{ begins: true, left: 0, revision: 1, at: 0, labels: [] },
  rows: [
    row('PersistentVolumeClaim', 'data', { status: 'Bound', volume: 'pv1' }, 'shop'),
    row('PersistentVolumeClaim', 'lost', { status: 'Pending' }, 'shop'),
    row('PersistentVolume', 'pv1', { status: 'Bound', claim: 'shop/data' }),
    row('PersistentVolume', 'free', { status: 'Available' }),
    row('VolumeAttachment', 'va', { volume: 'pv1', node: 'n1', attached: false }),
    row('Pod', 'db', { claims: ['data'], phase: 'Running', status: 'Running' }, 'shop'),
  ],
});

test('from the pod to the attachment; claims and volumes that lead nowhere too', () => {
  expect(
    chainsOf(world).map(({ pods, claim, volume, attachments }) => [
      pods.length,
      claim?.name,
      volume?.name,
      attachments.length,
    ]),
  ).toEqual([
    [1, 'data', 'pv1', 1],
    [0, 'lost', undefined, 0],
    [0, undefined, 'free', 0],
  ]);
});

test('what does not hold is a broken line', () => {
  const { links, boxes, places } = buildScene(world, 'storage', new Slots(), 1.6);
  expect(links.map(({ kind, isBroken }) => [kind, isBroken])).toEqual([
    ['uses', false],
    ['bound', false],
    ['attached', true],
  ]);
  expect([boxes.length, places.length]).toEqual([5, 1]);
});
