import { expect, test } from '@jest/globals';
import type { Client } from '../../../machinery/client.js';
import { context, make } from '../../testing.js';
import { kind as Pods } from '../pod/kind.js';
import { kind } from './kind.js';

const binding = make(kind, { metadata: { name: 'web', namespace: 'default' }, target: { name: 'node-1' } });

test('a Binding is handed to the pod of its name', () => {
  const calls: unknown[][] = [];
  const client = {
    get: () => make(Pods),
    subresource: (...call: unknown[]) => calls.push(call),
  } as unknown as Client;
  expect(kind.evaluate!(binding, client, context)).toBe(binding);
  expect(calls).toEqual([[Pods, { namespace: 'default', name: 'web' }, 'binding', binding]]);
});

test('a Binding of no pod is not found', () =>
  expect(() => kind.evaluate!(binding, { get: () => undefined } as unknown as Client, context)).toThrow(
    'pods "web" not found',
  ));

test('a Binding is created, never stored', () => expect(kind.verbs).toEqual(['create']));
