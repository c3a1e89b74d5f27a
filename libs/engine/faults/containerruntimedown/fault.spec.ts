import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('the node says so, and starts nothing until it is back', () => {
  const bed = new FaultBed();
  bed.at(10).fault('ContainerRuntimeDown', { target: { nodes: ['worker-1'] }, duration: '5m' });
  bed.at(12).pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  expect(bed.at(20).condition('worker-1', 'Ready')).toBe('False KubeletNotReady');
  expect(bed.state('web')).toBe('none 0');
  expect(bed.at(330).state('web')).toBe('Running 0');
  expect(bed.ready('worker-1')).toBe('True');
});
