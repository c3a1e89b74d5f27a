import { describe, expect, test } from '@jest/globals';
import type { Pod, Volume } from '../../api/core_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { filterNodes, makeNode, makePod, snapshotOf } from '../testing.js';
import { volumeRestrictions } from './volume-restrictions.js';

const NODES = [makeNode('a'), makeNode('b')];
const claim = (name: string, mode: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default', uid: name },
    spec: { accessModes: [mode] },
    status: {},
  }) as unknown as KubeObject;
const CLAIMS = [claim('one', 'ReadWriteOncePod'), claim('many', 'ReadWriteOnce')];
const mounting = (nodeName: string | undefined, volume: Partial<Volume>): Pod =>
  makePod({ volumes: [{ name: 'v', ...volume }] }, {}, nodeName);
const claiming = (nodeName: string | undefined, claimName: string): Pod =>
  mounting(nodeName, { persistentVolumeClaim: { claimName } });

const TAKEN = 'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode';
const DISK = 'node(s) had no available disk';
const gce = (readOnly = false): Partial<Volume> => ({ gcePersistentDisk: { pdName: 'd', readOnly } });
const rbd = (monitor: string): Partial<Volume> => ({ rbd: { monitors: [monitor, 'm'], image: 'i', pool: 'p' } });

describe('filters', () => {
  test.each<[string, Pod, readonly Pod[], unknown]>([
    ['a pod without volumes', makePod(), [], 'Skip'],
    ['a claim of many pods', claiming(undefined, 'many'), [claiming('a', 'many')], 'Skip'],
    ['a claim that is not there', claiming(undefined, 'none'), [], 'Skip'],
    ['a claim of one pod that nobody uses', claiming(undefined, 'one'), [claiming('a', 'many')], {}],
    ['a claim of one pod in use', claiming(undefined, 'one'), [claiming('a', 'one')], { a: TAKEN, b: TAKEN }],
    ['a disk in use', mounting(undefined, gce()), [mounting('a', gce(true))], { a: DISK }],
    ['a disk that is read alone', mounting(undefined, gce(true)), [mounting('a', gce(true))], {}],
    ['an image of one of its monitors', mounting(undefined, rbd('x')), [mounting('b', rbd('y'))], { b: DISK }],
  ])('%s', (_, pod, others, expected) =>
    expect(filterNodes(volumeRestrictions, pod, snapshotOf(NODES, others, CLAIMS))).toEqual(expected),
  );
});

test('a node fits without the pod that has the claim', () => {
  const user = claiming('a', 'one');
  const snapshot = snapshotOf(NODES, [user], CLAIMS);
  const filter = volumeRestrictions.preFilter(claiming(undefined, 'one'), snapshot);
  if (typeof filter !== 'function') throw new Error('it does not filter');
  const [a, b] = snapshot.nodes;
  expect(filter(a!.without([user]))).toBeUndefined();
  expect(filter(b!)?.reasons).toEqual([TAKEN]);
});
