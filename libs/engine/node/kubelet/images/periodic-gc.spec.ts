import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../../testkit/beds/fault-bed.js';
import { Nodes } from '../../../kinds/index.js';

const TOLD =
  /^(\w+): Failed to garbage collect required amount of images\. Attempted to free \d+ bytes, but only found 0 bytes eligible to free\.$/;
const told = (bed: FaultBed): unknown[] =>
  bed
    .events('worker-1')
    .map((event) => TOLD.exec(event)?.[1])
    .filter((reason) => reason !== undefined);

test('a kubelet tells each five minutes that images are not what fills its disk', () => {
  const bed = new FaultBed();
  // Its events of a shortage come every ten seconds, and would use up those that it may write of the node.
  const fill = { target: { nodes: ['worker-1'] }, duration: '50s' };
  bed.at(200).fault('DiskPressure', fill);
  expect(told(bed.at(230))).toEqual([]);
  expect(told(bed.at(245))).toEqual(['FreeDiskSpaceFailed']);
  bed.at(500).fault('DiskPressure', fill, 'again');
  expect(new Set(told(bed.at(545)))).toEqual(new Set(['FreeDiskSpaceFailed', 'ImageGCFailed']));
});

test('a disk that is not full is left alone', () => {
  const bed = new FaultBed();
  bed.fault('DiskPressure', { target: { nodes: ['worker-1'] }, parameters: { percent: 50 } });
  bed.at(400);
  expect(told(bed)).toEqual([]);
  expect(bed.get(Nodes, 'worker-1').status.conditions?.find(({ type }) => type === 'DiskPressure')?.status).toBe(
    'False',
  );
});
