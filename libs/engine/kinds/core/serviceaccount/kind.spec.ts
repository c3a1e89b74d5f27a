import { expect, test } from '@jest/globals';
import { AGE, make, row } from '../../testing.js';
import { kind } from './kind.js';

test('its row', () => expect(row(kind, make(kind))).toEqual({ Name: 'a', Age: AGE }));

test('tokens are asked for by POST', () =>
  expect(kind.subresources!.actions!['token']).toMatchObject({
    verbs: ['create'],
    kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
  }));
