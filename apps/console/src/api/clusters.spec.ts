import { expect, test } from '@jest/globals';
import type { Cluster } from './clusters.generated.js';
import { afterEvent } from './clusters.js';

const cluster = (id: string, name: string): Cluster => ({ id, name }) as Cluster;
const before = new Map([['c1', cluster('c1', 'a')]]);

test('an event puts a cluster in, in its place, or takes it out', () => {
  expect([...afterEvent(before, { id: 'c2', cluster: cluster('c2', 'b') }).keys()]).toEqual(['c1', 'c2']);
  expect(afterEvent(before, { id: 'c1', cluster: cluster('c1', 'z') }).get('c1')!.name).toBe('z');
  expect(afterEvent(before, { id: 'c1', cluster: null }).size).toBe(0);
  expect(before.get('c1')!.name).toBe('a');
});

test('an event that changes nothing gives the same map', () => {
  expect(afterEvent(before, { id: null, cluster: null })).toBe(before);
  expect(afterEvent(before, { id: 'c9', cluster: null })).toBe(before);
});
