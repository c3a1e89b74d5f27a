import { spawnSync } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { createKey, startTestApi, type TestApi } from '../../apps/api/testing.js';

const START_MS = 60_000;
const PATIENCE_MS = 20_000;
/** Debian's and Ubuntu's names, and Google's own. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const executablePath = NAMES.map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim()).find(
  Boolean,
);

interface Terrarium {
  readonly url: string;
  readonly key: string;
  readonly clusterId: string;
}
type ServePage = (terrarium: () => Terrarium) => Promise<Server>;

const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Skipped without a browser; CI installs Debian's (.ci/run). */
(executablePath ? describe : describe.skip)('the page, in Chromium', () => {
  let service: TestApi;
  let browser: Browser;
  let page: Page;
  let allowed: Server;
  let other: Server;
  let terrarium: Terrarium;
  /** What the page has sent, with its headers. */
  const sent: string[] = [];

  const call = async (method: string, url: string, body: object): Promise<{ id: string }> => {
    const headers = { authorization: `Bearer ${terrarium.key}`, 'content-type': 'application/json' };
    const response = await fetch(service.api.url + url, { method, headers, body: JSON.stringify(body) });
    expect(response.status).toBe(201);
    return (await response.json()) as { id: string };
  };
  const create = (name: string): Promise<unknown> =>
    call('POST', `/clusters/${terrarium.clusterId}/api/v1/namespaces/default/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] },
    });

  beforeAll(async () => {
    const { servePage } = (await import(path.resolve('examples/browser/serve.mjs'))) as { servePage: ServePage };
    [allowed, other] = [await servePage(() => terrarium), await servePage(() => terrarium)];
    service = await startTestApi({ CORS_ORIGINS: originOf(allowed) });
    terrarium = { url: service.api.url, key: await createKey(service, 'alice'), clusterId: '' };
    const { id: clusterId } = await call('POST', '/v1/clusters', { name: 'page', nodes: 1 });
    terrarium = { ...terrarium, clusterId };
    // Chromium's own sandbox needs more than a container's root has.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    page = await browser.newPage();
    await page.addInitScript(() => {
      const sockets: WebSocket[] = [];
      class Recorded extends WebSocket {
        constructor(...args: ConstructorParameters<typeof WebSocket>) {
          super(...args);
          sockets.push(this);
        }
      }
      Object.assign(globalThis, { sockets, WebSocket: Recorded });
    });
    page.on('request', (request) => sent.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    await page.goto(originOf(allowed));
  }, START_MS);

  afterAll(async () => {
    await browser?.close();
    for (const server of [allowed, other]) {
      server?.closeAllConnections();
      server?.close();
    }
    await service?.close();
  }, START_MS);

  const text = (selector: string, of = page): Promise<string> => of.locator(selector).innerText();
  const waitFor = (selector: string, words: string, of = page): Promise<void> =>
    of.locator(selector, { hasText: words }).first().waitFor({ timeout: PATIENCE_MS });

  test(
    'lists what there is, and is connected by both kinds of WebSocket',
    async () => {
      await waitFor('#pods', 'kube-apiserver-control-plane');
      await waitFor('#watch', 'live');
      await waitFor('#subscription', 'live');
    },
    START_MS,
  );

  test(
    'sees what happens: by the watch, and by the subscription with who did it',
    async () => {
      await create('seen');
      await waitFor('#pods tr', 'seen');
      await waitFor('#changes li', 'ADDED pods default/seen by kubernetes-admin');
      expect(await text('#pods')).toMatch(/default\s+seen\s+Pending/);
    },
    START_MS,
  );

  test(
    'comes back with another token when its connections end and its token is revoked, and misses nothing',
    async () => {
      const headers = { authorization: `Bearer ${terrarium.key}` };
      const url = `${service.api.url}/v1/clusters/${terrarium.clusterId}/tokens`;
      const { items } = (await (await fetch(url, { headers })).json()) as { items: { id: string }[] };
      expect(items.length).toBeGreaterThan(0);
      for (const { id } of items) expect((await fetch(`${url}/${id}`, { method: 'DELETE', headers })).status).toBe(204);
      await page.evaluate(() => {
        for (const socket of (globalThis as unknown as { sockets: WebSocket[] }).sockets.splice(0)) socket.close();
      });
      await waitFor('#watch', 'ended');
      await create('meanwhile');
      await waitFor('#pods tr', 'meanwhile');
      await waitFor('#changes li', 'ADDED pods default/meanwhile');
    },
    START_MS,
  );

  test('its token reads this cluster, and writes nothing', async () => {
    const statuses = await page.evaluate(async () => {
      const session = (await (await fetch('/session', { method: 'POST' })).json()) as Terrarium & { token: string };
      const headers = { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' };
      const namespaces = `${session.url}/clusters/${session.clusterId}/api/v1/namespaces`;
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' } });
      const read = await fetch(namespaces, { headers });
      const written = await fetch(namespaces, { method: 'POST', headers, body });
      return [read.status, written.status];
    });
    expect(statuses).toEqual([200, 403]);
  });

  test('no key reaches the browser', () => {
    expect(sent.some((request) => request.includes('Bearer tc_') || request.includes('bearer'))).toBe(true);
    expect(sent.filter((request) => request.includes(terrarium.key))).toEqual([]);
  });

  test(
    'pages of another origin are refused',
    async () => {
      const stranger = await browser.newPage();
      await stranger.goto(originOf(other));
      await waitFor('#watch', 'failed: Failed to fetch', stranger);
      await waitFor('#subscription', 'ended', stranger);
      expect(await text('#pods', stranger)).toBe('');
      expect(await text('#changes', stranger)).toBe('');
      await stranger.close();
    },
    START_MS,
  );
});
