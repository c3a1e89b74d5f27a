import { expect, test } from '@jest/globals';
import type { KubeObject } from '@terrarium/engine';
import { commandTargetOf, isContainerRunning } from './command-target.js';

test.each([
  ['/api/v1/namespaces/default/pods/web/exec', 'command=ls', { namespace: 'default', pod: 'web', container: '' }],
  [
    '/api/v1/namespaces/a%2Db/pods/web-0/exec',
    'command=sh&container=side%2Dcar&stdin=1',
    { namespace: 'a-b', pod: 'web-0', container: 'side-car' },
  ],
])('%s?%s', (path, query, expected) => expect(commandTargetOf({ path, query })).toEqual(expected));

const running = { running: {} };
const terminated = { terminated: { exitCode: 0 } };

test.each<[string, object, string, boolean]>([
  ['its only container', { containerStatuses: [{ name: 'a', state: running }] }, '', true],
  ['its only container, ended', { containerStatuses: [{ name: 'a', state: terminated }] }, '', false],
  [
    'a named one',
    {
      containerStatuses: [
        { name: 'a', state: terminated },
        { name: 'b', state: running },
      ],
    },
    'b',
    true,
  ],
  ['an init container', { initContainerStatuses: [{ name: 'i', state: running }] }, 'i', true],
  ['an ephemeral container', { ephemeralContainerStatuses: [{ name: 'e', state: running }] }, 'e', true],
  ['one that waits to start again', { containerStatuses: [{ name: 'a', state: { waiting: {} } }] }, 'a', false],
  ['one that is not there', { containerStatuses: [{ name: 'a', state: running }] }, 'b', false],
  ['a pod without a status', {}, '', false],
])('%s', (_, status, container, expected) =>
  expect(isContainerRunning({ status } as unknown as KubeObject, container)).toBe(expected),
);
