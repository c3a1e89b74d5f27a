import { expect, test } from '@jest/globals';
import { make, row } from '../../testing.js';
import { kind } from './kind.js';

test.each<[object[], string, string, string]>([
  [[{ type: 'Healthy', status: 'True', message: 'ok' }], 'Healthy', 'ok', ''],
  [[{ type: 'Healthy', status: 'False', error: 'connection refused' }], 'Unhealthy', '', 'connection refused'],
  [[{ type: 'Healthy', status: 'Unknown' }], 'Unhealthy', '', ''],
  [[], 'Unknown', '', ''],
])('conditions %j print as %s', (conditions, Status, Message, ErrorText) =>
  expect(row(kind, make(kind, { conditions }))).toEqual({ Name: 'a', Status, Message, Error: ErrorText }),
);

test('it is read-only and on its way out', () => {
  expect(kind.verbs).toEqual(['get', 'list']);
  expect(kind.deprecation).toBe('v1 ComponentStatus is deprecated in v1.19+');
});
