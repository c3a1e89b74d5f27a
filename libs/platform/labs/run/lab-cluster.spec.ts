import { expect, test } from '@jest/globals';
import { defaultWorkers } from '@terrarium/engine';
import { LabCluster } from './lab-cluster.js';

const START = Date.parse('2026-11-22T09:00:00Z');

/** A cluster half a minute after it has begun. */
function startCluster(): LabCluster {
  const cluster = new LabCluster({
    seed: 'seed-1',
    template: { speed: 'realistic', workers: defaultWorkers(1) },
    now: START,
  });
  cluster.advance(30_000);
  return cluster;
}

const NAMESPACE_AND_POD = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec: {containers: [{name: web, image: nginx}]}
`;

test.each([
  ['in one file', `kubectl apply -f - <<'END'\n${NAMESPACE_AND_POD}\nEND`, 'pod/web created'],
  ['one after the other', 'kubectl create namespace shop && kubectl run web -n shop --image=nginx', 'pod/web created'],
])('a namespace and its pod, %s: the API server waits for the default account', (_, script, created) => {
  const { code, output } = startCluster().runHere(script, 10_000);
  expect([code, output]).toEqual([0, expect.stringContaining(created)]);
});

test('an account that nobody makes is not waited for', () => {
  const pod = { spec: { serviceAccountName: 'nobody' } };
  const script = `kubectl run web --image=nginx --overrides='${JSON.stringify(pod)}'`;
  const { code, output } = startCluster().runHere(script, 10_000);
  expect([code, output]).toEqual([1, expect.stringContaining('serviceaccount "nobody" not found')]);
});

test('a slow API server is slow for who asks it from a node', () => {
  const cluster = startCluster();
  const spec = { type: 'APIServerLatency', parameters: { latency: '3s' } };
  cluster.call('POST', '/apis/terrarium.dev/v1alpha1/faults', { metadata: { name: 'slow' }, spec });
  cluster.advance(1_000);
  const { output } = cluster.runHere(
    'a=$(date +%s); kubectl get --raw /api/v1/nodes > /dev/null; echo $(($(date +%s) - a))',
    60_000,
  );
  expect(output).toBe('3\n');
});
