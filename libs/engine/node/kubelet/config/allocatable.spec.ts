import { expect, test } from '@jest/globals';
import type { KubeletConfiguration } from '../../../kinds/terrarium/noderuntime/kind.js';
import { node } from '../testing.js';
import { resourcesOf } from './allocatable.js';

const CAPACITY = { cpu: '4', memory: '8388608Ki', 'ephemeral-storage': '102400000Ki', pods: '110' };
const NODE = node({ capacity: CAPACITY, allocatable: CAPACITY });

test.each<[string, KubeletConfiguration | undefined, KubeletConfiguration | undefined, object, object]>([
  ['nothing was told', undefined, undefined, {}, {}],
  ['it takes fewer pods', undefined, { maxPods: 5 }, { pods: '5' }, { pods: '5' }],
  ['it takes fewer pods no more', { maxPods: 5 }, undefined, { pods: '110' }, { pods: '110' }],
  [
    'something is reserved',
    undefined,
    {
      kubeReserved: { cpu: '500m', memory: '1Gi' },
      systemReserved: { memory: '512Mi', 'ephemeral-storage': '1Gi' },
      evictionHard: { 'memory.available': '512Mi', 'nodefs.available': '10%' },
    },
    {},
    { cpu: '3500m', memory: '6291456Ki', 'ephemeral-storage': '93298098020' },
  ],
  ['nothing is reserved any more', { kubeReserved: { cpu: '1' } }, {}, {}, {}],
])('when %s', (_, before, next, capacity, allocatable) => {
  const found = resourcesOf(NODE, before, next);
  expect(found.capacity).toEqual({ ...CAPACITY, ...capacity });
  expect(found.allocatable).toEqual({ ...CAPACITY, ...allocatable });
});
