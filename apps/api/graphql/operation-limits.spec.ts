import { expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { limitOperations } from './operation-limits.js';

const schema = buildSchema('type Query { node: Node, leaf: Int } type Node { node: Node, leaf: Int }');
const errorsOf = (query: string): string[] =>
  validate(schema, parse(query), [limitOperations]).map((error) => error.message);
const nested = (depth: number): string => (depth === 1 ? 'leaf' : `node { ${nested(depth - 1)} }`);
const aliases = (count: number, field = 'leaf'): string =>
  Array.from({ length: count }, (_, i) => `a${i}: ${field}`).join(' ');

test.each<[string, string, string[]]>([
  ['12 levels', `{ ${nested(12)} }`, []],
  ['13 levels', `{ ${nested(13)} }`, ['the operation is 13 levels deep; at most 12 are allowed']],
  ['20 fields at the root', `{ ${aliases(20)} }`, []],
  ['21 fields at the root', `{ ${aliases(21)} }`, ['the operation has 21 fields at its root; at most 20 are allowed']],
  ['299 fields below one', `{ node { ${aliases(299)} } }`, []],
  [
    '300 fields below one',
    `{ node { ${aliases(300)} } }`,
    ['the operation has 301 fields or more; at most 300 are allowed'],
  ],
  [
    'fragments count where they are spread',
    `{ ...F } fragment F on Query { ${aliases(21)} }`,
    ['the operation has 21 fields at its root; at most 20 are allowed'],
  ],
  ['a fragment that spreads itself is counted once', '{ ...F } fragment F on Query { leaf ...F }', []],
])('%s', (_, query, errors) => expect(errorsOf(query)).toEqual(errors));

test('fragments that multiply are not counted to their end', () => {
  const fragments = Array.from(
    { length: 40 },
    (_, i) => `fragment F${i} on Node { a: node { ...F${i + 1} } b: node { ...F${i + 1} } }`,
  );
  const started = performance.now();
  const errors = errorsOf(`{ node { ...F0 } } ${fragments.join(' ')} fragment F40 on Node { leaf }`);
  expect(errors.length).toBeGreaterThan(0);
  expect(performance.now() - started).toBeLessThan(1_000);
});
