import { expect, test } from '@jest/globals';
import { messageOf, type Message, type WireField } from './protobuf-messages.js';

const field = (message: Message, ...numbers: number[]): Message | WireField => {
  let found: Message | WireField = message;
  for (const number of numbers) found = (found as Message).byNumber.get(number)!;
  return found;
};

test.each([
  ['Container', [1], { name: 'name', shape: 'single', type: { kind: 'string' } }],
  [
    'Container',
    [7],
    { name: 'env', shape: 'list', type: { kind: 'message', definition: 'io.k8s.api.core.v1.EnvVar' } },
  ],
  ['ConfigMap', [2], { name: 'data', shape: 'map', type: { kind: 'string' } }],
  ['Secret', [2], { name: 'data', shape: 'map', type: { kind: 'bytes' } }],
  ['ServicePort', [4], { name: 'targetPort', type: { kind: 'intOrString' } }],
  ['ResourceRequirements', [1], { name: 'limits', shape: 'map', type: { kind: 'quantity' } }],
  ['Volume', [1], { name: 'name' }],
  ['Volume', [2, 6], { name: 'secret' }],
])('field %s %j', (definition, numbers, expected) =>
  expect(field(messageOf(`io.k8s.api.core.v1.${definition}`), ...numbers)).toMatchObject(expected),
);

test('the zero of a value is dropped, that of a pointer is not', () => {
  const container = messageOf('io.k8s.api.core.v1.Container');
  expect(field(container, 2)).toMatchObject({ name: 'image', dropZero: true });
  expect(field(messageOf('io.k8s.api.apps.v1.DeploymentSpec'), 1)).toMatchObject({ name: 'replicas', dropZero: false });
});

test('a table is made once; type and version are not on the wire', () => {
  const pod = messageOf('io.k8s.api.core.v1.Pod');
  expect(messageOf('io.k8s.api.core.v1.Pod')).toBe(pod);
  expect([...pod.byNumber.values()].map((f) => (f as WireField).name)).toEqual(['metadata', 'spec', 'status']);
});
