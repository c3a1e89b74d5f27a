import { expect, test } from '@jest/globals';
import type { Resource } from '../../../kube/resource.js';
import { podsText, selectedPath, triggerWrite, undoWrite } from './from-object.js';

const deployments = { apiVersion: 'apps/v1', resource: 'deployments', namespaced: true } as Resource;
const web = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: { selector: { matchLabels: { app: 'web' } } },
};
const set = (revision: string, image: string, owner = 'u1') => ({
  ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  metadata: {
    ...{ name: revision, annotations: { 'deployment.kubernetes.io/revision': revision } },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: owner }],
  },
  spec: {
    template: {
      metadata: { labels: { app: 'web', 'pod-template-hash': revision } },
      spec: { containers: [{ image }] },
    },
  },
});

test('a CronJob is run now as kubectl create job --from does', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { backoffLimit: 1 } };
  const metadata = { name: 'tick', namespace: 'shop', uid: 'u2' };
  const cronJob = { apiVersion: 'batch/v1', kind: 'CronJob', metadata, spec: { jobTemplate: template } };
  expect(triggerWrite(cronJob, 'tick-1')).toEqual({
    method: 'POST',
    path: '/apis/batch/v1/namespaces/shop/jobs',
    body: {
      ...{ apiVersion: 'batch/v1', kind: 'Job' },
      metadata: {
        ...{ name: 'tick-1', labels: { a: 'b' }, annotations: { 'cron.kubernetes.io/instantiate': 'manual' } },
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'tick', uid: 'u2', controller: true }],
      },
      spec: { backoffLimit: 1 },
    },
  });
});

test('a rollout goes back to the revision before, without its hash', () => {
  const sets = [set('1', 'a'), set('10', 'c'), set('9', 'b'), set('11', 'x', 'another')];
  expect(undoWrite(deployments, web, sets)?.body).toEqual([
    {
      ...{ op: 'replace', path: '/spec/template' },
      value: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ image: 'b' }] } },
    },
  ]);
  expect(undoWrite(deployments, web, [set('1', 'a')])).toBeUndefined();
});

test('what a workload selects', () => {
  expect(selectedPath(web, 'v1', 'pods')).toBe('/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb');
  const items = [{ metadata: { namespace: 'shop', name: 'a' } }, { metadata: { namespace: 'shop', name: 'b' } }];
  expect(podsText({ items })).toBe('shop/a,shop/b');
});
