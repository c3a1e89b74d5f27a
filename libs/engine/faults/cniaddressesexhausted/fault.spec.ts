import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('no sandbox is made', () => {
  const bed = new FaultBed();
  bed.at(5).fault('CNIAddressesExhausted', { target: { nodes: ['worker-1'] }, duration: '1m' });
  bed.at(6).pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(20);
  expect(bed.events('web')).toContainEqual(
    expect.stringMatching(
      /FailedCreatePodSandBox.*no IP addresses available in range set: 10\.244\.1\.1-10\.244\.1\.254$/,
    ),
  );
  expect(bed.ready('worker-1')).toBe('True');
  expect(bed.at(100).state('web')).toBe('Running 0');
});
