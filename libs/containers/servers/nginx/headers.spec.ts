import { expect, test } from '@jest/globals';
import { fileHeaders, pageHeaders } from './headers.js';

test('of a page', () => {
  expect(Object.entries(pageHeaders('text/html', 153))).toEqual([
    ['content-type', 'text/html'],
    ['content-length', '153'],
    ['connection', 'keep-alive'],
  ]);
});

test.each([
  [Date.UTC(2025, 3, 16, 12, 1, 11), 615, 'Wed, 16 Apr 2025 12:01:11 GMT', '"67ff9c07-267"'],
  [Date.UTC(2026, 0, 12, 0, 0, 0, 999), 0, 'Mon, 12 Jan 2026 00:00:00 GMT', '"69643980-0"'],
])('of a file of %i with %i bytes', (modified, bytes, date, etag) => {
  expect(Object.entries(fileHeaders('text/html', modified, bytes))).toEqual([
    ['content-type', 'text/html'],
    ['content-length', String(bytes)],
    ['last-modified', date],
    ['connection', 'keep-alive'],
    ['etag', etag],
    ['accept-ranges', 'bytes'],
  ]);
});
