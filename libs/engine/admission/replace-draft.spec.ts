import { expect, test } from '@jest/globals';
import { kind as ConfigMaps } from '../kinds/core/configmap/kind.js';
import { kind as Pods } from '../kinds/core/pod/kind.js';
import type { Unstructured } from '../machinery/meta/object.js';
import { replaceDraft } from './replace-draft.js';
import { createRequest, objectOf } from './testing.js';

const draft = (): Unstructured =>
  objectOf(ConfigMaps, { metadata: { uid: 'u', labels: { a: 'b' } }, data: { a: '1' }, binaryData: {} }) as never;

test('the new fields stand for the old ones, but what only the server sets stays', () => {
  const request = createRequest(ConfigMaps, { object: draft() });
  replaceDraft(request, {
    apiVersion: 'v9',
    kind: 'Secret',
    metadata: { name: 'b', uid: 'other', namespace: 'kube-system', generation: 7, labels: { c: 'd' } },
    data: { b: '2' },
  } as never);
  expect(request.object).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'b', namespace: 'default', uid: 'u', labels: { c: 'd' } },
    data: { b: '2' },
  });
  expect(request.revalidations).toBe(1);
});

test.each([
  ['a create without a name', undefined, { name: '' }, 'a'],
  ['an update', draft(), { name: 'b' }, 'a'],
])('the name stays in %s', (_, old, metadata, name) => {
  const request = createRequest(ConfigMaps, { object: draft(), old });
  replaceDraft(request, { metadata } as never);
  expect(request.object!.metadata.name).toBe(name);
});

test('what is added gets defaults', () => {
  const request = createRequest(Pods, { object: objectOf(Pods, { spec: { containers: [] } }) });
  replaceDraft(request, objectOf(Pods, { spec: { containers: [{ name: 'app', image: 'nginx' }] } }) as never);
  expect(request.object).toMatchObject({ spec: { containers: [{ name: 'app', imagePullPolicy: 'Always' }] } });
});

test('the body of a subresource is replaced as it is', () => {
  const bodyType = { group: '', version: 'v1', kind: 'Binding' };
  const request = createRequest(Pods, { object: objectOf(Pods, { target: { name: 'node-1' } }), bodyType });
  replaceDraft(request, { metadata: { name: 'b' }, target: { name: 'node-2' } } as never);
  expect(request.object).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'b' },
    target: { name: 'node-2' },
  });
  expect(request.revalidations).toBe(0);
});
