import { expect, test } from '@jest/globals';
import { parseReference } from '../../engine/node/cri/images/reference.js';
import { catalog } from '../index.js';

const find = (name: string) => catalog.resolve(parseReference(name)!);

test.each(['bitnamilegacy/redis:7.4', 'bitnamilegacy/postgresql:16', 'public.ecr.aws/bitnami/nginx:1.27'])(
  '%s is what bitnami has by that name',
  (name) => {
    const original = find(name.replace(/^.*bitnami(?:legacy)?\//, 'bitnami/'));
    const layersOf = (found: typeof original) => ('image' in found ? found.image.layers : found.error);
    expect(layersOf(find(name))).toEqual(layersOf(original));
    expect(find(name)).not.toHaveProperty('isUnknown');
    expect(find(name)).not.toHaveProperty('error');
  },
);

test('tags that bitnami never had are not found there', () =>
  expect(find('bitnamilegacy/redis:9.9.9')).toHaveProperty('error'));
