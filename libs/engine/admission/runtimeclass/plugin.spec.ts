import { expect, test } from '@jest/globals';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { kind as RuntimeClasses } from '../../kinds/node/runtimeclass/kind.js';
import { createRequest, objectOf, refusalOf } from '../testing.js';
import { plugin } from './plugin.js';

const TOLERATION = { key: 'gvisor', operator: 'Exists' };
const CLASSES = [
  objectOf(RuntimeClasses, { metadata: { name: 'plain' } }),
  objectOf(RuntimeClasses, {
    metadata: { name: 'gvisor' },
    overhead: { podFixed: { cpu: '100m' } },
    scheduling: { nodeSelector: { sandbox: 'gvisor' }, tolerations: [TOLERATION] },
  }),
];

test.each<[string, object, object]>([
  ['without a class', { nodeSelector: { a: 'b' } }, { nodeSelector: { a: 'b' } }],
  ['of a class that adds nothing', { runtimeClassName: 'plain' }, { runtimeClassName: 'plain' }],
  [
    'of a class that adds',
    { runtimeClassName: 'gvisor', nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }] },
    {
      runtimeClassName: 'gvisor',
      overhead: { cpu: '100m' },
      nodeSelector: { a: 'b', sandbox: 'gvisor' },
      tolerations: [{ operator: 'Exists' }, TOLERATION],
    },
  ],
  [
    'that has it all',
    {
      runtimeClassName: 'gvisor',
      overhead: { cpu: '100m' },
      nodeSelector: { sandbox: 'gvisor' },
      tolerations: [TOLERATION],
    },
    {
      runtimeClassName: 'gvisor',
      overhead: { cpu: '100m' },
      nodeSelector: { sandbox: 'gvisor' },
      tolerations: [TOLERATION],
    },
  ],
])('a pod %s', (_, spec, expected) => {
  const pod = objectOf(Pods, { spec });
  expect(refusalOf(plugin, createRequest(Pods, { object: pod }, CLASSES))).toBeUndefined();
  expect(pod.spec).toEqual(expected);
});

test.each<[string, object, string]>([
  ['of an unknown class', { runtimeClassName: 'none' }, 'pod rejected: RuntimeClass "none" not found'],
  [
    'with an overhead and no class',
    { overhead: { cpu: '1' } },
    'pod rejected: Pod overhead set without corresponding RuntimeClass defined Overhead',
  ],
  [
    'with an overhead that its class has not',
    { runtimeClassName: 'plain', overhead: { cpu: '1' } },
    'pod rejected: Pod overhead set without corresponding RuntimeClass defined Overhead',
  ],
  [
    'with another overhead',
    { runtimeClassName: 'gvisor', overhead: { cpu: '1' } },
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
  ],
  [
    'with another node selector',
    { runtimeClassName: 'gvisor', nodeSelector: { sandbox: 'kata' } },
    'conflict: runtimeClass.scheduling.nodeSelector[sandbox] = gvisor; pod.spec.nodeSelector[sandbox] = kata',
  ],
])('a pod %s is refused', (_, spec, why) =>
  expect(refusalOf(plugin, createRequest(Pods, { object: objectOf(Pods, { spec }) }, CLASSES))).toBe(
    `pods "a" is forbidden: ${why}`,
  ),
);
