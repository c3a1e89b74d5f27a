import { expect, test } from '@jest/globals';
import { definition, definitionFor, definitions, elementDefinition, shortName } from './definitions.js';

test('the facts are closed: every type is a definition', () => {
  const names = new Set(definitions().keys());
  const used = [...definitions().values()].flatMap((d) =>
    Object.values(d.fields ?? {}).map((f) => JSON.stringify(f.type)),
  );
  for (const text of used) for (const [name] of text.matchAll(/io\.k8s\.[\w.-]+/g)) expect(names).toContain(name);
});

test.each([
  ['', 'v1', 'Pod', 'io.k8s.api.core.v1.Pod'],
  ['apps', 'v1', 'Deployment', 'io.k8s.api.apps.v1.Deployment'],
  ['apps', 'v1beta1', 'Deployment', undefined],
])('the definition of %s/%s %s is %s', (group, version, kind, name) =>
  expect(definitionFor(group, version, kind)).toBe(name),
);

test('a field says its type, whether it is required and how it is numbered', () =>
  expect(definition('io.k8s.api.core.v1.Container')?.fields?.['name']).toMatchObject({
    type: 'string',
    required: true,
    number: 1,
  }));

test.each([
  ['string', undefined],
  ['io.k8s.api.core.v1.Pod', 'io.k8s.api.core.v1.Pod'],
  [['io.k8s.api.core.v1.Pod'] as const, 'io.k8s.api.core.v1.Pod'],
  [{ '*': 'integer:int32' }, undefined],
  [{ '*': ['io.k8s.api.core.v1.Pod'] as const }, 'io.k8s.api.core.v1.Pod'],
])('the definition behind %j is %s', (type, name) => expect(elementDefinition(type as never)).toBe(name));

test('a short name is the last part', () => expect(shortName('io.k8s.api.core.v1.PodSpec')).toBe('PodSpec'));
