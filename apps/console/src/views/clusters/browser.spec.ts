import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeConsole, LONG_MS } from '../../../testing/console.js';

const HOSTILE = '<img src=x onerror=alert(1)>\u001b[31m\u202e';

/** Somebody's page, of an origin of its own, with the element of examples/embed. */
const host = http.createServer((request, response) => {
  if (request.url === '/terrarium-view.js')
    return void response
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end(fs.readFileSync('examples/embed/terrarium-view.js'));
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<!doctype html><title>A lesson</title><script type="module" src="/terrarium-view.js"></script>');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  process.env['EMBED_ORIGINS'] = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
afterAll(() => {
  host.closeAllConnections();
  host.close();
  delete process.env['EMBED_ORIGINS'];
});

describeConsole('clusters, in Chromium', (opened) => {
  test(
    'a form makes a cluster and shows it, in words and colours that all can read',
    async () => {
      const { page, open, inspect } = opened();
      await open('/');
      await page.getByRole('row', { name: /terrarium/ }).waitFor();
      expect(await inspect('clusters')).toEqual([]);
      await page.getByRole('button', { name: 'New cluster' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Not a name');
      await page.getByText(/beginning and ending/).waitFor();
      await page.getByRole('dialog').getByLabel('Name').fill('by-form');
      expect(await inspect('new-cluster')).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: 'by-form' }).waitFor();
      await page.locator('.live', { hasText: 'Live' }).waitFor();
      expect(await inspect('overview')).toEqual([]);
    },
    LONG_MS,
  );

  test(
    'many are made at once, found by their labels, chosen and deleted, and a link restores what was looked for',
    async () => {
      const { service, page, open } = opened();
      const items = [{ name: 'class', count: 3, nodes: 1, labels: { course: 'cka' } }];
      await service.call('POST', '/v1/clusters/batch', { items });
      await open('/?l=course%3Dcka');
      await page.getByRole('row', { name: /class-3/ }).waitFor();
      expect(await page.getByRole('row').count()).toBe(4);
      await page.getByLabel('Choose all').check();
      await page.getByRole('group', { name: '3 chosen' }).getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No cluster matches.').waitFor();
    },
    LONG_MS,
  );

  test(
    'the keyboard opens the palette, which leads everywhere',
    async () => {
      const { page, open, inspect } = opened();
      await open('/');
      await page.getByRole('row', { name: /terrarium/ }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Where to, or what to do?').fill('terrarium');
      expect(await inspect('palette')).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'terrarium' }).waitFor();
      await page.getByRole('link', { name: /^Nodes: / }).focus();
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Where to, or what to do?').fill('node worker-1');
      await page.getByRole('option', { name: 'Node worker-1' }).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('a:focus', { hasText: 'Nodes: ' }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
    },
    LONG_MS,
  );

  test(
    'what a cluster is full of shows as text',
    async () => {
      const { page, open, apply, clusterId } = opened();
      await open(`/c/${clusterId}/overview`);
      await page.locator('.live', { hasText: 'Live' }).waitFor();
      await page
        .getByText(/Nothing has changed|made|changed/)
        .first()
        .waitFor();
      await apply({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'markup', namespace: 'default', annotations: { a: HOSTILE } },
        data: { a: HOSTILE },
      });
      await page.getByText('default/markup').first().waitFor();
      expect(await page.locator('img').count()).toBe(0);
    },
    LONG_MS,
  );

  test(
    'a view stands in a page of another origin, tells of itself, and no other page may frame it',
    async () => {
      const { service, newPage, clusterId } = opened();
      const { token } = await service.call<{ token: string }>('POST', `/v1/clusters/${clusterId}/tokens`, {});
      const page = await newPage({ viewport: { width: 390, height: 700 } }, false);
      await page.goto(process.env['EMBED_ORIGINS']!);
      const ready = await page.evaluate(
        ([url, cluster, secret]) =>
          new Promise((resolve) => {
            const view = Object.assign(document.createElement('terrarium-view'), {
              style: 'display:block;height:600px',
            });
            view.addEventListener('ready', (event) => resolve((event as CustomEvent).detail));
            view.setAttribute('url', url!);
            view.setAttribute('cluster', cluster!);
            document.body.append(view);
            void customElements.whenDefined('terrarium-view').then(() => Object.assign(view, { token: secret }));
          }),
        [service.url, clusterId, token],
      );
      expect(ready).toEqual({ type: 'terrarium:ready', view: 'overview', cluster: clusterId });
      const frame = page.frameLocator('iframe');
      await frame.getByRole('heading', { name: 'terrarium' }).waitFor();
      await frame.getByRole('link', { name: /^Nodes: / }).click();
      await frame.getByRole('gridcell', { name: 'worker-1', exact: true }).waitFor();
      const policy = async (path: string): Promise<string> =>
        (await fetch(service.url + path)).headers.get('content-security-policy')!;
      expect(await policy('/embed/overview')).toContain(`frame-ancestors ${process.env['EMBED_ORIGINS']}`);
      expect(await policy('/')).toContain("frame-ancestors 'none'");
      await page.context().close();
    },
    LONG_MS,
  );

  test(
    'somebody new is two clicks away from knowing why a pod is Pending, in plain words and numbers',
    async () => {
      const { service, page, open, inspect } = opened();
      const { items } = await service.call<{ items: readonly { id: string }[] }>('GET', '/v1/clusters');
      for (const { id } of items) await service.call('DELETE', `/v1/clusters/${id}`);
      await open('/');
      await page.getByRole('heading', { name: 'No cluster yet' }).waitFor();
      expect(await inspect('first-page')).toEqual([]);
      const began = Date.now();
      await page.getByRole('button', { name: 'Make a cluster' }).click();
      await page.getByRole('button', { name: 'Make a pod that stays Pending' }).click();
      const told = page.locator('.ills > li', { hasText: 'default/too-large' });
      await told.getByText(/^No node can take this pod/).waitFor();
      await told.getByText(/^worker-1: .*cpu: it asks for 64, and .* of 4 are free/).waitFor();
      expect(Date.now() - began).toBeLessThan(120_000);
      await page.getByRole('button', { name: 'Use your own kubectl' }).click();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save the kubeconfig' }).click();
      expect((await saved).suggestedFilename()).toMatch(/^[a-z]+\.kubeconfig$/);
      expect(await inspect('kubeconfig')).toEqual([]);
      await page.keyboard.press('Escape');
      // Whoever works by the keyboard is where he was.
      await page.locator('button:focus', { hasText: 'Use your own kubectl' }).waitFor();
    },
    LONG_MS,
  );

  test('nothing has failed, and the policy has refused nothing', () => expect(opened().problems).toEqual([]));
});
