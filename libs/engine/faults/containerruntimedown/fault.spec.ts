import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';
import { Nodes } from '../../kinds/index.js';

test('the node says so, and starts nothing until it is back', () => {
  const bed = new FaultBed();
  bed.at(10).fault('ContainerRuntimeDown', { target: { nodes: ['worker-1'] }, duration: '5m' });
  bed.at(12).pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  expect(bed.at(35).ready('worker-1')).toBe('True');
  expect(bed.at(45).condition('worker-1', 'Ready')).toBe('False KubeletNotReady');
  expect(bed.state('web')).toBe('none 0');
  const message = (): string | undefined =>
    bed.get(Nodes, 'worker-1').status.conditions?.find(({ type }) => type === 'Ready')?.message;
  expect(message()).toBe('container runtime is down');
  expect(bed.at(200) && message()).toContain('PLEG is not healthy: pleg was last seen active 3m0s ago');
  expect(bed.at(330).state('web')).toBe('Running 0');
  expect(bed.ready('worker-1')).toBe('True');
});

test('nobody gets into its containers, nor reads their logs', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(10).fault('ContainerRuntimeDown', { target: { nodes: ['worker-1'] }, duration: '5m' });
  const { body } = bed.at(12).request('/api/v1/namespaces/default/pods/web/log');
  expect(body).toMatch(/^unable to retrieve container logs for containerd:/);
});
