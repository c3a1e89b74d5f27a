import { expect, jest, test } from '@jest/globals';
import { describeConsole, LONG_MS } from '../../../testing/console.js';

jest.setTimeout(LONG_MS);

const HOSTILE = '<img src=x onerror="document.title=1">\u001b[31m\u202e';
const container = { name: 'c', image: 'busybox', command: ['sh', '-c', 'sleep 100000'] };
const pod = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations: { 'shop.dev/note': HOSTILE } },
  spec: { containers: [{ ...container, ...more }] },
});

/** What a metrics-server would serve, as objects of a kind. */
const MEASURED = [
  {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: {
      name: 'pods.metrics.k8s.io',
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
    },
    spec: {
      group: 'metrics.k8s.io',
      scope: 'Namespaced',
      names: { plural: 'pods', singular: 'pod', kind: 'PodMetrics', listKind: 'PodMetricsList' },
      versions: [
        {
          ...{ name: 'v1beta1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  },
  {
    ...{ apiVersion: 'metrics.k8s.io/v1beta1', kind: 'PodMetrics', metadata: { name: 'measured' } },
    containers: [{ name: 'c', usage: { cpu: '250m', memory: '64Mi' } }],
  },
];

describeConsole('objects, logs and terminals, in Chromium', (console) => {
  test('rows come live, are found by the keyboard, and open', async () => {
    const { page, clusterId, open, apply, inspect, problems } = console();
    await apply(pod('first'));
    await open(`/c/${clusterId}/objects/pods?ns=default`);
    await page.getByRole('gridcell', { name: 'first', exact: true }).waitFor();
    await apply(pod('second'));
    await page.getByRole('gridcell', { name: 'second', exact: true }).waitFor();
    expect(await inspect('objects')).toEqual([]);
    await page.getByRole('grid').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('second');
    await page.getByText('1 of 2 objects').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('second');
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'second' }).waitFor();
    await page.getByText('␛[31m⟨U+202E⟩').waitFor();
    expect(await page.title()).not.toBe('1');
    expect(await inspect('object')).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('why a pod is Pending stands first', async () => {
    const { page, clusterId, open, apply } = console();
    await apply(pod('too-large', { resources: { requests: { cpu: '400' } } }));
    await open(`/c/${clusterId}/objects/pods/default/too-large`);
    await page.locator('.why-message', { hasText: 'Insufficient cpu' }).waitFor();
  });

  test('what is used is drawn where somebody measures, and is said to be unknown where nobody does', async () => {
    const { page, clusterId, open, apply, problems } = console();
    await apply(pod('measured'));
    await open(`/c/${clusterId}/objects/pods/default/measured`);
    await page.getByText(/Metrics API not available/).waitFor();
    await apply(MEASURED[0]);
    await open(`/c/${clusterId}/objects/pods.metrics.k8s.io`);
    await page.getByRole('heading', { name: 'PodMetrics' }).waitFor();
    await apply(MEASURED[1]);
    await open(`/c/${clusterId}/objects/pods/default/measured`);
    await page.getByRole('img', { name: 'CPU: 250m' }).waitFor();
    await page.getByRole('img', { name: 'Memory: 64Mi' }).waitFor();
    await open(`/c/${clusterId}/objects/pods?ns=default&sort=-cpu`);
    const first = page.locator('.grid-row[aria-rowindex="2"]', { hasText: 'measured' });
    await first.getByRole('gridcell', { name: '250m' }).waitFor();
    await first.getByRole('gridcell', { name: '64Mi' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('a text is previewed, and a conflict says whose the field is', async () => {
    const { page, clusterId, open, apply, problems } = console();
    const labels = { app: 'web' };
    await apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    });
    await open(`/c/${clusterId}/objects/deployments.apps/default/web?tab=yaml`);
    await page.locator('.cm-line', { hasText: 'replicas: 1' }).first().click();
    await page.keyboard.press('End');
    await page.keyboard.type('0');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Take them over' }).waitFor();
    await page.locator('.notice', { hasText: '.spec.replicas' }).waitFor();
    await page.getByRole('button', { name: 'Take them over' }).click();
    await page.getByText('Applied: Deployment web').waitFor();
    expect(problems).toEqual([]);
  });

  test('a Secret is read and edited as text, once one wants to see it', async () => {
    const { page, service, clusterId, open, apply, inspect } = console();
    await apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'door' },
      stringData: { code: `1234 ${HOSTILE}` },
    });
    await open(`/c/${clusterId}/objects/secrets/default/door`);
    await page.getByText('••••••••').waitFor();
    await page.getByRole('button', { name: 'Show code' }).click();
    await page.getByLabel('code', { exact: true }).getByText('1234 <img').waitFor();
    expect(await inspect('object-secret')).toEqual([]);
    await page.getByRole('button', { name: 'Edit code' }).click();
    await page.getByRole('textbox', { name: 'code' }).fill('5678');
    await page.getByRole('button', { name: 'Save' }).click();
    // The text that is edited has this label, too, and says so before it is written.
    await page.locator('pre[aria-label="code"]', { hasText: '5678' }).waitFor();
    const path = `/clusters/${clusterId}/api/v1/namespaces/default/secrets/door`;
    expect(await service.call('GET', path)).toMatchObject({ data: { code: 'NTY3OA==' } });
  });

  test('what can be done is what makes a difference, and the namespace stays', async () => {
    const { page, clusterId, open } = console();
    await open(`/c/${clusterId}/objects/nodes/-/worker-1?ns=default`);
    await page.getByLabel(/^CPU: \d+m of 4/).waitFor();
    await page.locator('tr', { hasText: 'MemoryPressure' }).locator('[data-tone=good]').waitFor();
    await page.getByRole('button', { name: 'Cordon', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cordon' }).click();
    await page.getByRole('button', { name: 'Uncordon' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Uncordon' }).click();
    await page.getByRole('button', { name: 'Cordon', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pod', exact: true }).click();
    await page.getByRole('heading', { name: 'Pod' }).waitFor();
    await page.getByRole('button', { name: 'Namespace: default' }).waitFor();
    await open(`/c/${clusterId}/objects/deployments.apps/default/web`);
    await page.getByRole('button', { name: 'Scale', exact: true }).click();
    await page.getByRole('spinbutton', { name: 'Replicas' }).and(page.locator('[value="10"]')).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('button:focus', { hasText: 'Scale' }).waitFor();
    await page.getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('heading', { name: 'Revision 1' }).waitFor();
    await page.getByRole('button', { name: 'Logs', exact: true }).click();
    await page.getByText('10 pods').waitFor();
  });

  test('a port opens in the browser, at an origin of its own', async () => {
    const { page, clusterId, open, apply, inspect, problems } = console();
    const container = { name: 'nginx', image: 'nginx', ports: [{ name: 'http', containerPort: 80 }] };
    const metadata = { name: 'site', labels: { app: 'site' } };
    await apply({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [container] } });
    const ports = [{ name: 'http', port: 8080, targetPort: 'http' }];
    await apply({ apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: metadata.labels, ports } });
    await open(`/c/${clusterId}/objects/pods/default/site`);
    await page.getByText('Ports, resources, environment, mounts, probes').click();
    await page.getByRole('definition').filter({ hasText: 'http 80/TCP' }).waitFor();
    await page.getByRole('cell', { name: 'running' }).waitFor();
    expect(await inspect('object-ports')).toEqual([]);
    await open(`/c/${clusterId}/objects/services/default/site`);
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Open http 8080/TCP in the browser' }).click();
    const site = await opened;
    await site.getByText('Welcome to nginx!').first().waitFor();
    expect(new URL(site.url()).hostname).toBe(`8080.site.default.svc.${clusterId}.clusters.localhost`);
    expect(await site.evaluate(() => [window.opener, location.search, document.cookie])).toEqual([null, '', '']);
    await site.close();
    expect(problems).toEqual([]);
  });

  test('what is selected is deleted, or one row by its menu, after a question', async () => {
    const { page, clusterId, open, apply, inspect } = console();
    for (const name of ['old', 'older'])
      await apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: {} });
    await open(`/c/${clusterId}/objects/configmaps?ns=default&q=old`);
    await page.getByRole('gridcell', { name: 'older', exact: true }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu', { name: 'Actions on older' }).waitFor();
    expect(await inspect('objects-menu')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.grid:focus').waitFor();
    await page.getByRole('button', { name: 'Actions on older' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 of 2 objects').waitFor();
    await page.getByRole('checkbox', { name: 'Select old' }).check();
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(await inspect('objects-delete')).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing here.').waitFor();
  });

  test('logs of two containers are one, searched, and shown as text', async () => {
    const { page, clusterId, open, apply, inspect, problems } = console();
    const say = (text: string) => ['sh', '-c', `sleep 1; echo "${text} <b>bold</b>"; sleep 100000`];
    await apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'talks' },
      spec: {
        containers: [
          { ...container, name: 'a', command: say('hello') },
          { ...container, name: 'b', command: say('goodbye') },
        ],
      },
    });
    await open(`/c/${clusterId}/objects/pods/default/talks`);
    await page.getByRole('cell', { name: 'running' }).first().waitFor();
    await open(`/c/${clusterId}/logs?pods=default/talks`);
    await page.getByText('goodbye <b>bold</b>').waitFor();
    await page.getByText('hello <b>bold</b>').waitFor();
    await page.getByRole('searchbox', { name: 'Search the lines' }).fill('^good.*');
    await page.getByText('1 line matches').waitFor();
    expect(await inspect('logs')).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a shell runs in a container, and says when it has ended', async () => {
    const { page, clusterId, open, inspect, problems } = console();
    await open(`/c/${clusterId}/terminal?open=default/talks/a`);
    await page.getByRole('tab', { name: 'default/talks/a' }).waitFor();
    await page.locator('.session-state').waitFor({ state: 'detached' });
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('echo from-$((1+1))\n');
    await page.locator('.xterm-rows', { hasText: 'from-2' }).waitFor();
    expect(await inspect('terminal')).toEqual([]);
    await page.getByLabel('Open a terminal …').selectOption('node/control-plane');
    const tab = page.getByRole('tab', { name: 'node/control-plane' });
    await tab.waitFor();
    expect(await page.getByRole('tabpanel', { name: 'node/control-plane' }).isVisible()).toBe(true);
    await tab.focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('tabpanel', { name: 'default/talks/a' }).waitFor();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('default/talks/a');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => navigator.clipboard.writeText('echo pasted-$((2+2))'));
    const shell = page.getByRole('tabpanel', { name: 'default/talks/a' });
    await shell.locator('.xterm-helper-textarea').focus();
    await page.keyboard.press('Control+Shift+V');
    await page.keyboard.press('Enter');
    await shell.locator('.xterm-rows', { hasText: 'pasted-4' }).waitFor();
    await page.keyboard.type('exit 3\n');
    await page.getByText('The shell has ended with code 3.').waitFor();
    expect(problems).toEqual([]);
  });
});
