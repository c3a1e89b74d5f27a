import { expect, test } from '@jest/globals';
import { describeConsole } from '../../../testing/console.js';

const LONG_MS = 60_000;
const HOSTILE = '<img src=x onerror=alert(1)>\u001b[31m\u202e';

const pod = (name: string, container: object): object => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: name } } },
  spec: { containers: [{ name: 'c', ...container }] },
});
const LOOP = ['sh', '-c', 'while true; do wget -q -T 2 -O /dev/null http://web; sleep 1; done'];
/** A server whose policy lets one of its two clients in. */
const TRAFFIC = [
  pod('web', { image: 'nginx' }),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  },
  {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'friends-only' } },
    spec: {
      podSelector: { matchLabels: { app: 'web' } },
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'friend' } } }], ports: [{ port: 80 }] }],
    },
  },
  pod('friend', { image: 'busybox', command: LOOP }),
  pod('stranger', { image: 'busybox', command: LOOP }),
];

describeConsole('picture, lanes, start, compare and time, in Chromium', (opened) => {
  const bar = () => opened().page.locator('.time-bar');

  test(
    'the list goes by the keyboard, a packet is traced, and the panel leads to the object',
    async () => {
      const { page, open, apply, inspect, clusterId } = opened();
      await apply({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'caller', annotations: { a: HOSTILE } },
        spec: { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'sleep 100000'] }] },
      });
      await open(`/c/${clusterId}/picture?mode=traffic&list=open`);
      await page.getByRole('treeitem', { name: /Namespace default/ }).waitFor();
      await page.getByRole('tree').focus();
      for (const key of ['Home', 'ArrowRight', 'End', 'Home']) await page.keyboard.press(key);
      await page.getByRole('heading', { name: 'Namespace default' }).waitFor();
      expect(await inspect('picture')).toEqual([]);
      await page
        .getByRole('treeitem', { name: /No Service/ })
        .first()
        .click();
      await page.getByRole('treeitem', { name: /caller/ }).click();
      await page.getByLabel('To', { exact: true }).fill('service/default/kubernetes');
      await page.getByLabel('Port').fill('443');
      await page.getByRole('button', { name: 'Trace' }).click();
      await page.locator('.verdict').waitFor();
      expect(await page.locator('img').count()).toBe(0);
      await page.getByRole('link', { name: 'The object' }).click();
      await page.getByRole('heading', { name: 'caller' }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/c/${clusterId}/objects/pods/default/caller`);
    },
    LONG_MS,
  );

  test(
    'flows between pods are seen with their verdicts, and so is the policy that refuses one',
    async () => {
      const { page, open, apply, inspect, clusterId } = opened();
      for (const manifest of TRAFFIC) await apply(manifest);
      await open(`/c/${clusterId}/picture?mode=traffic&list=open`);
      const flows = page.locator('.picture-flows li');
      await flows.filter({ hasText: /friend.*web.*Delivered/s }).waitFor({ timeout: LONG_MS });
      const refused = flows.filter({ hasText: /stranger.*web.*Dropped/s }).first();
      await refused.waitFor({ timeout: LONG_MS });
      expect(await refused.textContent()).toContain('NetworkPolicy default/friends-only');
      await page.getByRole('treeitem', { name: /Namespace default/ }).click();
      await page.getByRole('treeitem', { name: /NetworkPolicy friends-only/ }).click();
      await page.locator('.picture-panel dd', { hasText: 'pods app=friend : 80/TCP' }).waitFor();
      expect(await page.locator('.picture-panel dd', { hasText: 'stranger' }).count()).toBe(0);
      expect(await inspect('traffic')).toEqual([]);
      await refused.getByRole('button', { name: 'stranger' }).click();
      await page.getByLabel('To', { exact: true }).fill('service/default/web');
      await page.getByLabel('Port').fill('80');
      await page.getByRole('button', { name: 'Trace' }).click();
      await page.locator('.verdict', { hasText: 'Dropped' }).waitFor();
      await page.locator('.hops li', { hasText: 'friends-only' }).first().waitFor();
    },
    2 * LONG_MS,
  );

  test(
    'time goes on by an advance that is followed to its end; a drag shows the past, which plays and compares',
    async () => {
      const { page, open, inspect, clusterId } = opened();
      await open(`/c/${clusterId}/picture`);
      await bar().getByRole('textbox').fill('5m');
      await bar().getByRole('button', { name: 'Advance' }).click();
      await bar().getByText('Time has gone on').waitFor();
      const box = (await bar().getByRole('slider').boundingBox())!;
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + box.width - 6, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.95, y, { steps: 5 });
      await page.mouse.up();
      await page.waitForURL(/[?&]at=/);
      const before = page.url();
      await bar().getByRole('button', { name: 'Play the past' }).click();
      await page.waitForURL((url) => url.href !== before);
      await bar().getByRole('button', { name: 'Stop playing' }).click();
      await bar().getByRole('link', { name: 'Compare with now' }).click();
      await page.locator('summary', { hasText: 'advances.terrarium.dev' }).waitFor();
      expect(await inspect('compare')).toEqual([]);
    },
    LONG_MS,
  );

  test(
    'a loop runs one step at a time, and a start is told step by step',
    async () => {
      const { page, open, inspect, clusterId } = opened();
      await open(`/c/${clusterId}/start/default/caller`);
      await page.locator('svg.sequence').waitFor();
      expect(await inspect('start')).toEqual([]);
      await open(`/c/${clusterId}/lanes`);
      const step = page.locator('.lanes-step');
      await step.getByRole('button', { name: 'Pause the cluster' }).click();
      await step.locator('.button.main').click();
      await step.locator('.lanes-ran li').first().waitFor();
      expect(await inspect('lanes')).toEqual([]);
    },
    LONG_MS,
  );

  test(
    'the past: why, a start, and what the loops had written',
    async () => {
      const { page, open, service, clusterId } = opened();
      const path = `/clusters/${clusterId}/api/v1/namespaces/default/pods/caller`;
      const { metadata } = await service.call<{ metadata: { uid: string } }>('GET', path);
      await open(`/c/${clusterId}/picture?at=-1m&selected=${metadata.uid}`);
      await page.getByRole('heading', { name: 'Why was it so?' }).waitFor();
      await page.locator('.picture-why p').first().waitFor();
      await open(`/c/${clusterId}/start/default/caller?at=-1m`);
      await page.locator('svg.sequence').waitFor();
      await open(`/c/${clusterId}/lanes?at=-1m`);
      await page.getByRole('rowheader', { name: 'kubelet' }).waitFor();
    },
    LONG_MS,
  );

  test('nothing has failed, and the policy has refused nothing', () => expect(opened().problems).toEqual([]));
});
