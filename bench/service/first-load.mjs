/* global document, PerformanceObserver -- of the page */
// How a link of the console begins in a browser that has never seen it: an empty cache, and the session's cookie alone.

/** After what is waited for has come, what else the page fetches by itself counts, too, when it begins in that time. */
const REST_MS = 1_000;
const TIMEOUT_MS = 20_000;

/**
 * Loads `url` in a context of its own; `isReady` is a selector of what a person came for. Resolves with ms from the
 * navigation's start until it is there, the longest task until then, bytes over HTTP as they were sent, and `requests`:
 * `{ url, startMs, endMs, bytes }` in their order.
 */
export async function firstLoad(browser, cookies, url, isReady, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  try {
    await context.addCookies(cookies);
    const page = await context.newPage();
    await page.addInitScript(() => {
      Object.assign(globalThis, { benchTasks: [] });
      new PerformanceObserver((list) => {
        for (const { startTime, duration } of list.getEntries())
          globalThis.benchTasks.push([Math.round(startTime), Math.round(duration)]);
      }).observe({ type: 'longtask', buffered: true });
    });
    const { requests, sockets } = await followRequests(context, page);
    await page.goto(url, { waitUntil: 'commit' });
    const found = await page.waitForFunction(
      (selector) => {
        const element = document.querySelector(selector);
        return element?.checkVisibility() ? performance.now() : 0;
      },
      isReady,
      { timeout: TIMEOUT_MS },
    );
    const ms = await found.jsonValue();
    await page.waitForTimeout(REST_MS);
    const tasks = await page.evaluate(() => globalThis.benchTasks);
    const all = [...requests.values()];
    const bytes = all.reduce((sum, request) => sum + request.bytes, 0);
    return { ms, tasks, longest: Math.max(0, ...tasks.map(([, duration]) => duration)), bytes, requests: all, sockets };
  } finally {
    await context.close();
  }
}

async function followRequests(context, page) {
  const session = await context.newCDPSession(page);
  const requests = new Map();
  const sockets = { begun: 0, frames: [] };
  let origin;
  const at = (timestamp) => Math.round((timestamp - origin) * 1_000);
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    origin ??= timestamp;
    requests.set(requestId, { url: request.url, method: request.method, startMs: at(timestamp), endMs: 0, bytes: 0 });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const request = requests.get(requestId);
    if (request) Object.assign(request, { endMs: at(timestamp), bytes: encodedDataLength });
  });
  for (const [event, way] of [
    ['Network.webSocketFrameSent', '>'],
    ['Network.webSocketFrameReceived', '<'],
  ])
    session.on(event, ({ timestamp, response }) =>
      sockets.frames.push([at(timestamp), way, response.payloadData.length, response.payloadData.slice(0, 140)]),
    );
  await session.send('Network.enable');
  return { requests, sockets };
}
