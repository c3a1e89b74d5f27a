import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeConsole, LONG_MS } from '../../../testing/console.js';

const HOSTILE = '<img src=x onerror="document.title=1">';
const LAB = `
apiVersion: terrarium.dev/v1alpha1
kind: Lab
metadata: {name: colours}
spec:
  title: Colours ${HOSTILE}
  cluster: {nodes: 1, speed: instant}
  ready: {settle: 0s}
  checks:
    - {name: kept, spec: {points: 2, now: "configmaps.exists(c, c.metadata.name == 'blue')"}}
  steps:
    - title: Blue
      text: |
        Make a ConfigMap, **blue**. ${HOSTILE}

        [bad](javascript:alert(1)) [good](https://kubernetes.io) ![a picture](https://example.com/x.png)

        \`\`\`
        kubectl create configmap blue
        \`\`\`
      foreground: echo typed-$((1+1))
      checks: [kept]
      hints: ["Use *kubectl create*."]
    - title: Red
      verify: kubectl get configmap red -o name
`;

describeConsole('labs, in Chromium', (opened) => {
  const card = (page: Page, name: string) => page.locator('.wall > li', { hasText: name });

  test(
    'a lab is taken by a form, and started for a class',
    async () => {
      const { page, open, inspect } = opened();
      await open('/labs');
      await page.getByRole('button', { name: 'Your first pod' }).waitFor();
      expect(await inspect('labs-none')).toEqual([]);
      await page.getByRole('button', { name: 'New lab' }).click();
      await page.getByRole('dialog').getByLabel('Text').fill(LAB);
      await page.getByRole('button', { name: 'Prepare' }).click();
      await page.getByRole('link', { name: /Colours/ }).waitFor();
      expect(await inspect('labs')).toEqual([]);
      await page.getByRole('button', { name: 'Start for learners' }).click();
      await page.getByLabel('Names of learners').fill('Ada');
      await page.getByText(/Up to 200 different names/).waitFor();
      await page.getByLabel('Names of learners').fill('ada, bert');
      expect(await inspect('labs-start')).toEqual([]);
      await page.getByRole('button', { name: 'Start 2' }).click();
      await page.getByText('2 learners').waitFor();
      await card(page, 'bert').getByText('Step 1 of 2').waitFor();
      expect(await inspect('wall')).toEqual([]);
    },
    LONG_MS,
  );

  test(
    'a learner goes through it beside a terminal; the wall tells it, and a window of who looks on does so, too',
    async () => {
      const { service, page, open, inspect } = opened();
      await open('/labs/colours');
      await card(page, 'ada').getByRole('link', { name: 'Help' }).click();
      await page.getByRole('heading', { name: 'Blue' }).waitFor();
      const text = page.locator('.lab-step .markdown').first();
      expect(await text.locator('strong').textContent()).toBe('blue');
      expect([await text.locator('img').count(), await text.getByText(HOSTILE).count()]).toEqual([0, 1]);
      expect(await text.getByText('bad', { exact: true }).getAttribute('href')).toBeNull();
      expect(await text.getByRole('link', { name: 'good' }).getAttribute('href')).toBe('https://kubernetes.io');
      await page.getByText('A hint').click();
      await page.getByText('kubectl create', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Begin this step' }).click();
      await page.locator('.xterm-rows', { hasText: 'typed-2' }).waitFor();
      expect(await inspect('lab')).toEqual([]);
      const clusterId = new URL(page.url()).pathname.split('/')[2]!;
      await page.goto(`${service.url}/labs/colours`);
      const [looking] = await Promise.all([
        page.waitForEvent('popup'),
        card(page, 'ada').getByRole('button', { name: 'Look' }).click(),
      ]);
      await looking.getByText('You look on.').waitFor();
      expect(looking.url()).not.toContain('token');
      await service.call('POST', `/clusters/${clusterId}/api/v1/namespaces/default/configmaps`, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'blue' },
      });
      await looking.getByText('1 of 2 steps done · 2 of 2 points').waitFor();
      await card(page, 'ada').getByText('Step 2 of 2 · 2 of 2 points').waitFor();
      await looking.close();
      await open(`/c/${clusterId}/lab?step=step-2`);
      await page.getByRole('button', { name: 'Check it' }).click();
      await page.getByText(/configmaps "red" not found/).waitFor();
      await open(`/c/${clusterId}/session`);
      const wrote = page.getByRole('button', { name: /wrote/ }).first();
      await wrote.click();
      await page.getByText('You see the past').waitFor();
      const time = (await wrote.locator('time').textContent())!;
      await page.locator('.time-bar output', { hasText: time }).waitFor();
      expect(await inspect('session')).toEqual([]);
      await page.getByLabel('Speed', { exact: true }).selectOption('100');
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.locator('.session-acts > li:last-child > [aria-current]').waitFor();
      expect(await page.title()).not.toBe('1');
    },
    LONG_MS,
  );

  test(
    'a cluster is made from a lab by the form of new clusters',
    async () => {
      const { page, open } = opened();
      await open('/');
      await page.getByRole('button', { name: 'New cluster' }).click();
      await page.getByLabel('Made from').selectOption('colours');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.getByRole('heading', { name: 'Blue' }).waitFor();
    },
    LONG_MS,
  );

  test('nothing has failed, and the policy has refused nothing', () => expect(opened().problems).toEqual([]));
});
