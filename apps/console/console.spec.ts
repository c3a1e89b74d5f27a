import { expect, test } from '@jest/globals';
import { describeConsole } from './testing/console.js';

const LONG_MS = 60_000;

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
    'a lost connection is told, comes back by itself, and misses nothing',
    async () => {
      const { service, newPage } = opened();
      const page = await newPage();
      await page.context().setOffline(true);
      await page.evaluate(() => dispatchEvent(new Event('offline')));
      await page.getByText(/The connection is gone/).waitFor({ timeout: 40_000 });
      await service.call('POST', '/v1/clusters', { name: 'meanwhile' });
      await page.context().setOffline(false);
      await page.getByRole('row', { name: /meanwhile/ }).waitFor();
      await page.context().close();
    },
    LONG_MS,
  );

  test('nothing has failed, and the policy has refused nothing', () => expect(opened().problems).toEqual([]));
});
