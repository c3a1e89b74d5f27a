import { expect, test } from '@jest/globals';
import { CONFIG_MAPS, TestServer } from '../testing.js';

test.each<[string, object]>([
  ['uid', { uid: 'other' }],
  ['deletionTimestamp', { deletionTimestamp: '2026-01-01T00:00:00Z' }],
])('a patch does not change the %s', (field, metadata) => {
  const server = new TestServer();
  server.post(CONFIG_MAPS, { metadata: { name: 'a' } });
  expect(server.patch(`${CONFIG_MAPS}/a`, { metadata }).body).toMatchObject({
    code: 422,
    details: { causes: [{ field: `metadata.${field}`, message: expect.stringContaining('field is immutable') }] },
  });
});
