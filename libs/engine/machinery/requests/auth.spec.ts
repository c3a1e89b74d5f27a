import { expect, test } from '@jest/globals';
import { makeAccess } from './auth.js';

test('fields that are not given are empty', () =>
  expect(makeAccess('get', { resource: 'pods', namespace: 'a' })).toEqual({
    verb: 'get',
    group: '',
    resource: 'pods',
    subresource: '',
    name: '',
    namespace: 'a',
  }));
