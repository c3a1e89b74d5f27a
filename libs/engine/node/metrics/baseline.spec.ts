import { expect, test } from '@jest/globals';
import { idleUsage } from './baseline.js';

test.each([
  ['registry.k8s.io/kube-apiserver:v1.36.3', 42, 268],
  ['docker.io/library/nginx:1.27', 0, 4],
  ['nginx@sha256:0123', 0, 4],
  ['localhost:5000/mysql', 5, 380],
  ['registry.example.com/shop:2', 1, 11],
])('%s uses about %d thousandths of a CPU and %d MiB', (image, cpu, mebibytes) => {
  const found = idleUsage(image, 'uid c', true);
  expect(Math.abs(found.cpu - cpu)).toBeLessThanOrEqual(cpu * 0.07);
  expect(Math.abs(found.memory / 2 ** 20 - mebibytes)).toBeLessThanOrEqual(mebibytes * 0.07);
  expect(idleUsage(image, 'uid c', true)).toEqual(found);
});
