import { expect, test } from '@jest/globals';
import { goTypeOf, type GoStruct } from './go-type.js';

const struct = (name: string): GoStruct => {
  const type = goTypeOf(name);
  if (type.kind !== 'struct') throw new Error(`${name} is a ${type.kind}`);
  return type;
};
const CORE = 'io.k8s.api.core.v1';

test.each([
  ['Container', 'image', 'string', 'string'],
  ['Container', 'imagePullPolicy', 'string', 'v1.PullPolicy'],
  ['Container', 'env', 'list', '[]v1.EnvVar'],
  ['Container', 'stdin', 'boolean', 'bool'],
  ['ContainerPort', 'containerPort', 'int32', 'int32'],
  ['ResourceRequirements', 'limits', 'map', 'v1.ResourceList'],
  ['ConfigMap', 'data', 'map', 'map[string]string'],
  ['Secret', 'data', 'map', 'map[string][]uint8'],
  ['ServicePort', 'targetPort', 'intOrString', 'int32'],
  ['PodStatus', 'startTime', 'time', 'string'],
  ['PodSpec', 'activeDeadlineSeconds', 'int64', 'int64'],
])('%s.%s is a %s, for Go %s', (definition, field, kind, goType) =>
  expect(struct(`${CORE}.${definition}`).fields.get(field)).toMatchObject({ kind, goType }),
);

test('a struct knows which zeros Go leaves out and which it shows', () => {
  const container = struct(`${CORE}.Container`);
  expect([container.goType, container.open]).toEqual(['v1.Container', false]);
  expect([container.omitted.has('image'), container.omitted.has('name')]).toEqual([true, false]);
  expect([...container.shown.keys()]).toEqual(['name', 'resources']);
  expect(struct(`${CORE}.ContainerImage`).shown.get('names')).toBeNull();
  expect(struct(`${CORE}.ConfigMapKeySelector`).within.get('name')).toBe('LocalObjectReference');
});

test('a type is made once', () => expect(goTypeOf(`${CORE}.Pod`)).toBe(goTypeOf(`${CORE}.Pod`)));

test('a custom resource keeps fields beyond its metadata', () => {
  const cart = struct('example.shop.v1.Cart');
  expect([cart.open, [...cart.fields.keys()]]).toEqual([true, ['apiVersion', 'kind', 'metadata']]);
});
