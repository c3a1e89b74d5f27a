import { expect, test } from '@jest/globals';
import type { Resource } from '../../../kube/resource.js';
import { cpuText, isMeasured, linePoints, memoryText, metricsPath, readQuantity, usageOf } from './usage.js';

const served = (...plurals: string[]): Resource[] =>
  plurals.map((resource) => ({ group: 'metrics.k8s.io', apiVersion: 'metrics.k8s.io/v1beta1', resource }) as Resource);
const object = (kind: string, spec: object = {}) => ({
  ...{ apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1', kind, metadata: { name: 'web', namespace: 'shop' }, spec },
});
const PODS = '/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods';

test.each([
  ['Pod', {}, `${PODS}/web`],
  ['Node', {}, '/apis/metrics.k8s.io/v1beta1/nodes/web'],
  ['Deployment', { selector: { matchLabels: { app: 'web' } } }, `${PODS}?labelSelector=app%3Dweb`],
])('%s is measured where somebody measures', (kind, spec, path) => {
  expect(metricsPath(object(kind, spec), served('nodes', 'pods'))).toBe(path);
  expect(metricsPath(object(kind, spec), [])).toBeUndefined();
  expect(isMeasured(object(kind))).toBe(true);
});

test('nothing is measured of a Service', () => expect(isMeasured(object('Service'))).toBe(false));

test.each([
  ['250m', 0.25],
  ['1500000n', 0.0015],
  ['2Ki', 2048],
  ['', 0],
  ['x', 0],
])('%s is %d', (text, value) => expect(readQuantity(text)).toBeCloseTo(value));

test('a pod uses what its containers use', () => {
  const containers = [{ usage: { cpu: '100m', memory: '1Mi' } }, { usage: { cpu: '50m', memory: '2Mi' } }];
  expect(usageOf({ containers })).toEqual({ cpu: expect.closeTo(0.15), memory: 3 * 2 ** 20 });
  expect(usageOf({ usage: { cpu: '2', memory: '1Gi' } })).toEqual({ cpu: 2, memory: 2 ** 30 });
  expect(usageOf({ items: [{ containers }, { containers }] }).memory).toBe(6 * 2 ** 20);
  expect(usageOf(undefined)).toEqual({ cpu: 0, memory: 0 });
});

test('as kubectl top prints it', () =>
  expect([cpuText(0.2504), cpuText(2), memoryText(3 * 2 ** 20)]).toEqual(['250m', '2.00', '3Mi']));

test('the newest value is on the right', () => {
  expect(linePoints([0, 1], 100, 10, 11)).toBe('90.0,8.0 100.0,2.0');
  expect(linePoints([], 100, 10, 11)).toBe('');
});
