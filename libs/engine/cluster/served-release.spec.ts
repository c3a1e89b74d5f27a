import { expect, test } from '@jest/globals';
import { readerOf } from '../node/kubelet/testing.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { servedRelease } from './served-release.js';

const runtime = (image: string, name = 'kube-apiserver'): KubeObject =>
  ({
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'NodeRuntime',
    metadata: { name: 'cp' },
    manifests: [{ file: 'a.yaml', pod: { metadata: { name }, spec: { containers: [{ image }] } } }],
  }) as unknown as KubeObject;

test.each([
  ['registry.k8s.io/kube-apiserver:v1.36.4', undefined, 'v1.36.4'],
  ['registry.k8s.io/kube-apiserver:v1.99.0', undefined, undefined],
  ['registry.k8s.io/kube-scheduler:v1.36.4', 'kube-scheduler', undefined],
])('with %s in a manifest of %s it is %s', (image, name, expected) =>
  expect(servedRelease(readerOf(runtime(image, name)))).toBe(expected),
);
