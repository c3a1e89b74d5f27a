import { expect, test } from '@jest/globals';
import { authorizer } from '../index.js';
import { evaluate } from '../testing.js';

test.each<[string, unknown]>([
  ['[3, 1, 2].min() == 1 && [3, 1, 2].max() == 3 && [1, 2].sum() == 3', true],
  ['[1u, 2u].sum() == 3u && [1.5, 2.5].sum() == 4.0', true],
  ['[].min()', 'min called on empty list'],
  ['[1, 2, 3].isSorted() && !["b", "a"].isSorted()', true],
  ['[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(5) == -1', true],
  ['[[[1]], [[2], [3]]].flatten()', [[1], [2], [3]]],
  ['[[[1]], [[2], [3]]].flatten(2)', [1, 2, 3]],
  ['[1, 2, 1].distinct()', [1, 2]],
  ['[3, 1, 2].sort()', [1, 2, 3]],
  ['[7, 8].last().value()', 8],
  ['[].first().hasValue()', false],
  ['[1, 2].slice(-1, 1)', 'cannot slice(-1, 1), negative indexes not supported'],
  ['lists.range(3)', [0, 1, 2]],
  ['sets.contains([1, 2, 3], [2, 3])', true],
  ['sets.intersects([1], [2, 1]) && !sets.intersects([1], [2])', true],
  ['sets.equivalent([1, 2], [2, 1, 1])', true],
])('of lists, %s is %s', (text, outcome) => expect(evaluate(text)).toEqual(outcome));

/** Allows what is asked about pods, or about a path below /healthz; the reason repeats the question. */
const variables = {
  authorizer: authorizer(({ group, resource, subresource, namespace, name, path, serviceAccount }, verb) => ({
    allowed: resource === 'pods' || path.startsWith('/healthz'),
    reason: [serviceAccount, verb, group, resource, subresource, namespace, name, path].filter(Boolean).join(' '),
  })),
};
test.each<[string, unknown]>([
  ['authorizer.path("/healthz/ping").check("get").allowed()', true],
  ['authorizer.group("").resource("pods").check("create").allowed()', true],
  ['authorizer.group("apps").resource("deployments").check("create").allowed()', false],
  [
    'authorizer.group("").resource("pods").subresource("log").namespace("shop").name("a").check("get").reason()',
    'get pods log shop a',
  ],
  [
    'authorizer.serviceAccount("shop", "bot").group("").resource("pods").check("list").reason()',
    'system:serviceaccount:shop:bot list pods',
  ],
  ['authorizer.group("").resource("pods").fieldSelector("a=b").labelSelector("c=d").check("list").errored()', false],
  ['authorizer.group("").resource("pods").check("list").error()', ''],
])('of the authorizer, %s is %s', (text, outcome) => expect(evaluate(text, variables)).toEqual(outcome));
