import { expect, test } from '@jest/globals';
import { type FieldsType, type MapType } from '../../machinery/managedfields/index.js';
import { fieldsType } from './managed-fields-type.js';

const map = (name: string): MapType => {
  const type = fieldsType(name);
  if (type.kind !== 'map') throw new Error(`${name} is a ${type.kind}`);
  return type;
};
const CORE = 'io.k8s.api.core.v1';

test.each<[string, string, object]>([
  ['PodSpec', 'containers', { kind: 'list', atomic: false, keys: ['name'] }],
  ['PodSpec', 'tolerations', { kind: 'list', atomic: true }],
  ['PodSpec', 'nodeSelector', { kind: 'map', atomic: true }],
  ['PodSpec', 'nodeName', { kind: 'scalar', of: 'string' }],
  ['PodSpec', 'imagePullSecrets', { kind: 'list', keys: ['name'], keyDefaults: { name: '' } }],
  ['ServiceSpec', 'ports', { kind: 'list', keys: ['port', 'protocol'], keyDefaults: { protocol: 'TCP' } }],
  ['ServiceSpec', 'selector', { kind: 'map', atomic: true }],
  ['ConfigMap', 'data', { kind: 'map', atomic: false, element: { kind: 'scalar', of: 'string' } }],
  ['ResourceRequirements', 'limits', { kind: 'map', element: { kind: 'scalar' } }],
])('%s.%s', (definition, field, type) => expect(map(`${CORE}.${definition}`).field(field)).toMatchObject(type));

test('structs of Go are there even when nobody sets them', () => {
  expect(map(`${CORE}.Pod`).implicit).toEqual({ metadata: {}, spec: {}, status: {} });
  expect(map('io.k8s.api.apps.v1.DeploymentSpec').implicit).toEqual({ strategy: {}, template: {} });
  expect(map(`${CORE}.PodSpec`).implicit).toEqual({ containers: [] });
});

test.each<[string, FieldsType]>([
  ['io.example.Cart', { kind: 'deduced' }],
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', { kind: 'scalar' }],
])('%s is %j', (name, type) => expect(fieldsType(name)).toEqual(type));

test('a field that there is not has no type', () => {
  expect(map(`${CORE}.Pod`).field('foo')).toBeUndefined();
  expect(map(`${CORE}.Pod`).field('constructor')).toBeUndefined();
});
