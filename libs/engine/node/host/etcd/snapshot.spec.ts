import { expect, test } from '@jest/globals';
import { bytesOf } from '../../../kernel/bytes.js';
import { formatSnapshot, parseRows, readHeader } from './snapshot.js';

const HEADER = { hash: 'a1', revision: 7, keys: 1 };
const ROWS = [['/registry/x', 'ü', 7]] as const;
const content = formatSnapshot(HEADER, bytesOf(JSON.stringify(ROWS)));

test.each([
  ['as it was saved', content],
  ['with zeros behind it', content + '\0'.repeat(5_000)],
])('a snapshot %s has its header and its rows', (_case, bytes) => {
  expect(readHeader(bytes)).toEqual(HEADER);
  expect(parseRows(bytes)).toEqual(ROWS);
});

test.each([
  ['', undefined],
  ['SQLite format 3', undefined],
  ['etcd snapshot no', undefined],
  ['etcd snapshot 1', undefined],
  [content.slice(0, 30), undefined],
])('%j is none', (bytes, expected) => {
  expect(readHeader(bytes)).toBe(expected);
  expect(parseRows(bytes)).toBe(expected);
});
