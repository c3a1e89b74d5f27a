import { describe, expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';
import { Faults, Pods } from '../../kinds/index.js';
import { microTimestamp } from '../../machinery/time/time.js';

const WEB = { target: { namespaces: ['default'], podSelector: { matchLabels: { app: 'web' } } } };

describe('times', () => {
  test('it begins and ends at the moment', () => {
    const bed = new FaultBed();
    bed.at(2).fault('SchedulerDown', { start: '10s', duration: '30s' });
    expect(bed.at(11.999).phase()).toBe('Pending');
    expect(bed.at(12).phase()).toBe('Active');
    expect(bed.at(41.999).phase()).toBe('Active');
    const { startTime, endTime, phase } = bed.at(42).get(Faults, 'f').status;
    expect([phase, startTime, endTime]).toEqual([
      'Finished',
      microTimestamp(bed.start + 12_000),
      microTimestamp(bed.start + 42_000),
    ]);
  });

  test('in one go or in steps, the history is the same', () => {
    const run = (steps: number): string => {
      const bed = new FaultBed('realistic');
      bed.pod('web', { image: 'nginx:1.27', readinessProbe: { httpGet: { port: 80 }, periodSeconds: 3 } });
      bed.at(20).fault('ContainerCrash', { ...WEB, start: '5s', duration: '40s' });
      bed.fault('NodeDown', { target: { nodes: ['worker-1'] }, start: '20s', duration: '70s' }, 'g');
      for (let step = 1; step <= steps; step++) bed.at(20 + (200 * step) / steps);
      return JSON.stringify([...bed.cluster.state.objects()]);
    };
    expect(run(400)).toBe(run(1));
  });

  test('a time that has passed is now', () => {
    const bed = new FaultBed();
    bed.at(2).fault('SchedulerDown', { start: '2020-01-01T00:00:00Z' });
    expect(bed.at(2).phase()).toBe('Active');
  });

  test('it is ended before it has begun, and by its deletion', () => {
    const bed = new FaultBed();
    bed.fault('SchedulerDown', { start: '10s' });
    expect(bed.end().at(20).phase()).toBe('Finished');
    bed.fault('ControllerManagerDown', {}, 'g');
    bed.at(21).deployment('web');
    expect(bed.at(30).pods('web')).toHaveLength(0);
    bed.client.delete(Faults, { namespace: '', name: 'g' });
    expect(bed.at(200).pods('web')).toHaveLength(1);
  });

  test('its duration is made shorter', () => {
    const bed = new FaultBed();
    const fault = bed.fault('SchedulerDown', { duration: '1h' });
    bed.at(5);
    const stored = bed.get(Faults, 'f');
    bed.client.update(Faults, { ...stored, spec: { ...fault.spec, duration: '10s' } });
    expect(bed.at(9).phase()).toBe('Active');
    expect(bed.at(10).phase()).toBe('Finished');
  });
});

describe('targets', () => {
  test('the same seed chooses the same pods', () => {
    const choose = (seed: number): string[] => {
      const bed = new FaultBed();
      for (const name of ['a', 'b', 'c', 'd', 'e']) bed.pod(name, { image: 'nginx:1.27' });
      bed.at(2).fault('ContainerHang', { target: { namespaces: ['default'], mode: 'fixed', value: 2 }, seed });
      return bed.at(3).get(Faults, 'f').status.targets ?? [];
    };
    expect(choose(1)).toHaveLength(2);
    expect(choose(1)).toEqual(choose(1));
    expect(new Set([1, 2, 3, 4, 5, 6].map((seed) => choose(seed).join())).size).toBeGreaterThan(1);
  });

  test('all pods are also those of later on', () => {
    const bed = new FaultBed();
    bed.fault('ContainerCrash', WEB);
    bed.at(1).pod('web', { image: 'nginx:1.27' });
    expect(bed.at(30).state('web')).toMatch(/^CrashLoopBackOff/);
  });

  test('nodes by their labels', () => {
    const bed = new FaultBed();
    bed.fault('KubeletStopped', { target: { nodeSelector: { 'kubernetes.io/hostname': 'worker-2' } } });
    expect(bed.at(1).get(Faults, 'f').status.targets).toEqual(['node/worker-2']);
  });

  test('a node that is not there', () => {
    const bed = new FaultBed();
    bed.fault('KubeletStopped', { target: { nodes: ['none'] } });
    const { phase, message } = bed.at(1).get(Faults, 'f').status;
    expect([phase, message]).toEqual(['Failed', 'no node matches the target']);
  });
});

test('nothing of it is to be read in events', () => {
  const bed = new FaultBed();
  bed.fault('SchedulerDown', { duration: '1s' });
  expect(bed.at(10).events('f')).toEqual([]);
});

test.each(['edit', 'admin', 'view'])('who has the role %s in a namespace has no access to faults', (role) => {
  const bed = new FaultBed();
  bed.bind('ann', role);
  const path = '/apis/terrarium.dev/v1alpha1';
  const ask = (resource: string, method: string): number => bed.requestAs('ann', `${path}/${resource}`, method).status;
  expect(bed.requestAs('ann', '/api/v1/namespaces/default/pods').status).toBe(200);
  for (const resource of ['faults', 'faults/f', 'scenarios'])
    for (const method of ['GET', 'DELETE']) expect(ask(resource, method)).toBe(403);
  expect(ask('faults', 'POST')).toBe(403);
  expect(bed.client.list(Pods, 'default')).toEqual([]);
});
