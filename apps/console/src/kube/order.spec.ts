import { expect, test } from '@jest/globals';
import { isBookkeeping, isInternal, systemLast } from './order.js';

test('people’s own things come first', () => {
  const names = ['kube-system/a', 'shop/b', 'default/z', 'shop/a'];
  expect(names.sort(systemLast)).toEqual(['default/z', 'shop/a', 'shop/b', 'kube-system/a']);
});

test.each([
  ['events', true],
  ['events.events.k8s.io', true],
  ['podruntimes.terrarium.dev', true],
  ['machinechanges.terrarium.dev', true],
  ['pods', false],
  ['eventsources.argoproj.io', false],
])('%s', (resource, expected) => expect(isBookkeeping(resource)).toBe(expected));

test.each([
  ['podruntime/shop/web', true],
  ['podmachines/kube-node-lease/node:a', true],
  ['podsandboxes.terrarium.dev', true],
  ['filechange/a', true],
  ['noderuntimes.terrarium.dev', true],
  ['proxysnapshot/a', true],
  ['pod/shop/web', false],
  ['nodes', false],
  ['events', false],
])('%s is a record of the simulation: %s', (name, expected) => expect(isInternal(name)).toBe(expected));
