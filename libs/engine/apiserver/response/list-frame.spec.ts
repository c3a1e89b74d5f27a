import { expect, test } from '@jest/globals';
import { listFrame } from './list-frame.js';

const MEMBERS = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '7' } };
const ITEMS = [{ metadata: { name: 'a' }, data: { text: 'two\nlines', none: {} } }, { metadata: {} }];

test.each([
  ['two items', ITEMS, false],
  ['no items', [], false],
  ['two items, indented', ITEMS, true],
  ['one item, indented', ITEMS.slice(1), true],
  ['no items, indented', [], true],
])('%s are printed as the whole would be', (_, items: readonly object[], isPretty) => {
  const { head, between, tail, empty, item } = listFrame(JSON.stringify(MEMBERS), 'items', isPretty);
  const texts = items.map((one) => item(JSON.stringify(one)));
  const whole = JSON.stringify({ ...MEMBERS, items }, null, isPretty ? 2 : undefined);
  expect(texts.length === 0 ? empty : head + texts.join(between) + tail).toBe(`${whole}\n`);
});
