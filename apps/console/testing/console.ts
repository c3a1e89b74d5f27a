import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { startService, type Service } from '../../../libs/testkit/service.js';
import { deleteClusters } from '../../../libs/testkit/shared-service.js';

/** It builds what has changed since, too. */
const START_MS = 600_000;
const CLOSE_MS = 60_000;
/** A condition that a quiet machine meets in a tenth of a second; the machine may be busy. */
const PATIENCE_MS = 60_000;
/** For one test of a suite. */
export const LONG_MS = 240_000;
/** Debian's and Ubuntu's names, and Google's own. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const ARGS = [
  // Chromium's own sandbox needs more than a container's root has.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Kept after a run, for who wants to look. */
const SHOTS = path.resolve('coverage/console');
const THEMES = ['light', 'dark'] as const;

const executablePath = NAMES.map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim()).find(
  Boolean,
);

/** The console of a running service, in a browser that is signed in. */
export interface TestConsole {
  readonly service: Service;
  readonly browser: Browser;
  /** Signed in, with patience. */
  readonly page: Page;
  /** Of a cluster of two workers that is ready. */
  readonly clusterId: string;
  /** What has gone wrong in the page: uncaught errors, and what its policy has refused. */
  readonly problems: string[];
  /** Goes to a path such as `/c/<id>/overview`. */
  open(path: string): Promise<void>;
  /** Another browser context; signed in unless told otherwise. */
  newPage(options?: BrowserContextOptions, isSignedIn?: boolean): Promise<Page>;
  /** Applies YAML or an object by GraphQL, as the tenant. */
  apply(manifest: unknown): Promise<void>;
  /** Takes a screenshot in each theme, and gives what axe finds: one line a violation, [] when it is right. */
  inspect(name: string, page?: Page): Promise<string[]>;
}

/** What runs for the suites of one file; `suites`: how many have not ended. */
const shared: { suites: number; host?: Promise<Host> } = { suites: 0 };

/**
 * A suite against one running service and one browser, which the suites of a file share, with a cluster and a page of
 * its own; skipped where there is no browser.
 */
export function describeConsole(name: string, body: (console: () => TestConsole) => void): void {
  shared.suites++;
  (executablePath ? describe : describe.skip)(name, () => {
    let opened: TestConsole;
    beforeAll(async () => {
      opened = await openConsole(await (shared.host ??= startHost()));
    }, START_MS);
    afterAll(async () => {
      await opened?.page.context().close();
      if (--shared.suites === 0) return closeHost();
      if (opened) await deleteClusters(opened.service);
    }, CLOSE_MS);
    body(() => opened);
  });
}

interface Host {
  readonly service: Service;
  readonly browser: Browser;
}

const startHost = async (): Promise<Host> => ({
  service: await startService('embedded Postgres'),
  browser: await chromium.launch({ executablePath, args: ARGS }),
});

async function closeHost(): Promise<void> {
  const host = await shared.host;
  await host?.browser.close();
  await host?.service.close();
}

async function openConsole({ service, browser }: Host): Promise<TestConsole> {
  const { id: clusterId } = await service.call<{ id: string }>('POST', '/v1/clusters', {
    name: 'terrarium',
    speed: 'instant',
    labels: { made: 'by-a-test' },
  });
  const problems: string[] = [];
  const newPage = async (options: BrowserContextOptions = {}, isSignedIn = true): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && /Content.Security.Policy/i.test(message.text())) problems.push(message.text());
    });
    if (!isSignedIn) return page;
    const { link } = await service.call<{ link: string }>('POST', '/v1/session/links');
    await page.goto(`${service.url}/#sign-in=${link}`);
    await page.locator('.shell').waitFor();
    return page;
  };
  const page = await newPage();
  return {
    service,
    browser,
    page,
    clusterId,
    problems,
    newPage,
    open: async (to) => void (await page.goto(service.url + to)),
    apply: async (manifest) => {
      const query = 'mutation Apply($id: ID!, $manifest: JSON!) { apply(clusterId: $id, manifest: $manifest) }';
      const answer = await service.call<{ errors?: readonly { message: string }[] }>('POST', '/graphql', {
        query,
        variables: { id: clusterId, manifest },
      });
      if (answer.errors) throw new Error(answer.errors[0]!.message);
    },
    inspect: (shot, of = page) => inspect(of, shot),
  };
}

async function inspect(page: Page, name: string): Promise<string[]> {
  fs.mkdirSync(SHOTS, { recursive: true });
  const found: string[] = [];
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: path.join(SHOTS, `${name}-${colorScheme}.png`) });
    // The page is the same in another theme, but for its colours.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const { violations } = await (colorScheme === THEMES[0] ? axe : axe.withRules('color-contrast')).analyze();
    for (const { id, nodes } of violations)
      found.push(
        `${colorScheme} ${id}: ${nodes
          .map(({ target }) => target.join(' '))
          .slice(0, 3)
          .join(' | ')}`,
      );
  }
  return found;
}
