import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { byEvictionAndCreation, TERMINATED_POD_GC_THRESHOLD, TerminatedPods } from './terminated-pods.js';

const pod = (name: string, second: number, status: Pod['status'] = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, creationTimestamp: `2026-01-01T00:00:0${second}Z` },
  spec: { containers: [] },
  status,
});

test('evicted pods come first, then older ones, then by name', () => {
  const pods = [pod('d', 2), pod('b', 1), pod('a', 1), pod('c', 3, { reason: 'Evicted' })];
  expect(pods.sort(byEvictionAndCreation).map((p) => p.metadata.name)).toEqual(['c', 'a', 'b', 'd']);
});

test('what counts is pods that have succeeded or failed', () => {
  const terminated = new TerminatedPods();
  const [running, failed] = [pod('a', 1, { phase: 'Running' }), pod('a', 1, { phase: 'Failed' })];
  for (let i = 0; i < TERMINATED_POD_GC_THRESHOLD; i++) terminated.onPod(undefined, failed);
  terminated.onPod(undefined, running);
  expect(terminated.excess).toBe(0);
  terminated.onPod(running, failed);
  expect(terminated.excess).toBe(1);
  terminated.onPod(failed, undefined);
  expect(terminated.excess).toBe(0);
});
