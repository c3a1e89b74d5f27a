import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('a new Service is not known on the node until kube-proxy is back', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' });
  bed.pod('client', { image: 'busybox:1.36', command: ['sleep', '9999'] }, { nodeName: 'worker-1' });
  bed.at(10).fault('KubeProxyDown', { target: { nodes: ['worker-1'] }, duration: '1m' });
  bed.at(11).service('web');
  expect(bed.at(20).traceService('client', 'web')).not.toBe('Delivered');
  expect(bed.at(80).traceService('client', 'web')).toBe('Delivered');
});
