import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('the node is given up while its containers run, and is heard again', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(10).fault('ControlPlanePartition', { target: { nodes: ['worker-1'] }, duration: '2m' });
  expect(bed.at(11).refusal('web', 'ls -l')).toMatch(
    /^error sending request: Post "https:\/\/[\d.]+:10250\/exec\/default\/web\/c\?command=sh&command=-c&command=ls\+-l&error=1&output=1": dial tcp [\d.]+:10250: i\/o timeout$/,
  );
  expect(bed.at(70).ready('worker-1')).toBe('Unknown');
  expect(bed.taints('worker-1')).toContain('node.kubernetes.io/unreachable');
  expect(bed.at(140).ready('worker-1')).toBe('True');
  expect(bed.exec('web', 'echo back')).toBe('back\n');
  expect(bed.state('web')).toBe('Running 0');
});
