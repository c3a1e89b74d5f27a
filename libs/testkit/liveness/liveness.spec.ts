import { describe, expect, test } from '@jest/globals';
import { Deployments, Jobs, Nodes, Pods, Services, EndpointSlices } from '../../engine/kinds/index.js';
import { ClusterBed } from '../beds/cluster-bed.js';
import { Dice } from '../fuzz/dice.js';
import { makePodSpec } from './pods.js';

/** LIVENESS_SEEDS=7-30 runs those alone. */
const RANGE = process.env['LIVENESS_SEEDS'];
const [FIRST = 1, LAST = 12] = (RANGE ?? '').split('-').filter(Boolean).map(Number);
/** A container that had to start again waited behind the pull of another one of its pod, and kept it from its end. */
const KNOWN = RANGE ? [] : [51, 86, 110, 112, 203, 218];
const SEEDS = [...Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i), ...KNOWN];
const WORKERS = ['worker-1', 'worker-2'];
const MINUTE = 60;
/** Seconds: pods come and go; then they have time; then there is new work, which has some as well. */
const [BUSY, SETTLED, DONE] = [2 * MINUTE, 8 * MINUTE, 12 * MINUTE];

interface Act {
  readonly at: number;
  readonly run: () => void;
}

/** Pods of all kinds come, and some of them go. */
function disturb(bed: ClusterBed, dice: Dice): void {
  const count = 4 + dice.roll(10);
  const acts = Array.from({ length: count }, (_, i): Act[] => {
    const at = 1 + dice.roll(BUSY);
    const name = `pod-${i}`;
    const create = { at, run: () => void bed.create(Pods, name, { spec: makePodSpec(dice) }) };
    const remove = {
      at: at + 5 + dice.roll(MINUTE),
      run: () => bed.client.delete(Pods, { namespace: 'default', name }),
    };
    return dice.chance(25) ? [create, remove] : [create];
  });
  for (const { at, run } of acts.flat().sort((a, b) => a.at - b.at)) {
    bed.at(at);
    run();
  }
}

/** A pod on each node with an image that is not there, and a Deployment, a Service and a Job. */
function createWork(bed: ClusterBed): void {
  WORKERS.forEach((node, i) =>
    bed.create(Pods, node, { spec: { nodeName: node, containers: [{ name: 'c', image: `memcached:1.6.${i}` }] } }),
  );
  const labels = { app: 'new' };
  const containers = [{ name: 'c', image: 'httpd:2.4.6' }];
  bed.create(Deployments, 'new', {
    spec: { replicas: 3, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
  bed.create(Services, 'new', { spec: { selector: labels, ports: [{ port: 80 }] } });
  const job = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox:1.37', command: ['sleep', '3'] }] };
  bed.create(Jobs, 'new', { spec: { template: { spec: job } } });
}

describe.each(SEEDS)('after the pods of seed %i a cluster does new work', (seed) => {
  const bed = new ClusterBed('realistic');
  test('its nodes pull and start', () => {
    disturb(bed, new Dice(seed));
    bed.at(SETTLED);
    createWork(bed);
    bed.at(DONE);
    expect(WORKERS.map((node) => bed.get(Pods, node).status.phase)).toEqual(['Running', 'Running']);
    expect(bed.errors).toEqual([]);
  });
  test('its controllers too', () => {
    expect(bed.get(Deployments, 'new').status?.availableReplicas).toBe(3);
    expect(bed.get(Jobs, 'new').status?.succeeded).toBe(1);
    const slices = bed.client
      .list(EndpointSlices, 'default')
      .filter(({ metadata }) => metadata.name?.startsWith('new-'));
    expect(
      slices.flatMap(({ endpoints = [] }) => endpoints.filter(({ conditions }) => conditions?.ready)),
    ).toHaveLength(3);
  });
  test('and no pod is on its way for good', () => {
    const ready = bed.client.list(Nodes).every(({ status }) => status.conditions?.at(-1)?.status === 'True');
    expect(ready).toBe(true);
    const leaving = bed.client.list(Pods, 'default').filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    expect(leaving.map(({ metadata }) => metadata.name)).toEqual([]);
  });
});
