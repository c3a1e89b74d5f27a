import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('its liveness probe fails by time, and it is killed', () => {
  const bed = new FaultBed('realistic');
  bed.pod(
    'web',
    { image: 'nginx:1.27', livenessProbe: { httpGet: { port: 80 }, periodSeconds: 5 } },
    { terminationGracePeriodSeconds: 10 },
  );
  bed.at(60).fault('ContainerHang', { target: { pods: ['web'] }, duration: '20s' });
  bed.at(120);
  expect(bed.events('web')).toContainEqual(
    expect.stringMatching(/^Unhealthy: Liveness probe failed: Get ".*": context deadline exceeded/),
  );
  expect(bed.state('web')).toBe('Running 1');
  expect(bed.last('web')).toEqual({ reason: 'Error', exitCode: 137 });
});
