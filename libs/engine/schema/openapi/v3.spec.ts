import { expect, test } from '@jest/globals';
import { documentOf, references } from './testing.js';
import { openApiV3Index } from './v3.js';

test('the index names a document for every group version', () => {
  expect(
    openApiV3Index([
      { group: '', version: 'v1' },
      { group: 'apps', version: 'v1', hash: 'a b' },
    ]),
  ).toEqual({
    paths: {
      'api/v1': { serverRelativeURL: '/openapi/v3/api/v1?hash=1.36' },
      'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=a%20b' },
    },
  });
});

test.each(['', 'authentication.k8s.io', 'shop.example'])(
  'every reference of group "%s" is in the document',
  (group) => {
    const doc = documentOf(group);
    for (const ref of references(doc)) expect(doc).toHaveProperty(ref.slice(2).split('/'));
  },
);
