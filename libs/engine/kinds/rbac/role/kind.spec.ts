import { describe, expect, test } from '@jest/globals';
import { errorsOf, make, row } from '../../testing.js';
import { kind as ClusterRoles } from '../clusterrole/kind.js';
import { kind as Roles } from './kind.js';

describe('a Role', () => {
  test.each<[string, object, string[]]>([
    [
      'without verbs',
      { apiGroups: [''], resources: ['pods'] },
      ['rules[0].verbs: Required value: verbs must contain at least one value'],
    ],
    [
      'of nothing',
      { verbs: ['get'] },
      [
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
      ],
    ],
    [
      'of URLs',
      { verbs: ['get'], nonResourceURLs: ['/healthz'] },
      ['rules[0].nonResourceURLs: Invalid value: ["/healthz"]: namespaced rules cannot apply to non-resource URLs'],
    ],
  ])('%s', (_, rule, errors) => expect(errorsOf(Roles, { rules: [rule] })).toEqual(errors));

  test('of a cluster may name URLs, but not resources beside them', () => {
    expect(errorsOf(ClusterRoles, { rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }] })).toEqual([]);
    expect(
      errorsOf(ClusterRoles, { rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'], resources: ['pods'] }] }),
    ).toEqual([
      'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: rules cannot apply to both regular resources and non-resource URLs',
    ]);
  });

  test('prints when it was made', () =>
    expect(row(Roles, make(Roles))).toEqual({ Name: 'a', 'Created At': '2026-01-01T11:55:00Z' }));
});
