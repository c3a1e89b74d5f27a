import { describe, expect, test } from '@jest/globals';
import type { ClusterRole, ClusterRoleBinding } from '../../api/rbac_v1.js';
import { rbacObjects } from './rbac.js';

const objects = rbacObjects();
const find = <T>(kind: string, name: string): T =>
  objects.find((o) => o.kind === kind && o.metadata.name === name) as T;
const GROUP = 'rbac.authorization.k8s.io';

test('no object is there twice', () => {
  const keys = objects.map((o) => `${o.kind} ${o.metadata.namespace ?? ''}/${o.metadata.name}`);
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
});

test('cluster-admin may do anything, and is the masters', () => {
  expect(find<ClusterRole>('ClusterRole', 'cluster-admin')).toEqual({
    apiVersion: `${GROUP}/v1`,
    kind: 'ClusterRole',
    metadata: {
      name: 'cluster-admin',
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ],
  });
  const { roleRef, subjects } = find<ClusterRoleBinding>('ClusterRoleBinding', 'cluster-admin');
  expect(roleRef).toEqual({ apiGroup: GROUP, kind: 'ClusterRole', name: 'cluster-admin' });
  expect(subjects).toEqual([{ apiGroup: GROUP, kind: 'Group', name: 'system:masters' }]);
});

describe('aggregated roles', () => {
  test.each([
    ['view', 'edit'],
    ['edit', 'admin'],
    ['admin', undefined],
  ])('%s adds to %s', (name, to) => {
    const { aggregationRule, metadata } = find<ClusterRole>('ClusterRole', name);
    const label = (role: string): Record<string, string> => ({ [`${GROUP}/aggregate-to-${role}`]: 'true' });
    expect(aggregationRule).toEqual({ clusterRoleSelectors: [{ matchLabels: label(name) }] });
    expect(metadata.labels).toEqual({ 'kubernetes.io/bootstrapping': 'rbac-defaults', ...(to ? label(to) : {}) });
  });
});

test('each controller has a role, a binding and an account', () => {
  const name = 'system:controller:job-controller';
  expect(find<ClusterRole>('ClusterRole', name).rules!.length).toBeGreaterThan(0);
  expect(find<ClusterRoleBinding>('ClusterRoleBinding', name).subjects).toEqual([
    { kind: 'ServiceAccount', name: 'job-controller', namespace: 'kube-system' },
  ]);
  expect(find<object>('ServiceAccount', 'job-controller')).toBeDefined();
});
