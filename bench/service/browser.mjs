// Chromium with the console of a service in it, signed in; and what its frames are like.
import { spawnSync } from 'node:child_process';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

/** Resolves with `{ page, close }`; rejects where there is no browser. */
export async function openConsole(client, { url, port }) {
  const executablePath = NAMES.map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim()).find(
    Boolean,
  );
  if (!executablePath) throw new Error('chromium is not installed');
  const browser = await chromium.launch({ executablePath, args: ARGS });
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const base = url ?? `http://127.0.0.1:${port}`;
  const { link } = await client.json('POST', '/v1/session/links');
  await page.goto(`${base}/#sign-in=${link}`);
  await page.locator('.shell').waitFor();
  return { page, base, close: () => browser.close() };
}

/** Begins to record frames: the function that it returns ends it, and gives ms: `{ median, p99, worst, tasks }`. */
export async function recordFrames(page) {
  await page.evaluate(() => {
    const frames = { gaps: [], tasks: [], last: performance.now(), isOn: true };
    Object.assign(globalThis, { benchFrames: frames });
    frames.observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) frames.tasks.push(duration);
    });
    frames.observer.observe({ type: 'longtask' });
    const tick = (now) => {
      frames.gaps.push(now - frames.last);
      frames.last = now;
      if (frames.isOn) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  return async () => {
    const { gaps, tasks } = await page.evaluate(() => {
      const frames = globalThis.benchFrames;
      frames.isOn = false;
      frames.observer.disconnect();
      return { gaps: frames.gaps.slice(1), tasks: frames.tasks };
    });
    gaps.sort((a, b) => a - b);
    const at = (q) => gaps[Math.min(gaps.length - 1, Math.floor(q * gaps.length))] ?? Number.NaN;
    return { count: gaps.length, median: at(0.5), p99: at(0.99), worst: at(1), tasks };
  };
}
