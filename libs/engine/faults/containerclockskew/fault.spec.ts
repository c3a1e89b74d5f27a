import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('the clock of a container goes wrong and right again, while sleep takes as long as ever', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'busybox:1.36', command: ['sh', '-c', 'while true; do date +%Y-%m-%d; sleep 5; done'] });
  bed.pod('other', { image: 'busybox:1.36', command: ['sleep', '9999'] });
  const today = bed.at(5).exec('other', 'date +%Y-%m-%d').trim();
  const target = { podSelector: { matchLabels: { app: 'web' } } };
  bed.at(20).fault('ContainerClockSkew', { target, duration: '20s', parameters: { offset: '-240h' } });
  const ago = bed.at(22).exec('web', 'date +%Y-%m-%d').trim();
  expect(ago < today).toBe(true);
  expect(bed.exec('other', 'date +%Y-%m-%d').trim()).toBe(today);
  const lines = bed.at(60).log('web');
  expect(lines.filter((line) => line === ago)).toHaveLength(4);
  expect(lines.length).toBeGreaterThanOrEqual(11);
  expect(lines.at(-1)).toBe(today);
});
