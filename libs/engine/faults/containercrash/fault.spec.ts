import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('a container crashes in a loop, and runs when the fault is over', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' });
  bed.at(5).fault('ContainerCrash', {
    target: { namespaces: ['default'], podSelector: { matchLabels: { app: 'web' } } },
    parameters: { exitCode: 3 },
    duration: '1m',
  });
  expect(bed.at(6).last('web')).toEqual({ reason: 'Error', exitCode: 3 });
  expect(bed.at(20).state('web')).toMatch(/^CrashLoopBackOff [1-9]/);
  expect(bed.events('web')).toContainEqual(expect.stringContaining('Back-off restarting failed container c in pod'));
  expect(bed.at(200).state('web')).toMatch(/^Running/);
});
