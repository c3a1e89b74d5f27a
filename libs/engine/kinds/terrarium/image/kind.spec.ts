import { expect, test } from '@jest/globals';
import { AGE, errorsOf, make, row } from '../../testing.js';
import { kind as Images } from './kind.js';

const NO_REPOSITORY = "must be a host and a path without a tag, such as 'ghcr.io/acme/shop'";

test.each<[object, string[]]>([
  [{ repository: 'ghcr.io/acme/shop' }, []],
  [{ repository: 'localhost:5000/shop', tags: ['v1', 'v2'] }, []],
  [{}, ['spec.repository: Required value']],
  [{ repository: 'shop' }, [`spec.repository: Invalid value: "shop": ${NO_REPOSITORY}`]],
  [
    { repository: 'ghcr.io/acme/shop:v1' },
    [`spec.repository: Invalid value: "ghcr.io/acme/shop:v1": ${NO_REPOSITORY}`],
  ],
  [{ repository: 7 }, [`spec.repository: Invalid value: 7: ${NO_REPOSITORY}`]],
  [{ repository: 'ghcr.io/acme/shop', tags: 'v1' }, ['spec.tags: Invalid value: "v1": must be a list of tags']],
  [{ repository: 'ghcr.io/acme/shop', size: 1 }, ['spec: Invalid value: "size": unknown field']],
])('the Image %j', (spec, errors) => expect(errorsOf(Images, { metadata: { name: 'shop' }, spec })).toEqual(errors));

test('a row shows the tags', () => {
  const image = make(Images, { spec: { repository: 'ghcr.io/acme/shop', tags: ['v1', 'v2'] } });
  expect(row(Images, image)).toEqual({ Name: 'a', Repository: 'ghcr.io/acme/shop', Tags: 'v1,v2', Age: AGE });
});

test('images are found by their repository', () =>
  expect(Images.indexes!['repository']!(make(Images, { spec: { repository: 'ghcr.io/acme/shop' } }))).toEqual([
    'ghcr.io/acme/shop',
  ]));
