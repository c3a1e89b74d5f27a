import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { parse } from 'yaml';
import { describeConsole, LONG_MS } from './testing/console.js';

const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/** WCAG 2.5.8, in CSS pixels. */
const LEAST = 24;

const container = { name: 'c', image: 'busybox', command: ['sh', '-c', 'echo a line; sleep 100000'] };
/** What is long, and cannot be broken at a space. */
const LONG_NAME = 'alearnerwhosenamehasaboutfortycharacters';
const LONG_WORD = 'averylongwordwithoutanyspacethatisnotbrokenbyitselfanywhere';
const LAB = `
apiVersion: terrarium.dev/v1alpha1
kind: Lab
metadata: {name: colours}
spec:
  title: Colours
  cluster: {nodes: 1, speed: instant}
  ready: {settle: 0s}
  checks:
    - {name: kept, spec: {points: 2, now: "configmaps.exists(c, c.metadata.name == 'blue')"}}
  steps:
    - title: Blue ${LONG_WORD}
      text: |
        Make a ConfigMap, **blue**. ${LONG_WORD}

        | a | table | of | several | columns | ${LONG_WORD} |
        |---|---|---|---|---|---|
        | 1 | 2 | 3 | 4 | 5 | 6 |

        \`\`\`
        kubectl create configmap blue --from-literal=${LONG_WORD}=${LONG_WORD} --dry-run=client
        \`\`\`
      foreground: echo typed-$((1+1))
      checks: [kept]
      hints: ["Use *kubectl create*."]
    - title: Red
      verify: kubectl get configmap red -o name
`;
const OBJECTS = [
  { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'runs' }, spec: { containers: [container] } },
  {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'too-large' } },
    spec: { containers: [{ ...container, resources: { requests: { cpu: '400' } } }] },
  },
];

/** What is wider than the page, and what a finger would miss: one line each. */
const faultsOf = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const found: string[] = [];
    const places = 'html, main, main > *, .lab-text, .wall > li, .session-acts > li, .ills > li';
    for (const scroller of document.querySelectorAll<HTMLElement>(places))
      if (scroller.scrollWidth > scroller.clientWidth)
        found.push(
          `${scroller.tagName} ${scroller.className} scrolls: ${scroller.scrollWidth} in ${scroller.clientWidth}`,
        );
    const targets = 'button, a[href], input, select, summary, [role=listbox], [role=tab], [role=treeitem]';
    for (const element of document.querySelectorAll<HTMLElement>(targets)) {
      const { width, height } = element.getBoundingClientRect();
      const isSeen = width > 1 && element.checkVisibility({ visibilityProperty: true });
      if (isSeen && !element.matches('.skip') && (width < least || height < least))
        found.push(`${element.outerHTML.slice(0, 120)} is ${Math.round(width)} by ${Math.round(height)}`);
    }
    return found;
  }, LEAST);

describeConsole('the console on a phone', (opened) => {
  let page: Page;
  beforeAll(async () => {
    const { apply, newPage, clusterId, service } = opened();
    for (const one of OBJECTS) await apply(one);
    page = await newPage(PHONE);
    await page.goto(`${service.url}/c/${clusterId}/objects/pods/default/runs`);
    await page.getByRole('cell', { name: 'running' }).first().waitFor();
  }, LONG_MS);

  test.each<[string, string, (page: Page) => Promise<void>]>([
    ['clusters', '/', (at) => at.getByRole('row', { name: /terrarium/ }).waitFor()],
    ['labs', '/labs', (at) => at.getByRole('heading', { name: 'Labs' }).waitFor()],
    ['overview', '/c/ID/overview', (at) => at.locator('.time-bar').waitFor()],
    [
      'objects',
      '/c/ID/objects/pods?ns=default',
      (at) => at.getByRole('gridcell', { name: 'runs', exact: true }).waitFor(),
    ],
    [
      'why',
      '/c/ID/objects/pods/default/too-large',
      (at) =>
        at
          .getByText(/Insufficient cpu/)
          .first()
          .waitFor(),
    ],
    ['yaml', '/c/ID/objects/pods/default/runs?tab=yaml', (at) => at.locator('.cm-line').first().waitFor()],
    ['history', '/c/ID/objects/pods/default/runs?tab=history', (at) => at.locator('.timeline li').first().waitFor()],
    ['logs', '/c/ID/logs?pods=default/runs', (at) => at.getByText('a line').waitFor()],
    ['terminal', '/c/ID/terminal?open=default/runs/c', (at) => at.locator('.xterm-rows').waitFor()],
    ['picture', '/c/ID/picture', (at) => at.locator('.picture-legend').waitFor()],
    ['traffic', '/c/ID/picture?mode=traffic&list=open', (at) => at.getByRole('treeitem').first().waitFor()],
    ['storage', '/c/ID/picture?mode=storage', (at) => at.locator('.picture-legend').waitFor()],
    ['lanes', '/c/ID/lanes', (at) => at.locator('.lanes-step').waitFor()],
    ['start', '/c/ID/start/default/runs', (at) => at.locator('svg.sequence').waitFor()],
    ['compare', '/c/ID/compare?from=-1m', (at) => at.getByRole('heading', { name: 'Compare' }).waitFor()],
  ])(
    '%s has room, can be met by a finger, and axe finds nothing',
    async (name, path, ready) => {
      const { service, clusterId, inspect } = opened();
      await page.goto(service.url + path.replace('ID', clusterId));
      await ready(page);
      if (path.startsWith('/c/')) await page.locator('.time-bar').waitFor();
      expect(await faultsOf(page)).toEqual([]);
      expect(await inspect(`phone-${name}`, page)).toEqual([]);
    },
    LONG_MS,
  );

  test(
    'a kind is found, and the time is changed, by fingers',
    async () => {
      const { service, clusterId, inspect } = opened();
      await page.goto(`${service.url}/c/${clusterId}/objects`);
      await page.getByRole('searchbox', { name: 'Find a kind' }).tap();
      await page.getByRole('searchbox', { name: 'Find a kind' }).fill('node');
      await page.getByRole('button', { name: 'Node', exact: true }).tap();
      await page.getByRole('gridcell', { name: 'worker-1', exact: true }).waitFor();
      expect(await page.locator('.kinds-list').isVisible()).toBe(false);
      await page.getByRole('button', { name: 'More of the time' }).tap();
      await page.getByRole('button', { name: 'Pause the cluster' }).tap();
      await page.getByRole('button', { name: 'Let the cluster go on' }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
      expect(await inspect('phone-time', page)).toEqual([]);
      await page.getByRole('button', { name: 'Let the cluster go on' }).tap();
    },
    LONG_MS,
  );

  const check = async (name: string, at: Page): Promise<void> => {
    expect(await faultsOf(at)).toEqual([]);
    expect(await opened().inspect(`phone-${name}`, at)).toEqual([]);
  };

  test(
    'one signs in by a key, a wrong one is told so, and the operator has the own page',
    async () => {
      const { newPage, service } = opened();
      const own = await newPage(PHONE, false);
      await own.goto(service.url);
      await own.getByLabel('Key').fill('tk_wrong');
      await own.getByRole('button', { name: 'Sign in' }).tap();
      await own.getByText('This key is not valid.').waitFor();
      await check('sign-in', own);
      await own.getByLabel('Key').fill(service.operatorKey);
      await own.getByRole('button', { name: 'Sign in' }).tap();
      await own.getByRole('heading', { name: 'Tenants' }).waitFor();
      await own.getByRole('img', { name: /^CPU of the API: / }).waitFor();
      await check('operator', own);
      await own.context().close();
    },
    LONG_MS,
  );

  test(
    "a lab's steps, the teacher's wall and a session's replay",
    async () => {
      const { service } = opened();
      await service.call('PUT', '/v1/labs/colours', parse(LAB));
      const { items } = await service.call<{ items: { clusterId: string }[] }>('POST', '/v1/labs/colours/learners', {
        names: ['ada', LONG_NAME],
      });
      const cluster = items[0]!.clusterId;
      await page.goto(`${service.url}/labs/colours`);
      await page.locator('.wall > li', { hasText: 'ada' }).getByText('Step 1 of 2').waitFor();
      await check('wall', page);
      await page.goto(`${service.url}/c/${cluster}/lab`);
      await page.getByRole('heading', { name: /^Blue/ }).waitFor();
      // A terminal draws what is in sight; what is typed for the learner goes into a shell that is there.
      const terminal = page.locator('.lab-terminal');
      await terminal.scrollIntoViewIfNeeded();
      await page.locator('.xterm-rows', { hasText: 'root@' }).waitFor();
      await page.getByRole('button', { name: 'Begin this step' }).tap();
      await page.getByText('A hint').tap();
      await terminal.scrollIntoViewIfNeeded();
      await page.locator('.xterm-rows', { hasText: 'typed-2' }).waitFor();
      await check('lab', page);
      await page.goto(`${service.url}/c/${cluster}/lab?step=step-2`);
      await page.getByRole('button', { name: 'Check it' }).tap();
      await page.getByText(/configmaps "red" not found/).waitFor();
      await check('lab-failed', page);
      await page.goto(`${service.url}/c/${cluster}/session`);
      await page.locator('.session-acts > li button').first().tap();
      await page.getByText('You see the past').waitFor();
      await check('session', page);
    },
    LONG_MS,
  );

  test('nothing has failed, and the policy has refused nothing', () => expect(opened().problems).toEqual([]));
});
