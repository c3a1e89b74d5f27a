import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';
import { Events } from '../../kinds/index.js';

const HOUR = 3_600;
const countOf = (bed: FaultBed, start: string): number =>
  bed.client
    .list(Events, 'default')
    .filter(({ message }) => message?.startsWith(start))
    .reduce((sum, { count }) => sum + (count ?? 0), 0);

test('a back-off is told of at each sync, and counted', () => {
  const bed = new FaultBed('realistic');
  bed.pod('web', { image: 'busybox:1.36', command: ['sh', '-c', 'exit 1'] });
  bed.at(140);
  // Rests of 10, 20 and 40 s, and most of the next: a sync each 10 to 15 s.
  expect(countOf(bed, 'Back-off restarting')).toBeGreaterThanOrEqual(8);
  expect(countOf(bed, 'Back-off restarting')).toBeLessThanOrEqual(12);
});

test('so is one of an image, with what it waits with', () => {
  const bed = new FaultBed('realistic');
  bed.pod('web', { image: 'nginx:no-such-tag' });
  bed.at(140);
  const told = countOf(bed, 'Back-off pulling image');
  expect(told).toBeGreaterThanOrEqual(5);
  // The recorder lets 25 events through, and the second of two may be the first that it holds back.
  expect(told - countOf(bed, 'Error: ImagePullBackOff')).toBeLessThanOrEqual(1);
});

test('a pod that crashes all night costs little', () => {
  const bed = new FaultBed('realistic');
  bed.pod('web', { image: 'busybox:1.36', command: ['sh', '-c', 'exit 1'] });
  const writes = (from: number, to: number): number => {
    const before = bed.at(from).client.revision;
    return bed.at(to).client.revision - before;
  };
  const early = writes(60, 660);
  const hourly = writes(HOUR, 9 * HOUR) / 8;
  expect(early).toBeLessThan(80);
  // Twelve restarts an hour.
  expect(hourly).toBeLessThan(12 * 10);
});
