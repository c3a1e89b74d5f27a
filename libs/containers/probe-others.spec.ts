import { expect, test } from '@jest/globals';
import { Deployments, Pods, Services } from '../engine/kinds/index.js';
import { isPodReady } from '../engine/kinds/core/pod/status/phase.js';
import { ClusterBed } from '../testkit/beds/cluster-bed.js';

const labels = { app: 'back' };
const command = ['wget', '-q', '-T', '2', '-O-', 'http://back'];

test('a readiness probe that asks a Service fails when nobody answers there, and succeeds again', () => {
  const bed = new ClusterBed('realistic', 2);
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } };
  bed.create(Deployments, 'back', { spec: { replicas: 1, selector: { matchLabels: labels }, template } });
  bed.create(Services, 'back', { spec: { selector: labels, ports: [{ port: 80 }] } });
  const readinessProbe = { exec: { command }, periodSeconds: 3, timeoutSeconds: 3 };
  const container = { name: 'c', image: 'busybox:1.36', command: ['sleep', '9999'], readinessProbe };
  bed.create(Pods, 'front', { spec: { containers: [container] } });
  const scale = (replicas: number): void => {
    const found = bed.get(Deployments, 'back');
    bed.client.update(Deployments, { ...found, spec: { ...found.spec, replicas } });
  };
  const isReady = (): boolean => isPodReady(bed.get(Pods, 'front'));
  bed.at(60);
  expect(isReady()).toBe(true);
  scale(0);
  bed.at(90);
  expect(isReady()).toBe(false);
  expect(bed.events('front').some((text) => text.includes("can't connect to remote host"))).toBe(true);
  scale(1);
  bed.at(120);
  expect(isReady()).toBe(true);
});
