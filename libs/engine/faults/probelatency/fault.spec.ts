import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test.each([
  ['500ms', true],
  ['3s', false],
])('a latency of %s leaves it ready: %s', (latency, ready) => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27', readinessProbe: { httpGet: { port: 80 }, periodSeconds: 5 } });
  bed.at(10).fault('ProbeLatency', { target: { pods: ['web'] }, parameters: { latency }, duration: '1m' });
  expect(bed.at(40).isReady('web')).toBe(ready);
  expect(bed.at(90).isReady('web')).toBe(true);
});
