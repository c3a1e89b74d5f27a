import { describe, expect, test } from '@jest/globals';
import { encodeEntry, endArchive, padding, type TarEntry } from './tar-format.js';
import { faultOf, newReading, readPiece, type Reading } from './tar-reader.js';

const entryOf = (name: string, size: number, more: Partial<TarEntry> = {}): TarEntry => ({
  ...{ name, type: 'file', mode: 0o644, user: 0, group: 0, userName: 'root', groupName: 'root', size },
  ...{ modified: 1_000, target: '', device: [0, 0], ...more },
});
const LONG_NAME = 'n'.repeat(150);
const CONTENTS: readonly (readonly [name: string, content: string])[] = [
  ['empty', ''],
  ['one', 'x'],
  [LONG_NAME, 'y'.repeat(512)],
  ['large', 'z'.repeat(100_000)],
];
const BODY = CONTENTS.map(
  ([name, content]) => encodeEntry(entryOf(name, content.length)) + content + '\0'.repeat(padding(content.length)),
).join('');
const ARCHIVE = BODY + endArchive(BODY.length);

/** What a reader finds in pieces, and the longest that its state was between two of them. */
function read(bytes: string, length: number): { found: string[]; reading: Reading; longest: number } {
  let reading = newReading();
  const found: string[] = [];
  let longest = 0;
  const handler = {
    begin: ({ name, size }: TarEntry) => void found.push(`${name.slice(0, 20)} ${size} `),
    content: (piece: string) => void (found[found.length - 1] += piece),
    finish: () => void (found[found.length - 1] += '.'),
    garbage: (isFirst: boolean) => void found.push(`garbage ${isFirst}`),
  };
  for (let at = 0; at < bytes.length; at += length) {
    readPiece(reading, bytes.slice(at, at + length), handler);
    const written = JSON.stringify(reading);
    longest = Math.max(longest, written.length);
    reading = JSON.parse(written) as Reading;
  }
  return { found, reading, longest };
}

const EXPECTED = CONTENTS.map(([name, content]) => `${name.slice(0, 20)} ${content.length} ${content}.`);

describe('an archive in pieces', () => {
  test.each([100, 511, 512, 513, 65_536, 1e6])('of %d bytes is read whole, and nothing is kept', (length) => {
    const { found, reading, longest } = read(ARCHIVE, length);
    expect(found).toEqual(EXPECTED);
    expect(faultOf(reading)).toBeUndefined();
    expect(longest).toBeLessThan(5_000);
  });
});

test.each([
  ['that ends within an entry', ARCHIVE.slice(0, 5_000), 'truncated'],
  ['that is too short', 'garbage', 'not-an-archive'],
  ['that ends without its end', BODY, undefined],
  ['that is empty', '', undefined],
])('an archive %s', (_case, bytes, fault) => expect(faultOf(read(bytes, 512).reading)).toBe(fault));

test.each([
  ['x'.repeat(2_048), ['garbage true']],
  ['x'.repeat(1_024) + ARCHIVE, ['garbage true', ...EXPECTED]],
  [encodeEntry(entryOf('a', 0)) + 'x'.repeat(1_024) + ARCHIVE, ['a 0 .', 'garbage false', ...EXPECTED]],
])('blocks that are no headers are passed over', (bytes, expected) => {
  expect(read(bytes, 1_000).found).toEqual(expected);
});

test('links and devices have no content, whatever their header says', () => {
  const link = encodeEntry(entryOf('l', 512, { type: 'link', target: 't' }));
  expect(read(link + ARCHIVE, 512).found).toEqual(['l 0 .', ...EXPECTED]);
});
