import { expect, test } from '@jest/globals';
import { applyWebhookPatch } from './patch.js';

const OBJECT = { metadata: { name: 'a' }, data: { a: '1' }, list: ['x'] };

test('operations apply one after the other', () =>
  expect(
    applyWebhookPatch(OBJECT, [
      { op: 'add', path: '/metadata/labels', value: {} },
      { op: 'add', path: '/metadata/labels/a~1b', value: 'c' },
      { op: 'add', path: '/list/-', value: 'y' },
      { op: 'remove', path: '/data/a' },
    ]),
  ).toEqual({ metadata: { name: 'a', labels: { 'a/b': 'c' } }, data: {}, list: ['x', 'y'] }));

test.each<[object, string]>([
  [
    { op: 'remove', path: '/data/zzz' },
    "error in remove for path: '/data/zzz': Unable to remove nonexistent key: zzz: missing value",
  ],
  [{ op: 'remove', path: '/x/y' }, 'remove operation does not apply: doc is missing path: "/x/y": missing value'],
  [
    { op: 'remove', path: '/list/7' },
    "error in remove for path: '/list/7': Unable to access invalid index: 7: invalid index referenced",
  ],
  [{ op: 'add', path: '/x/y', value: 1 }, 'add operation does not apply: doc is missing path: "/x/y": missing value'],
  [
    { op: 'add', path: '/list/7', value: 1 },
    "error in add for path: '/list/7': Unable to access invalid index: 7: invalid index referenced",
  ],
  [
    { op: 'replace', path: '/list/7', value: 1 },
    'replace operation does not apply: doc is missing key: /list/7: missing value',
  ],
  [
    { op: 'replace', path: '/x/y', value: 1 },
    'replace operation does not apply: doc is missing path: /x/y: missing value',
  ],
  [{ op: 'test', path: '/data/a', value: '2' }, 'testing value /data/a failed: test failed'],
  [
    { op: 'move', from: '/x', path: '/data/b' },
    'move operation does not apply: doc is missing from path: /x: missing value',
  ],
  [
    { op: 'copy', from: '/x', path: '/data/b' },
    'copy operation does not apply: doc is missing from path: /x: missing value',
  ],
  [{ op: 'frob', path: '/x' }, 'Unexpected kind: frob'],
])('%j fails', (operation, message) =>
  expect(() => applyWebhookPatch(OBJECT, [{ op: 'add', path: '/data/b', value: '2' }, operation] as never)).toThrow(
    expect.objectContaining({ code: 500, message: `Internal error occurred: ${message}` }) as never,
  ),
);
