import { expect, test } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { describeConsole, LONG_MS } from './testing/console.js';

/** The first rounds load code, and fill what is bounded. */
const WARM_ROUNDS = 2;
const ROUNDS = 3;
/** A view is left after so long: most have shown what they have, and some are left while they wait. */
const LOOK_MS = 200;
const SETTLE_MS = 1_000;
/** Of a page that has one view only. */
const SHORT_SETTLE_MS = 300;
/**
 * What a round may leave behind: a view has hundreds of nodes, and thousands of objects. Bytes would say less: code
 * that is compiled anew counts as those.
 */
const MOST = { nodes: 60, listeners: 12, objects: 1_000 };

const VIEWS = [
  ...['overview', 'objects/pods', 'objects/deployments.apps/default/web', 'objects/nodes', 'logs?pods=default/runs'],
  ...['objects/pods/default/runs?tab=yaml', 'objects/pods/default/runs?tab=history', 'picture', 'lanes'],
  ...['picture?mode=traffic&list=open', 'picture?mode=ownership', 'terminal?open=default/runs/c'],
  ...['start/default/runs', 'compare?from=-1m'],
];

const OPERATORS = ['/nowhere', '/operator'];
const LAB = {
  ...{ apiVersion: 'terrarium.dev/v1alpha1', kind: 'Lab', metadata: { name: 'leaks' } },
  spec: {
    ...{ title: 'Leaks', cluster: { nodes: 1, speed: 'instant' }, ready: { settle: '0s' } },
    checks: [{ name: 'kept', spec: { now: "configmaps.exists(c, c.metadata.name == 'blue')" } }],
    steps: [{ title: 'Blue', text: 'Make a **ConfigMap**.', checks: ['kept'] }],
  },
};

/** Goes where a link of the page leads, without loading it anew. */
const go = (page: Page, to: string): Promise<void> =>
  page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, to);

interface Held {
  readonly nodes: number;
  readonly listeners: number;
  readonly objects: number;
}

async function heldBy(session: CDPSession): Promise<Held> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find((one) => one.name === name)!.value;
  return { nodes: of('Nodes'), listeners: of('JSEventListeners'), objects: await countObjects(session) };
}

/** Objects that live: asking for them collects the others. */
async function countObjects(session: CDPSession): Promise<number> {
  const group = { objectGroup: 'counted' };
  const { result } = await session.send('Runtime.evaluate', { expression: 'Object.prototype', ...group });
  const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId: result.objectId!, ...group });
  const counted = await session.send('Runtime.callFunctionOn', {
    ...{ functionDeclaration: 'function () { return this.length; }', objectId: objects.objectId!, returnByValue: true },
  });
  await session.send('Runtime.releaseObjectGroup', group);
  return counted.result.value as number;
}

/** Ids of the operations that run on the page's WebSocket. */
function followOperations(page: Page): Set<string> {
  const running = new Set<string>();
  const parse = (text: string | Buffer) => JSON.parse(String(text)) as { id?: string; type?: string };
  page.on('websocket', (socket) => {
    if (!socket.url().endsWith('/graphql')) return;
    socket.on('framesent', ({ payload }) => {
      const { id, type } = parse(payload);
      if (type === 'subscribe') running.add(id!);
      if (type === 'complete') running.delete(id!);
    });
    socket.on('framereceived', ({ payload }) => {
      const { id, type } = parse(payload);
      if (type === 'complete' || type === 'error') running.delete(id!);
    });
  });
  return running;
}

/** What each of the last rounds has left behind, of what may be no more. */
async function grownBy(round: (turn: number) => Promise<Held & { running: number }>): Promise<object> {
  for (let turn = 1; turn < WARM_ROUNDS; turn++) await round(turn);
  const before = await round(WARM_ROUNDS);
  let after = before;
  for (let turn = 1; turn <= ROUNDS; turn++) after = await round(WARM_ROUNDS + turn);
  const grown = { running: after.running - before.running, ...{ nodes: 0, listeners: 0, objects: 0 } };
  for (const name of ['nodes', 'listeners', 'objects'] as const) {
    const perRound = (after[name] - before[name]) / ROUNDS;
    if (perRound > MOST[name]) grown[name] = perRound;
  }
  return grown;
}

const NOTHING = { running: 0, nodes: 0, listeners: 0, objects: 0 };

describeConsole('a page that is left open, in Chromium', (opened) => {
  test(
    'views that are opened and left, and a cluster that is busy, leave nothing behind',
    async () => {
      const { service, clusterId, apply, newPage } = opened();
      const container = { name: 'c', image: 'busybox', command: ['sh', '-c', 'while sleep 1; do echo a line; done'] };
      await apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'runs' }, spec: { containers: [container] } });
      const deploy = (turn: number): Promise<void> =>
        apply({
          ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
          spec: {
            replicas: 20,
            selector: { matchLabels: { app: 'web' } },
            template: {
              metadata: { labels: { app: 'web' } },
              spec: { containers: [{ name: 'c', image: `nginx:1.${20 + turn}` }] },
            },
          },
        });
      await deploy(0);
      await service.call('POST', '/v1/labs', LAB);
      const query = 'mutation { startLearners(lab: "leaks", names: ["ada"]) { clusterId } }';
      const { data } = await service.call<{ data: { startLearners: readonly { clusterId: string }[] } }>(
        ...(['POST', '/graphql', { query }] as const),
      );
      const learners = `/c/${data.startLearners[0]!.clusterId}`;
      const others = ['/labs', '/labs/leaks', `${learners}/lab`, `${learners}/session`, '/'];
      const page = await newPage();
      const running = followOperations(page);
      await page.goto(`${service.url}/c/${clusterId}/overview`);
      await page.locator('.tallies').waitFor();
      const session = await page.context().newCDPSession(page);
      await session.send('Performance.enable');
      const round = async (turn: number): Promise<Held & { running: number }> => {
        await deploy(turn);
        for (const view of VIEWS) {
          await go(page, `/c/${clusterId}/${view}`);
          await page.waitForTimeout(LOOK_MS);
        }
        for (const place of [...others, `/c/${clusterId}/overview`]) {
          await go(page, place);
          await page.waitForTimeout(LOOK_MS);
        }
        await page.locator('.tallies').waitFor();
        await page.waitForTimeout(SETTLE_MS);
        return { ...(await heldBy(session)), running: running.size };
      };
      expect(await grownBy(round)).toEqual(NOTHING);
      await page.context().close();
    },
    LONG_MS,
  );

  test(
    'nor does the operator’s view',
    async () => {
      const { service, newPage } = opened();
      const page = await newPage({}, false);
      const running = followOperations(page);
      await page.goto(service.url);
      await page.getByLabel('Key').fill(service.operatorKey);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Tenants' }).waitFor();
      const session = await page.context().newCDPSession(page);
      await session.send('Performance.enable');
      const round = async (): Promise<Held & { running: number }> => {
        for (const place of OPERATORS) {
          await go(page, place);
          await page.waitForTimeout(LOOK_MS);
        }
        await page.getByRole('heading', { name: 'Tenants' }).waitFor();
        await page.waitForTimeout(SHORT_SETTLE_MS);
        return { ...(await heldBy(session)), running: running.size };
      };
      expect(await grownBy(round)).toEqual(NOTHING);
      await page.context().close();
    },
    LONG_MS,
  );

  test('nothing has failed, and the policy has refused nothing', () => expect(opened().problems).toEqual([]));
});
