import { expect, test } from '@jest/globals';
import { findFences, replaceFences } from './fences.js';

const MARKED = /^(?:\{\{[^{}]*\}\})?$/;
const find = (text: string) => findFences(text, (tail) => MARKED.test(tail));

test.each<[string, string, object[]]>([
  [
    'a block',
    'x\n```sh\nls\n```\ny',
    [{ from: 2, to: 14, indent: '', fence: '```', info: 'sh', body: 'ls\n', tail: '' }],
  ],
  ['a mark behind it', '```\nls\n```{{exec}}', [{ body: 'ls\n', tail: '{{exec}}' }]],
  ['an indented one', '- a\n  ~~~ x y\n  b\n  ~~~', [{ indent: '  ', fence: '~~~', info: 'x y', body: '  b\n' }]],
  ['a longer fence around others', '````\n```\na\n```\n````', [{ fence: '````', body: '```\na\n```\n' }]],
  ['an empty one, and another', '```\n```\n\n```\nb\n```', [{ body: '' }, { body: 'b\n' }]],
  ['text behind a fence', '```\na\n``` b\n```', [{ body: 'a\n``` b\n' }]],
  ['one without an end', '```\na', []],
  ['code in a line', 'a `b` ``c``', []],
])('%s', (_, text, expected) => expect(find(text)).toMatchObject(expected));

test('what stands in place of blocks leaves the rest as it was', () => {
  const text = 'a\n```\nb\n```\nc\n```\nd\n```\n';
  expect(replaceFences(text, find(text), ({ body }) => `<${body.trim()}>`)).toBe('a\n<b>\nc\n<d>\n');
});

test('a long text of fences takes no long', () => {
  const started = process.cpuUsage().user;
  expect(find('`'.repeat(200_000))).toEqual([]);
  expect(find('```\n'.repeat(50_001))).toHaveLength(25_000);
  expect(process.cpuUsage().user - started).toBeLessThan(2e6);
});
