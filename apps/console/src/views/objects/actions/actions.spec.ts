import { expect, test } from '@jest/globals';
import type { Resource } from '../../../kube/resource.js';
import { actionsOf, cordonWrite, deleteWrite, evictWrite, planDrain, restartWrite, scaleWrite } from './actions.js';

const make = (apiVersion: string, resource: string, subresources: readonly string[] = []): Resource => ({
  group: apiVersion.includes('/') ? apiVersion.split('/')[0]! : '',
  version: 'v1',
  apiVersion,
  kind: '',
  resource,
  singular: '',
  namespaced: resource !== 'nodes',
  verbs: ['delete', 'list'],
  shortNames: [],
  categories: [],
  subresources,
  preferred: true,
});
const deployments = make('apps/v1', 'deployments', ['scale', 'status']);
const nodes = make('v1', 'nodes');
const web = { namespace: 'a', name: 'web' };

test.each([
  [make('v1', 'pods', ['eviction', 'log']), 'logs terminal attach debug started evict delete'],
  [nodes, 'terminal cordon uncordon drain delete'],
  [deployments, 'logs scale restart undo pauseRollout resumeRollout delete'],
  [make('apps/v1', 'daemonsets'), 'logs restart undo delete'],
  [make('batch/v1', 'jobs'), 'logs delete'],
  [make('batch/v1', 'cronjobs'), 'trigger suspend resume delete'],
  [make('shop.example.com/v1', 'pods', ['scale']), 'scale delete'],
  [{ ...make('metrics.k8s.io/v1', 'pods'), verbs: ['get', 'list'] }, ''],
])('%j', (resource, actions) => expect(actionsOf(resource).join(' ')).toBe(actions));

test.each([
  [nodes, {}, 'terminal cordon drain delete'],
  [nodes, { unschedulable: true }, 'terminal uncordon drain delete'],
  [make('batch/v1', 'cronjobs'), { suspend: true }, 'trigger resume delete'],
  [deployments, {}, 'logs scale restart undo pauseRollout delete'],
  [deployments, { paused: true }, 'logs scale restart undo resumeRollout delete'],
])('of one that is known: %j %j', (resource, spec, actions) => {
  const object = { apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' }, spec };
  expect(actionsOf(resource, object).join(' ')).toBe(actions);
});

test('writes are those of kubectl', () => {
  expect(deleteWrite(deployments, web)).toMatchObject({
    method: 'DELETE',
    path: '/apis/apps/v1/namespaces/a/deployments/web',
  });
  expect(scaleWrite(deployments, web, 3)).toMatchObject({
    path: expect.stringContaining('/web/scale?') as unknown,
    body: { spec: { replicas: 3 } },
  });
  expect(JSON.stringify(restartWrite(deployments, web, 'T').body)).toContain('"kubectl.kubernetes.io/restartedAt":"T"');
  expect(cordonWrite(nodes, { namespace: '', name: 'n' }, true).body).toEqual({ spec: { unschedulable: true } });
  expect(cordonWrite(nodes, { namespace: '', name: 'n' }, false).body).toEqual({ spec: { unschedulable: null } });
});

test('a drain leaves what belongs to the node, and asks before it takes what does not come back', () => {
  const pod = (name: string, kind: string | undefined, more: object = {}) => ({
    metadata: { name, namespace: 'a', ownerReferences: kind ? [{ kind, controller: true }] : [] },
    ...more,
  });
  const mirror = {
    metadata: { name: 'etcd', namespace: 'kube-system', annotations: { 'kubernetes.io/config.mirror': 'x' } },
  };
  const scratch = { spec: { volumes: [{ name: 'tmp', emptyDir: {} }] } };
  const plan = planDrain([
    mirror,
    pod('proxy', 'DaemonSet'),
    pod('web', 'ReplicaSet'),
    pod('cache', 'ReplicaSet', scratch),
    pod('bare', undefined),
    pod('done', undefined, { status: { phase: 'Succeeded' } }),
  ]);
  expect(plan.evict.map(({ metadata }) => metadata.name)).toEqual(['web', 'done']);
  expect(plan.refused.map(({ pod: { metadata }, flag }) => [metadata.name, flag])).toEqual([
    ['cache', '--delete-emptydir-data'],
    ['bare', '--force'],
  ]);
  expect(evictWrite(plan.evict[0]!).path).toBe('/api/v1/namespaces/a/pods/web/eviction');
});
