import { describe, expect, test } from '@jest/globals';
import { runBoundedSeed, runManifests, type SeedResult } from './seeds-bounded.js';
import { postDeployment } from './seeds-manifests.js';

/** SEED=7 runs that one alone; BOUNDED_SEEDS=500 runs the first 500. */
const COUNT = Number(process.env['BOUNDED_SEEDS'] ?? 16);
const SEEDS = process.env['SEED'] ? [Number(process.env['SEED'])] : Array.from({ length: COUNT }, (_, i) => i + 1);

/**
 * Whatever the API accepts settles, or makes at most so many changes a virtual second, as a mean over a minute. Each of
 * the few controllers that fight makes 20 a second at last, and the scheduler and the kubelet that they drag along 50
 * each: no fight of a real cluster is faster, since the clients of its components are held to these rates. It is a few
 * percent of what one worker can do.
 */
const MAX_CHANGES_PER_SECOND = 200;
/**
 * Reconciles that change nothing cost, too: of thousands of pods that no node has room for, each is tried every 10 s.
 */
const MAX_RECONCILES_PER_SECOND = 1_000;

function expectBounded({ work, faults, accepted }: SeedResult): void {
  const { changes, reconciles, busiest } = work;
  const isBounded = changes <= 60 * MAX_CHANGES_PER_SECOND && reconciles <= 60 * MAX_RECONCILES_PER_SECOND;
  const result = { faults, ...(isBounded ? {} : { changes, reconciles, busiest, accepted }) };
  expect(result).toEqual({ faults: [] });
}

describe.each(['instant', 'realistic'] as const)('at %s speed', (speed) => {
  const requests = { cpu: '100' };
  const container = { name: 'c', image: 'nginx:1.27' };
  test.each([
    ['requests that do not fit', 3, { nodeName: 'worker-1', containers: [{ ...container, resources: { requests } }] }],
    ['fifty of them', 50, { nodeName: 'worker-1', containers: [{ ...container, resources: { requests } }] }],
    ['a selector against it', 3, { nodeName: 'worker-1', nodeSelector: { a: 'b' }, containers: [container] }],
  ])('a Deployment with nodeName and %s does not keep its cluster busy', (_, replicas, podSpec) =>
    expectBounded(runManifests([postDeployment('web', replicas, podSpec)], speed)),
  );
});

test.each(SEEDS)('seed %d: manifests and meddling do not keep a cluster busy', (seed) => {
  const result = runBoundedSeed(seed);
  expect(result.accepted.length).toBeGreaterThan(4);
  expectBounded(result);
});
