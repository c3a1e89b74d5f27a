import { expect, test } from '@jest/globals';
import { TestServer } from '../../testing.js';

test('a status without its defaults gets them when it is written, not when it is shared', () => {
  const server = new TestServer();
  const url = '/api/v1/namespaces/default';
  expect(server.call('PUT', `${url}/status`, { metadata: { name: 'default' }, status: {} }).body.status).toEqual({
    phase: 'Active',
  });
});
