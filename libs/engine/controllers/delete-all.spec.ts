import { expect, test } from '@jest/globals';
import type { Client } from '../machinery/client.js';
import type { Kind } from '../machinery/kind.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { ApiError } from '../machinery/meta/status.js';
import { deleteAll } from './delete-all.js';

const object = (name: string, deletionTimestamp?: string): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'Thing', metadata: { name, ...(deletionTimestamp ? { deletionTimestamp } : {}) } },
});
const refuse = (name: string, error: Error) => ({
  delete: (_kind: Kind, key: { name: string }) => {
    asked.push(key.name);
    if (key.name === name) throw error;
  },
});
let asked: string[] = [];

test.each([
  ['one that is refused', new ApiError(403, 'Forbidden', 'no'), ['no']],
  ['one that is gone', new ApiError(404, 'NotFound', 'gone'), []],
])('%s keeps no other back', (_what, error, expected) => {
  asked = [];
  const objects = [object('going', '2026-01-01T00:00:00Z'), object('a'), object('b')];
  const errors = deleteAll(refuse('a', error) as unknown as Client, {} as Kind, objects);
  expect(errors.map(({ message }) => message)).toEqual(expected);
  expect(asked).toEqual(['a', 'b']);
});

test('a fault of ours is not the object’s', () => {
  const client = refuse('a', new TypeError('x')) as unknown as Client;
  expect(() => deleteAll(client, {} as Kind, [object('a')])).toThrow(TypeError);
});
