import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('it is ready so much later', () => {
  const bed = new FaultBed();
  bed.fault('SlowStart', { target: { namespaces: ['default'] }, parameters: { delay: '40s' } });
  bed.at(1).pod('web', { image: 'nginx:1.27', readinessProbe: { httpGet: { port: 80 }, periodSeconds: 5 } });
  expect(bed.at(30).isReady('web')).toBe(false);
  expect(bed.events('web')).toContainEqual(expect.stringContaining('connect: connection refused'));
  expect(bed.at(50).isReady('web')).toBe(true);
});
