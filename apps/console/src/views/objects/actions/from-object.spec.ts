import { expect, test } from '@jest/globals';
import { podsText, selectedPath, triggerWrite } from './from-object.js';

const web = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: { selector: { matchLabels: { app: 'web' } } },
};
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

test('what a workload selects', () => {
  expect(selectedPath(web, 'v1', 'pods')).toBe('/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb');
  const items = [{ metadata: { namespace: 'shop', name: 'a' } }, { metadata: { namespace: 'shop', name: 'b' } }];
  expect(podsText({ items })).toBe('shop/a,shop/b');
});
