import { expect, test } from '@jest/globals';
import type { Resource } from '../../../kube/resource.js';
import { hasRevisions } from './has-revisions.js';
import { keepersPath, revisionBefore, revisionsOf, rollbackWrite } from './revisions.js';

const resourceOf = (resource: string) =>
  ({ group: 'apps', apiVersion: 'apps/v1', resource, namespaced: true }) as Resource;
const NUMBER = 'deployment.kubernetes.io/revision';
const CAUSE = 'kubernetes.io/change-cause';
const workload = (kind: string, annotations: Record<string, string> = {}, more: object = {}) => ({
  ...{ apiVersion: 'apps/v1', kind, ...more },
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', annotations },
  spec: { selector: { matchLabels: { app: 'web' } } },
});
const owned = (uid: string) => [{ apiVersion: 'apps/v1', kind: 'Any', name: 'web', uid }];
const set = (revision: string, image: string, cause: string, uid = 'u1') => ({
  ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  metadata: {
    ...{ name: `web-${revision}`, ownerReferences: owned(uid) },
    annotations: {
      [NUMBER]: revision,
      ...(cause ? { [CAUSE]: cause } : {}),
      'deployment.kubernetes.io/max-replicas': '4',
    },
  },
  spec: {
    template: { metadata: { labels: { app: 'web', 'pod-template-hash': 'x' } }, spec: { containers: [{ image }] } },
  },
});
const kept = (revision: number, image: string) => ({
  ...{ apiVersion: 'apps/v1', kind: 'ControllerRevision', revision },
  metadata: { name: `web-${revision}`, ownerReferences: owned('u1') },
  data: {
    spec: { template: { $patch: 'replace', metadata: { labels: { app: 'web' } }, spec: { containers: [{ image }] } } },
  },
});
const template = (image: string) => ({ metadata: { labels: { app: 'web' } }, spec: { containers: [{ image }] } });

test('a Deployment’s revisions are its ReplicaSets, by number and with their causes', () => {
  const sets = [set('1', 'a', ''), set('10', 'c', 'to c'), set('9', 'b', 'to b'), set('11', 'x', '', 'another')];
  const revisions = revisionsOf(workload('Deployment', { [NUMBER]: '10' }), sets);
  expect(revisions.map(({ number, cause, isCurrent }) => [number, cause, isCurrent])).toEqual([
    [10, 'to c', true],
    [9, 'to b', false],
    [1, '', false],
  ]);
  expect(revisions[0]!.template).toEqual(template('c'));
});

test.each([
  ['StatefulSet', { status: { updateRevision: 'web-1' } }, [false, true]],
  ['DaemonSet', {}, [true, false]],
])('those of a %s are ControllerRevisions', (kind, more, current) => {
  const revisions = revisionsOf(workload(kind, {}, more), [kept(1, 'a'), kept(2, 'b')]);
  expect(revisions.map(({ isCurrent }) => isCurrent)).toEqual(current);
  expect(revisions[1]!.template).toEqual(template('a'));
  expect(rollbackWrite(resourceOf('daemonsets'), workload(kind), revisions[1]!)).toMatchObject({
    path: '/apis/apps/v1/namespaces/shop/daemonsets/web?fieldManager=kubectl-rollout',
    body: kept(1, 'a').data,
    type: 'application/strategic-merge-patch+json',
  });
});

test('a Deployment goes back with what was told of that revision, and keeps what is its own', () => {
  const own = { [NUMBER]: '2', [CAUSE]: 'to b', 'kubectl.kubernetes.io/last-applied-configuration': '{}', note: 'x' };
  const web = workload('Deployment', own);
  const [, first] = revisionsOf(web, [set('1', 'a', 'first'), set('2', 'b', 'to b')]);
  expect(rollbackWrite(resourceOf('deployments'), web, first!).body).toEqual([
    { op: 'replace', path: '/spec/template', value: template('a') },
    {
      ...{ op: 'replace', path: '/metadata/annotations' },
      value: { [NUMBER]: '2', [CAUSE]: 'first', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
    },
  ]);
});

test('what is paused does not go back, and what has one revision neither', () => {
  const revisions = revisionsOf(workload('Deployment'), [set('1', 'a', '')]);
  const paused = { ...workload('Deployment'), spec: { paused: true } };
  expect(() => rollbackWrite(resourceOf('deployments'), paused, revisions[0]!)).toThrow('cannot rollback a paused');
  expect(() => revisionBefore(revisions, 'web has none')).toThrow('web has none');
});

test.each([
  ['Deployment', 'replicasets'],
  ['StatefulSet', 'controllerrevisions'],
])('what keeps those of a %s are %s', (kind, plural) =>
  expect(keepersPath(workload(kind))).toBe(`/apis/apps/v1/namespaces/shop/${plural}?labelSelector=app%3Dweb`),
);

test('ReplicaSets have none', () => {
  expect(hasRevisions(resourceOf('deployments'))).toBe(true);
  expect(hasRevisions(resourceOf('replicasets'))).toBe(false);
});
