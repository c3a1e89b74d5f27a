import { expect, test } from '@jest/globals';
import { errorsOf, make, row } from '../../testing.js';
import { kind } from './kind.js';

test.each<[string, object, string[]]>([
  ['of URLs', { rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }] }, []],
  [
    'of URLs and resources in one rule',
    { rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'], resources: ['pods'] }] },
    [
      'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
  ],
  ['that aggregates others', { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }, []],
  [
    'that aggregates nothing',
    { aggregationRule: {} },
    [
      'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    ],
  ],
  [
    'with a bad selector',
    { aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Is' }] }] } },
    [
      'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
      'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
    ],
  ],
])('a ClusterRole %s', (_, fields, errors) => expect(errorsOf(kind, { ...fields })).toEqual(errors));

test('prints when it was made', () =>
  expect(row(kind, make(kind))).toEqual({ Name: 'a', 'Created At': '2026-01-01T11:55:00Z' }));
