import { expect, test } from '@jest/globals';
import type { Rule } from '../../kernel/netfilter/index.js';
import { mergeRules } from './merge-rules.js';

const rule = (text: string): Rule => ({ matches: [{ type: 'comment', text }] });

test('chains of equal names have the rules of all writers, in their order', () => {
  const [a, b, c] = [rule('a'), rule('b'), rule('c')];
  expect(mergeRules({ POSTROUTING: [a], OWN: [b] }, undefined, { POSTROUTING: [c] })).toEqual({
    POSTROUTING: [a, c],
    OWN: [b],
  });
});
