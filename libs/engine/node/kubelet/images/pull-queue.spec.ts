import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { Faults, Pods, Events } from '../../../kinds/index.js';
import { ClusterBed } from '../../../../testkit/beds/cluster-bed.js';
import { parallelPulls } from './pull-queue.js';

test.each([
  [{}, 1],
  [{ serializeImagePulls: true }, 1],
  [{ maxParallelImagePulls: 1 }, 1],
  [{ maxParallelImagePulls: 3 }, 3],
  [{ serializeImagePulls: false }, Infinity],
  [{ serializeImagePulls: false, maxParallelImagePulls: 2 }, 2],
])('a kubelet that is told %j pulls so many images at once: %d', (configuration, parallel) =>
  expect(parallelPulls(configuration)).toBe(parallel),
);

const IMAGES = ['nginx:1.27', 'redis:7.4', 'httpd:2.4'];

/** A cluster of one worker with a pod of each image, which come after each other. */
function bedOf(seconds: readonly number[], images = IMAGES): ClusterBed {
  const bed = new ClusterBed('realistic', 1);
  images.forEach((image, i) => bed.create(Pods, `pod-${i}`, { spec: { containers: [{ name: 'c', image }] } }));
  for (const at of seconds) bed.at(at);
  return bed;
}

const pulledOf = (bed: ClusterBed, i: number): [took: number, withWaiting: number] => {
  const line = bed.events(`pod-${i}`).find((event) => event.startsWith('Pulled: Successfully pulled')) ?? '';
  const [, took = '', all = ''] = /in (\S+) \((\S+) including waiting\)/.exec(line) ?? [];
  return [msOf(took), msOf(all)];
};
const msOf = (text: string): number =>
  text.endsWith('ms') ? Number.parseFloat(text) : Math.round(Number.parseFloat(text) * 1_000);

describe('pulls of one node', () => {
  let bed: ClusterBed;
  beforeAll(() => {
    bed = bedOf([60]);
  });

  test('come one after the other, and tell how long they have waited', () => {
    const times = IMAGES.map((_, i) => pulledOf(bed, i));
    expect(bed.errors).toEqual([]);
    expect(times.filter(([took, all]) => took === all)).toHaveLength(1);
    const total = times.reduce((sum, [took]) => sum + took, 0);
    const longest = Math.max(...times.map(([, all]) => all));
    // They are asked for within a second, when their sandboxes are there.
    expect(longest).toBeGreaterThan(total - 1_000);
    expect(longest).toBeLessThanOrEqual(total + 3);
  });

  test('are the same however often somebody looks', () => {
    const often = bedOf(Array.from({ length: 240 }, (_, i) => i / 4));
    const told = ({ client }: ClusterBed): unknown[] =>
      client.list(Events, 'default').map(({ reason, message, lastTimestamp }) => [reason, message, lastTimestamp]);
    expect(told(often)).toEqual(told(bed));
  });

  test('of an image that has come meanwhile ask for its manifest alone', () => {
    const twice = bedOf([60], ['nginx:1.27', 'nginx:1.27']);
    const [first, second] = [0, 1].map((i) => pulledOf(twice, i)).sort(([a], [b]) => b - a);
    expect(first![0]).toBeGreaterThan(2_000);
    expect(second![0]).toBeLessThan(1_100);
  });
});

describe('behind a registry that does not answer', () => {
  const fault = (bed: ClusterBed): unknown =>
    bed.create(Faults, 'down', { spec: { type: 'RegistryDown', target: { images: ['redis'] } } });
  const DELETED = [
    'Failed: Failed to pull image "nginx:1.27": rpc error: code = Canceled desc = context canceled',
    'Failed: Error: ErrImagePull',
  ];
  let bed: ClusterBed;
  beforeAll(() => {
    bed = new ClusterBed('realistic', 1);
    fault(bed);
    bed.create(Pods, 'slow', { spec: { containers: [{ name: 'c', image: 'redis:7.4' }] } });
    bed.at(3);
    for (const name of ['next', 'gone'])
      bed.create(Pods, name, { spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } });
    bed.at(10);
    bed.client.delete(Pods, { namespace: 'default', name: 'gone' });
    bed.at(20);
  });
  const stateOf = (name: string): unknown =>
    bed.get<Pod>(Pods, name).status.containerStatuses?.[0]?.state?.waiting?.reason;

  test('others wait, also one that is being deleted', () => {
    expect(['slow', 'next', 'gone'].map(stateOf)).toEqual(Array(3).fill('ContainerCreating'));
    expect(bed.events('gone')).not.toEqual(expect.arrayContaining(DELETED));
  });

  test('they go on when that has failed', () => {
    bed.at(50);
    expect(stateOf('slow')).toMatch(/^(ErrImagePull|ImagePullBackOff)$/);
    expect(bed.get<Pod>(Pods, 'next').status.phase).toBe('Running');
    expect(bed.client.get(Pods, { namespace: 'default', name: 'gone' })).toBeUndefined();
    expect(bed.events('gone')).toEqual(expect.arrayContaining(DELETED));
    expect(bed.errors).toEqual([]);
  });

  test.each([
    ['deleted', undefined],
    ['deleted by force', 0],
  ])('they go on when the pod is %s', (_case, gracePeriodSeconds) => {
    const one = new ClusterBed('realistic', 1);
    fault(one);
    one.create(Pods, 'slow', { spec: { containers: [{ name: 'c', image: 'redis:7.4' }] } });
    one.at(3);
    one.create(Pods, 'next', { spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } });
    one.at(6);
    one.client.delete(Pods, { namespace: 'default', name: 'slow' }, { gracePeriodSeconds });
    one.at(20);
    expect(one.get<Pod>(Pods, 'next').status.phase).toBe('Running');
    expect(one.errors).toEqual([]);
  });
});
