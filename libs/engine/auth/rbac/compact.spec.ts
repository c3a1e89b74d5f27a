import { expect, test } from '@jest/globals';
import { compactRules, quoteList } from './compact.js';
import { parseRules } from './policy-text.js';

test.each<[string, string[]]>([
  ['', []],
  ['get core pods\nlist core pods', ['{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}']],
  [
    'get core secrets one\nlist core secrets one',
    [
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["one"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["one"], Verbs:["list"]}',
    ],
  ],
  [
    'get core pods\nget apps pods\nget /b\nget /a',
    [
      '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
      '{APIGroups:["apps"], Resources:["pods"], Verbs:["get"]}',
      '{NonResourceURLs:["/a"], Verbs:["get"]}',
      '{NonResourceURLs:["/b"], Verbs:["get"]}',
    ],
  ],
  ['get /a\nget /a', ['{NonResourceURLs:["/a"], Verbs:["get"]}']],
])('%j', (rules, texts) => expect(compactRules(parseRules(rules))).toEqual(texts));

test.each([
  [[], '[]'],
  [['a', 'b "c"'], '["a" "b \\"c\\""]'],
])('%j is quoted %s', (list, text) => expect(quoteList(list)).toBe(text));
