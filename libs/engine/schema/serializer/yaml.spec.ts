import { expect, test } from '@jest/globals';
import { parseYaml } from './yaml.js';

test.each<[string, unknown]>([
  ['a: 1\nb: [x, "y"]', { a: 1, b: ['x', 'y'] }],
  ['a: yes\nb: off\nc: "yes"', { a: true, b: false, c: 'yes' }],
  ['a: 2026-01-02', { a: '2026-01-02' }],
  ['a: 0x10\nb: 010', { a: 16, b: 8 }],
  ['a: ~\nb:', { a: null, b: null }],
  ['a: &x {b: 1}\nc:\n  <<: *x\n  d: 2', { a: { b: 1 }, c: { b: 1, d: 2 } }],
  ['{"a": 1}', { a: 1 }],
  ['', undefined],
])('%j', (text, value) => {
  const parsed = parseYaml(text);
  expect([parsed.error, parsed.value ?? undefined]).toEqual([undefined, value]);
});

test('the last of repeated keys wins', () =>
  expect(parseYaml('a: 1\nb:\n  c: 1\n  c: 2\na: 3')).toEqual({
    value: { a: 3, b: { c: 2 } },
    repeated: ['line 4: key "c" already set in map', 'line 5: key "a" already set in map'],
  }));

test.each([
  ['nesting', '['.repeat(2_000), 'yaml: exceeded max depth of 10000'],
  [
    'aliases that multiply',
    `a: &a [x,x,x,x,x,x,x,x,x,x]\n${[...'bcdef'].map((c, i) => `${c}: &${c} [${Array(10).fill(`*${'abcde'[i]}`)}]`).join('\n')}`,
    'yaml: document contains excessive aliasing',
  ],
])('too much %s is refused', (_, text, error) => expect(parseYaml(text)).toEqual({ error, repeated: [] }));

test.each([
  ['a: [', 'yaml: line 1: did not find expected node content'],
  ['a: b: c', 'yaml: mapping values are not allowed in this context'],
  ['x:\n\ta: 1', 'yaml: line 2: found character that cannot start any token'],
  ['a: *b', "yaml: unknown anchor 'b' referenced"],
])('%j is refused: %s', (text, error) => expect(parseYaml(text).error).toBe(error));
