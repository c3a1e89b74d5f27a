import { expect, test } from '@jest/globals';
import { mergeRule, patchType } from './merge-rules.js';

const POD_SPEC = 'io.k8s.api.core.v1.PodSpec';

test.each([
  [
    POD_SPEC,
    'containers',
    {
      definition: 'io.k8s.api.core.v1.Container',
      shape: 'list',
      listType: 'map',
      mapKeys: ['name'],
      strategies: ['merge'],
      mergeKey: 'name',
    },
  ],
  [POD_SPEC, 'volumes', { shape: 'list', strategies: ['merge', 'retainKeys'], mergeKey: 'name' }],
  [POD_SPEC, 'tolerations', { shape: 'list', listType: 'atomic', strategies: [] }],
  [POD_SPEC, 'nodeSelector', { shape: 'map', mapType: 'atomic', strategies: [] }],
  [POD_SPEC, 'nodeName', { shape: 'scalar', strategies: [] }],
  ['io.k8s.api.apps.v1.DeploymentSpec', 'strategy', { shape: 'object', strategies: ['retainKeys'] }],
])('%s.%s', (definition, field, rule) => expect(mergeRule(definition, field)).toMatchObject(rule));

test.each([
  [POD_SPEC, 'foo'],
  [POD_SPEC, 'constructor'],
  ['io.example.Cart', 'spec'],
])('%s has no field %s', (definition, field) => expect(mergeRule(definition, field)).toBeUndefined());

test('a strategic merge patch walks from type to type', () => {
  const containers = patchType(POD_SPEC)!.field('containers')!;
  expect([containers.strategies, containers.mergeKey]).toEqual([['merge'], 'name']);
  expect(containers.type!.field('ports')).toMatchObject({ strategies: ['merge'], mergeKey: 'containerPort' });
  expect(containers.type!.field('image')).toEqual({ type: undefined, strategies: [], mergeKey: undefined });
  expect(containers.type!.field('foo')).toBeUndefined();
});

test('a definition that is not in the facts has no such type', () =>
  expect(patchType('io.example.Cart')).toBeUndefined());
