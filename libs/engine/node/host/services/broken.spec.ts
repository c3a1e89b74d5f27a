import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { readerOf } from '../../kubelet/testing.js';
import { isBroken } from './broken.js';
import { CP } from '../testing.js';

const other = { ...CP, metadata: { ...CP.metadata, name: 'cp2' } };
const runtime = (name: string, broken: Record<string, string>): KubeObject =>
  ({ apiVersion: 'terrarium.dev/v1alpha1', kind: 'NodeRuntime', metadata: { name }, broken }) as unknown as KubeObject;
const fault = { 'kube-scheduler': 'no manifest' };

test.each([
  ['no node has touched anything', [CP], false],
  ['another component is broken', [CP, runtime('cp', { 'kube-controller-manager': 'no manifest' })], false],
  ['there is no API server', [CP, runtime('cp', { 'kube-apiserver': 'no manifest' })], true],
  ['there is another API server', [CP, other, runtime('cp', { etcd: 'no manifest' })], false],
  ['it is broken on its only node', [CP, runtime('cp', fault)], true],
  ['it is well on another node', [CP, other, runtime('cp', fault), runtime('cp2', {})], false],
  ['it is broken on both', [CP, other, runtime('cp', fault), runtime('cp2', fault)], true],
] as const)('the scheduler, when %s', (_case, objects, expected) =>
  expect(isBroken(readerOf(...(objects as unknown as KubeObject[])), 'kube-scheduler')).toBe(expected),
);

test.each([
  ['kubelet', false],
  ['kube-proxy', false],
  ['cloud-controller-manager', true],
])('without an API server the %s stands still: %s', (component, expected) => {
  const objects = [CP, runtime('cp', { etcd: 'no manifest' })] as unknown as KubeObject[];
  expect(isBroken(readerOf(...objects), component)).toBe(expected);
});
