import { expect, test } from '@jest/globals';
import type { Volume } from '../../../api/core_v1.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { node, pod, readerOf } from '../testing.js';
import { findAffinityProblem } from './volume-affinity.js';

const ZONE = 'topology.kubernetes.io/zone';
const object = (kind: string, name: string, spec: object, namespace?: string): KubeObject =>
  ({ kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) }, spec }) as unknown as KubeObject;
const volumeIn = (name: string, zones: readonly string[]): KubeObject =>
  object('PersistentVolume', name, {
    nodeAffinity: {
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: [...zones] }] }] },
    },
  });
const claim = (name: string, volumeName?: string): KubeObject =>
  object('PersistentVolumeClaim', name, volumeName === undefined ? {} : { volumeName }, 'shop');
const read = readerOf(
  node({}, { metadata: { name: 'worker-1', labels: { [ZONE]: 'a' } } }) as KubeObject,
  ...[volumeIn('here', ['a', 'b']), volumeIn('there', ['b']), object('PersistentVolume', 'anywhere', {})],
  ...[claim('near', 'here'), claim('far', 'there'), claim('any', 'anywhere'), claim('waits'), claim('web-v', 'there')],
);
const FAILS = 'MountVolume.NodeAffinity check failed for volume "there" : no matching NodeSelectorTerms';
const of = (claimName: string): Omit<Volume, 'name'> => ({ persistentVolumeClaim: { claimName } });

test.each<[string, Omit<Volume, 'name'>, string | undefined]>([
  ['a volume of its zone', of('near'), undefined],
  ['a volume of another zone', of('far'), FAILS],
  ['a volume of any node', of('any'), undefined],
  ['a claim without a volume', of('waits'), undefined],
  ['a claim that is not there', of('x'), undefined],
  ['an ephemeral volume of another zone', { ephemeral: {} }, FAILS],
  ['an emptyDir', { emptyDir: {} }, undefined],
])('%s', (_case, volume, expected) => {
  const own = { name: 'v', ...volume };
  expect(findAffinityProblem(own, pod({ volumes: [own] }), read)).toBe(expected);
});
