import { expect, test } from '@jest/globals';
import { parseConfiguration } from './configuration.js';

test.each<[string, string, unknown]>([
  ['a directive', 'listen 80;', [{ words: ['listen', '80'], block: [] }]],
  [
    'a block',
    'server { listen 80; location = /x { return 200 "a; b"; } }',
    [
      {
        words: ['server'],
        block: [
          { words: ['listen', '80'], block: [] },
          { words: ['location', '=', '/x'], block: [{ words: ['return', '200', 'a; b'], block: [] }] },
        ],
      },
    ],
  ],
  ['a comment', '# listen 80;\nlisten 81; # more', [{ words: ['listen', '81'], block: [] }]],
  ['no end', 'server { listen 80', [{ words: ['server'], block: [] }]],
  ['a quote without an end', "return 200 'ok;", []],
  ['brackets that nothing opened', '} } listen 80;', []],
])('%s', (_, text, expected) => expect(parseConfiguration(text)).toEqual(expected));

test.each(['location ', '{', 'a{', '"', "return 200 '", '}', 'location /{ return 2', '#'])(
  'a megabyte of %j is read in one pass',
  (part) => {
    const started = performance.now();
    parseConfiguration(part.repeat(1_000_000 / part.length));
    expect(performance.now() - started).toBeLessThan(3_000);
  },
);
