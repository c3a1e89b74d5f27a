import { expect, test } from '@jest/globals';
import { dataOf, dataPatch, isEditable, isHidden } from './data.js';

const metadata = { name: 'a' };
const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { b: 'ä', a: '1' }, binaryData: { c: '/w==' } };
const secret = { apiVersion: 'v1', kind: 'Secret', metadata, data: { key: 'w6Q=', store: '/w==' } };

test.each([
  [
    'a ConfigMap by its keys',
    config,
    [
      { key: 'a', text: '1', bytes: 1 },
      { key: 'b', text: 'ä', bytes: 2 },
      { key: 'c', text: undefined, bytes: 1 },
    ],
  ],
  [
    'a Secret, decoded where it is text',
    secret,
    [
      { key: 'key', text: 'ä', bytes: 2 },
      { key: 'store', text: undefined, bytes: 1 },
    ],
  ],
  ['an empty one', { apiVersion: 'v1', kind: 'Secret', metadata }, []],
  ['no other kind', { apiVersion: 'v1', kind: 'Pod', metadata, data: { a: '1' } }, []],
])('%s', (_, object, expected) => expect(dataOf(object)).toEqual(expected));

test('a text goes back as its kind keeps it', () => {
  expect(dataPatch(config, 'b', 'ö')).toEqual({ data: { b: 'ö' } });
  expect(dataPatch(secret, 'key', 'ö')).toEqual({ data: { key: 'w7Y=' } });
});

test('who may see and change what', () => {
  expect([isHidden(secret), isHidden(config)]).toEqual([true, false]);
  expect([isEditable(config), isEditable({ ...config, immutable: true })]).toEqual([true, false]);
});
