// Chromium with the console of a service in it, signed in; and what its frames are like.
import { spawnSync } from 'node:child_process';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const MICROS = 1_000;
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

/**
 * Begins to record frames: the function that it returns ends it, and gives ms:
 * `{ count, median, p99, worst, tasks, own }`.
 * `own` is the processor's time of the longest task of the page's main thread: what the page itself does, whoever else
 * the machine works for; a frame's time has both.
 */
export async function recordFrames(page) {
  const endTrace = await traceTasks(page);
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
    const own = await endTrace();
    gaps.sort((a, b) => a - b);
    const at = (q) => gaps[Math.min(gaps.length - 1, Math.floor(q * gaps.length))] ?? Number.NaN;
    return { count: gaps.length, median: at(0.5), p99: at(0.99), worst: at(1), tasks, own };
  };
}

/** Chromium's own record of what each thread does: ms of the processor's time of the main thread's longest task. */
async function traceTasks(page) {
  const session = await page.context().newCDPSession(page);
  const threads = new Map();
  const longest = new Map();
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, ph, pid, tid, tdur, args } of value) {
      const thread = `${pid}/${tid}`;
      if (ph === 'M' && name === 'thread_name') threads.set(thread, args.name);
      if (tdur !== undefined) longest.set(thread, Math.max(longest.get(thread) ?? 0, tdur / MICROS));
    }
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { recordMode: 'recordContinuously', includedCategories: ['toplevel'], excludedCategories: ['*'] },
  });
  return async () => {
    const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await ended;
    await session.detach();
    const mains = [...threads]
      .filter(([, name]) => name === 'CrRendererMain')
      .map(([thread]) => longest.get(thread) ?? 0);
    return mains.length === 0 ? Number.NaN : Math.max(...mains);
  };
}
