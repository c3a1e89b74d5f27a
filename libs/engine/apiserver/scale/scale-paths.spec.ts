import { expect, test } from '@jest/globals';
import { stepsOf, valueAt, withValueAt } from './scale-paths.js';

test('a path has its names', () => expect(stepsOf('.spec.replicas')).toEqual(['spec', 'replicas']));

test.each([
  ['.spec.replicas', 3],
  ['.spec', { replicas: 3 }],
  ['.status.replicas', undefined],
])('the value at %s is %j', (path, value) => expect(valueAt({ spec: { replicas: 3 } }, path)).toEqual(value));

test.each([
  ['.spec.replicas', { spec: { replicas: 5, paused: true }, kind: 'Deployment' }],
  ['.status.count', { spec: { replicas: 3, paused: true }, kind: 'Deployment', status: { count: 5 } }],
])('a copy has 5 at %s, and the object stays', (path, copy) => {
  const object = { spec: { replicas: 3, paused: true }, kind: 'Deployment' };
  expect(withValueAt(object, path, 5)).toEqual(copy);
  expect(object.spec.replicas).toBe(3);
});
