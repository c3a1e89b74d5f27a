import { expect, test } from '@jest/globals';
import { makePod } from '../testing.js';
import { runAction } from './testing.js';

const debug = { name: 'debug', image: 'busybox:1.36' };
const put = (pod: ReturnType<typeof makePod>, ephemeralContainers?: object[]) =>
  runAction('ephemeralcontainers', 'update', pod, { spec: { ephemeralContainers } });
const stored = makePod({}, {}, { resourceVersion: '1' });
const withDebug = put(stored, [debug]).stored!;

test('are added, with defaults', () =>
  expect(withDebug.spec.ephemeralContainers).toEqual([
    expect.objectContaining({ ...debug, imagePullPolicy: 'IfNotPresent' }),
  ]));

test('a get shows the pod', () =>
  expect(runAction('ephemeralcontainers', 'get', stored)).toEqual({ budgets: [], deleted: 0 }));

test.each<[string, object[] | undefined, string]>([
  ['removed', undefined, 'existing ephemeral containers "debug" may not be removed'],
  ['changed', [{ ...debug, image: 'busybox:1.37' }], 'existing ephemeral containers "debug" may not be changed'],
])('are never %s', (_, containers, message) => {
  const { error, stored: written } = put(withDebug, containers);
  expect(error).toMatchObject({ code: 422 });
  expect(error!.message).toContain(`Pod "web" is invalid: spec.ephemeralContainers: Forbidden: ${message}`);
  expect(written).toBeUndefined();
});

test('are validated', () =>
  expect(put(stored, [{ ...debug, targetContainerName: 'gone' }]).error!.message).toBe(
    'Pod "web" is invalid: spec.ephemeralContainers[0].targetContainerName: Not found: "gone"',
  ));
