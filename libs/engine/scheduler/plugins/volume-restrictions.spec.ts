import { expect, test } from '@jest/globals';
import type { PersistentVolumeClaim, Pod } from '../../api/core_v1.js';
import { filterNodes, makeNode, makePod, snapshotOf } from '../testing.js';
import { volumeRestrictions } from './volume-restrictions.js';

const claim = (name: string, mode: string): PersistentVolumeClaim =>
  ({
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace: 'default', uid: name } },
    ...{ spec: { accessModes: [mode] }, status: {} },
  }) as PersistentVolumeClaim;
const CLAIMS = [claim('alone', 'ReadWriteOncePod'), claim('shared', 'ReadWriteOnce')];

const using = (claimName: string, nodeName?: string): Pod =>
  makePod({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] }, {}, nodeName);
const REASON = 'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode';

test.each<[string, Pod, Pod[], unknown]>([
  ['no claim', makePod(), [], 'Skip'],
  ['a claim for many', using('shared'), [using('shared', 'a')], 'Skip'],
  ['a claim of its own', using('alone'), [], {}],
  ['a claim that another pod uses', using('alone'), [using('alone', 'a')], { a: REASON, b: REASON }],
  ['a claim beside others', using('alone'), [using('shared', 'a')], {}],
])('a pod with %s', (_, pod, others, expected) =>
  expect(filterNodes(volumeRestrictions, pod, snapshotOf([makeNode('a'), makeNode('b')], others, CLAIMS))).toEqual(
    expected,
  ),
);
