import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../../testkit/beds/fault-bed.js';
import { Pods } from '../../../kinds/index.js';
import { markStopped, stoppedSince } from './mark-stopped.js';

test('the API server hears of it when the last container has ended', () => {
  const bed = new FaultBed('realistic');
  const deaf = { image: 'busybox:1.36', command: ['sh', '-c', 'sleep 9999'] };
  bed.pod('web', deaf, { terminationGracePeriodSeconds: 60 });
  bed.at(10);
  const now = bed.cluster.state.now;
  const cause = { reason: 'Evicted', message: 'The node was low on resource: memory. ', graceSeconds: 20 };
  markStopped(bed.client, bed.get(Pods, 'web'), cause, now);
  const shown = () => {
    const { phase, reason, conditions } = bed.get(Pods, 'web').status;
    return [phase, reason, conditions?.find(({ type }) => type === 'DisruptionTarget')?.reason];
  };
  expect(shown()).toEqual(['Running', undefined, undefined]);
  expect(bed.at(25).client.get(Pods, { namespace: 'default', name: 'web' })!.status.phase).toBe('Running');
  expect(shown()).toEqual(['Running', undefined, undefined]);
  expect(stoppedSince(bed.client, bed.get(Pods, 'web'), 'Evicted')).toBe(now);
  expect(stoppedSince(bed.client, bed.get(Pods, 'web'), 'Terminated')).toBeUndefined();
  bed.at(40);
  expect(shown()).toEqual(['Failed', 'Evicted', 'TerminationByKubelet']);
});
