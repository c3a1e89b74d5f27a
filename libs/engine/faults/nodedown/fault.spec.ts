import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('a node without power is given up after 50 s, and boots when the fault ends', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(10).fault('NodeDown', { target: { nodes: ['worker-1'] }, duration: '2m' });
  // The kubelet is not reached, at once.
  const dial = expect.stringMatching(/dial tcp \d+\.\d+\.\d+\.\d+:10250: connect: no route to host$/);
  expect(JSON.parse(bed.at(11).request('/api/v1/namespaces/default/pods/web/log').body)).toMatchObject({
    code: 500,
    message: expect.stringMatching(
      /^Get "https:\/\/\d+\.\d+\.\d+\.\d+:10250\/containerLogs\/default\/web\/c": dial tcp/,
    ),
  });
  expect(bed.refusal('web', 'ls')).toEqual(dial);
  expect(bed.at(70).ready('worker-1')).toBe('Unknown');
  expect(bed.taints('worker-1')).toContain('node.kubernetes.io/unreachable');
  expect(bed.at(140).ready('worker-1')).toBe('True');
  expect(bed.request('/api/v1/namespaces/default/pods/web/log').status).toBe(200);
  expect(bed.events('worker-1')).toContainEqual(expect.stringMatching(/^Rebooted: Node worker-1 has been rebooted/));
  expect(bed.last('web')).toEqual({ reason: 'Unknown', exitCode: 255 });
});
