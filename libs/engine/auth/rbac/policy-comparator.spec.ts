import { expect, test } from '@jest/globals';
import { compactRules } from './compact.js';
import { findUncoveredRules } from './policy-comparator.js';
import { parseRules } from './policy-text.js';

test.each<[string, string, string[]]>([
  ['get,list core pods', 'get core pods', []],
  ['get core pods', 'get,list core pods', ['{APIGroups:[""], Resources:["pods"], Verbs:["list"]}']],
  ['* * *', 'get core secrets one', []],
  ['* * *', 'get /metrics', ['{NonResourceURLs:["/metrics"], Verbs:["get"]}']],
  ['get core secrets one', 'get core secrets', ['{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}']],
  [
    'get core secrets one',
    'get core secrets one,two',
    ['{APIGroups:[""], Resources:["secrets"], ResourceNames:["two"], Verbs:["get"]}'],
  ],
  ['get * */scale', 'get apps deployments/scale', []],
  ['get core pods', 'get core pods/log', ['{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}']],
  ['get /api/*', 'get /api/v1,/metrics', ['{NonResourceURLs:["/metrics"], Verbs:["get"]}']],
  ['get core pods\nlist core pods', 'get,list core pods', []],
  [
    'get core pods',
    'get,list,watch core,apps nodes',
    [
      '{APIGroups:[""], Resources:["nodes"], Verbs:["get" "list" "watch"]}',
      '{APIGroups:["apps"], Resources:["nodes"], Verbs:["get" "list" "watch"]}',
    ],
  ],
])('%s, requested %s: %j is uncovered', (owned, requested, uncovered) =>
  expect(compactRules(findUncoveredRules(parseRules(owned), parseRules(requested)))).toEqual(uncovered),
);

test('every part has one verb, group, resource and name', () =>
  expect(findUncoveredRules([], parseRules('get,list core,apps a,b x,y'))).toHaveLength(16));
