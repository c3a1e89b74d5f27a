import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeConsole, LONG_MS } from './testing/console.js';

/**
 * A page's line to the service: its WebSocket is refused until it is mended. One that is cut swallows what is sent,
 * as a network does that is gone; Chromium's own emulation leaves WebSockets alone that are open.
 */
async function holdLine(page: Page): Promise<{ cut(): Promise<void>; mend(): Promise<void> }> {
  let isCut = true;
  await page.routeWebSocket(/\/graphql$/, (socket) => {
    if (isCut) return void socket.close({ code: 1013 });
    const server = socket.connectToServer();
    socket.onMessage((message) => isCut || server.send(message));
    server.onMessage((message) => isCut || socket.send(message));
  });
  const become = async (cut: boolean): Promise<void> => {
    isCut = cut;
    await page.context().setOffline(cut);
  };
  return { cut: () => become(true), mend: () => become(false) };
}

describeConsole('the console, in Chromium', (opened) => {
  test(
    'a link signs one browser in, once, and no script sees the session',
    async () => {
      const { service, newPage } = opened();
      const { link } = await service.call<{ link: string }>('POST', '/v1/session/links');
      const first = await newPage({}, false);
      await first.goto(`${service.url}/#sign-in=${link}`);
      await first.getByRole('heading', { name: 'Clusters' }).waitFor();
      expect(first.url()).toBe(`${service.url}/`);
      expect(await first.evaluate(() => document.cookie)).toBe('');
      const second = await newPage({}, false);
      await second.goto(`${service.url}/#sign-in=${link}`);
      await second.getByLabel('Key').waitFor();
      await first.context().close();
      await second.context().close();
    },
    LONG_MS,
  );

  test(
    'a key is exchanged and kept nowhere; a wrong one is told so; signing out ends the session',
    async () => {
      const { service, newPage, inspect } = opened();
      const page = await newPage({}, false);
      await page.goto(service.url);
      await page.getByLabel('Key').fill('tk_wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('This key is not valid.').waitFor();
      expect(await inspect('sign-in', page)).toEqual([]);
      await page.getByLabel('Key').fill(service.apiKey);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Clusters' }).waitFor();
      expect(
        await page.evaluate(() =>
          JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.body.outerHTML]),
        ),
      ).not.toContain(service.apiKey);
      const [cookie] = await page.context().cookies();
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
      await page.getByRole('button', { name: /admin|manage/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByLabel('Key').waitFor();
      const stale = await fetch(`${service.url}/v1/session`, { headers: { authorization: `Bearer ${cookie!.value}` } });
      expect(stale.status).toBe(401);
      await page.context().close();
    },
    LONG_MS,
  );

  test(
    'the list is live: what anybody makes, pauses and deletes shows without a reload',
    async () => {
      const { service, page, open } = opened();
      await open('/');
      await page.getByRole('row', { name: /terrarium/ }).waitFor();
      const { id } = await service.call<{ id: string }>('POST', '/v1/clusters', { name: 'seen-live' });
      const row = page.getByRole('row', { name: /seen-live/ });
      await row.getByText('Running').waitFor();
      await service.call('POST', `/v1/clusters/${id}/pause`);
      await row.getByText('Paused').waitFor();
      await service.call('DELETE', `/v1/clusters/${id}`).catch(() => undefined);
      await row.waitFor({ state: 'detached' });
    },
    LONG_MS,
  );

  test(
    'a connection that is lost, or was never there, is told, and comes back by itself; nothing is missed, also no view',
    async () => {
      const { service, newPage } = opened();
      const page = await newPage();
      const line = await holdLine(page);
      await page.reload();
      await page.getByText(/The connection is gone/).waitFor();
      await line.mend();
      const row = page.getByRole('row', { name: /terrarium/ });
      await row.waitFor();
      await line.cut();
      await row.getByRole('link').click();
      await page.getByText(/The connection is gone/).waitFor();
      await service.call('POST', '/v1/clusters', { name: 'meanwhile' });
      await line.mend();
      await page.getByRole('heading', { name: 'terrarium' }).waitFor();
      await page.goBack();
      await page.getByRole('row', { name: /meanwhile/ }).waitFor();
      await page.context().close();
    },
    LONG_MS,
  );

  test(
    'a link to the longest view is at most 350 KB, its scripts come with the page, and no schema before one writes',
    async () => {
      const { service, clusterId, newPage } = opened();
      const page = await newPage();
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      await session.send('Network.setCacheDisabled', { cacheDisabled: true });
      const asked: string[] = [];
      let bytes = 0;
      session.on('Network.requestWillBeSent', ({ request }) => asked.push(new URL(request.url).pathname));
      session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
      await page.goto(`${service.url}/c/${clusterId}/objects/configmaps/default/kube-root-ca.crt?tab=yaml`);
      await page.locator('.cm-line').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(bytes).toBeLessThanOrEqual(350 * 1_024);
      const named = await page.locator('link[rel=modulepreload]').evaluateAll((all) => all.map((a) => a.outerHTML));
      expect(named.join()).toMatch(/Details.*Yaml|Yaml.*Details/s);
      expect(asked.some((path) => path.includes('/openapi/'))).toBe(false);
      const schema = page.waitForResponse(/\/openapi\/v3\/api\/v1/);
      await page.locator('.cm-content').click();
      await schema;
      await page.context().close();
    },
    LONG_MS,
  );

  test(
    'the operator sees tenants, what they use, and the load',
    async () => {
      const { service, newPage, inspect } = opened();
      const page = await newPage({}, false);
      await page.goto(service.url);
      await page.getByLabel('Key').fill(service.operatorKey);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Tenants' }).waitFor();
      await page.getByRole('img', { name: /^CPU of the API: [\d.]+ %$/ }).waitFor();
      await page.getByRole('img', { name: /^Clusters in memory: [1-9]/ }).waitFor();
      expect(await inspect('operator', page)).toEqual([]);
      await page.context().close();
    },
    LONG_MS,
  );

  test('nothing has failed, and the policy has refused nothing', () => expect(opened().problems).toEqual([]));
});
