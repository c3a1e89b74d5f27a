import { expect, test } from '@jest/globals';
import { describeConsole, LONG_MS } from '../../../testing/console.js';

const HOSTILE = '<img src=x onerror="document.title=1">';
const pod = (name: string, cpu: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', annotations: { a: HOSTILE } },
  spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu } } }] },
});

/** What a metrics-server would serve, as objects of a kind. */
const nodeMetrics = (name: string, cpu: string, memory: string) => ({
  ...{ apiVersion: 'metrics.k8s.io/v1beta1', kind: 'NodeMetrics', metadata: { name } },
  usage: { cpu, memory },
});
const MEASURED = [
  {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: {
      name: 'nodes.metrics.k8s.io',
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
    },
    spec: {
      group: 'metrics.k8s.io',
      scope: 'Cluster',
      names: { plural: 'nodes', singular: 'node', kind: 'NodeMetrics', listKind: 'NodeMetricsList' },
      versions: [
        {
          ...{ name: 'v1beta1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  },
  nodeMetrics('worker-1', '1', '1Gi'),
  nodeMetrics('worker-2', '500m', '2Gi'),
];

describeConsole('the overview, in Chromium', (opened) => {
  const ill = (text: string | RegExp) => opened().page.locator('.ills > li', { hasText: text });

  test(
    'a cluster that is well says so, and how much it has',
    async () => {
      const { page, open, clusterId } = opened();
      await open(`/c/${clusterId}/overview`);
      await page.getByText('All is well').waitFor();
      await page.getByRole('link', { name: 'Nodes: all 3 well' }).waitFor();
      await page.getByText('In use: Metrics API not available.').waitFor();
    },
    LONG_MS,
  );

  test(
    'why a pod is Pending stands on the first page, in plain words, with where to look',
    async () => {
      const { service, page, open, apply, clusterId, inspect } = opened();
      await open('/');
      await page
        .getByRole('row', { name: /terrarium/ })
        .getByRole('link')
        .click();
      await apply(pod('too-large', '400'));
      await ill('default/too-large').getByText('Pending', { exact: true }).waitFor();
      await ill('default/too-large')
        .getByText(/Insufficient cpu|400/)
        .first()
        .waitFor();
      await ill('default/too-large')
        .getByText(/^worker-1: /)
        .waitFor();
      await apply({
        ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'kept', namespace: 'default' } },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'none-such',
          resources: { requests: { storage: '1Gi' } },
        },
      });
      await ill('default/kept').getByText('Pending', { exact: true }).waitFor();
      await apply({
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default' } },
        spec: {
          replicas: 3,
          selector: { matchLabels: { app: 'web' } },
          template: {
            ...pod('', '10m'),
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'c', image: 'nginx:none-such' }] },
          },
        },
      });
      await ill('of Deployment web').getByText('and 2 more like it').waitFor();
      expect(await ill('of Deployment web').locator('.ill-why').textContent()).toMatch(/none-such/);
      expect(await inspect('overview-ill')).toEqual([]);
      await ill('default/too-large').getByRole('link', { name: 'Details and events' }).click();
      await page.getByRole('heading', { name: /too-large/ }).waitFor();
      await service.call('DELETE', `/clusters/${clusterId}/api/v1/namespaces/default/pods/too-large`);
      await page.goBack();
      await ill('default/kept').waitFor();
      await ill('default/too-large').waitFor({ state: 'detached' });
      expect(await page.title()).not.toBe('1');
    },
    LONG_MS,
  );

  test(
    'what nodes use is that of a metrics-server',
    async () => {
      const { page, open, apply, clusterId, inspect } = opened();
      await apply(MEASURED[0]);
      await open(`/c/${clusterId}/objects/nodes.metrics.k8s.io`);
      await page.getByRole('heading', { name: 'NodeMetrics' }).waitFor();
      for (const object of MEASURED.slice(1)) await apply(object);
      await open(`/c/${clusterId}/overview`);
      await page.getByLabel(/^CPU in use: 1.5 of \d+/).waitFor();
      await page.getByLabel(/^Memory in use: 3Gi of \d+/).waitFor();
      expect(await inspect('overview-used')).toEqual([]);
    },
    LONG_MS,
  );

  test('nothing has failed, and the policy has refused nothing', () => expect(opened().problems).toEqual([]));
});
