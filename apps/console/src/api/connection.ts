import { createClient, type Client } from 'graphql-ws';
import { connectionParams } from './credentials.js';
import { createStore } from './store.js';

/** How the page's one WebSocket is: `since` in real ms. */
export interface Connection {
  readonly state: 'connecting' | 'open' | 'lost' | 'refused';
  readonly since: number;
}

export const connection = createStore<Connection>({ state: 'connecting', since: Date.now() });

/** A connection that does not answer a ping for so long is lost. */
const PING_MS = 15_000;
const PONG_MS = 10_000;
/** The same when the browser has said that something is wrong. */
const PROBE_MS = 4_000;
/** A connection that is not there by then is tried anew: a network that swallows everything never refuses it. */
const CONNECT_MS = 15_000;
const MAX_WAIT_MS = 5_000;
const FORBIDDEN = 4403;

let client: Client | undefined;
let socket: WebSocket | undefined;
let deadline: ReturnType<typeof setTimeout> | undefined;
let wakeUp: (() => void) | undefined;

const enter = (state: Connection['state']): void => {
  if (connection.get().state !== state) connection.set({ state, since: Date.now() });
};

/** The client. It connects at once, stays connected though nothing is asked, and comes back by itself. */
export function graphql(): Client {
  return (client ??= openClient());
}

function openClient(): Client {
  // It connects while it is made.
  const end = (): void => made.terminate();
  const made: Client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams,
    lazy: false,
    // What went wrong is told by `closed`.
    onNonLazyError: () => undefined,
    keepAlive: PING_MS,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: (event) => (event as { code?: number }).code !== FORBIDDEN,
    retryWait: (retries) => wait(Math.min(MAX_WAIT_MS, 200 * 2 ** Math.min(retries, 10)) * (0.75 + Math.random() / 2)),
    on: {
      connecting: () => expectAnswer(end, CONNECT_MS),
      opened: (opened) => void (socket = opened as WebSocket),
      connected: () => {
        clearTimeout(deadline);
        enter('open');
      },
      ping: (isReceived) => isReceived || expectAnswer(end, PONG_MS),
      pong: (isReceived) => isReceived && clearTimeout(deadline),
      closed: (event) => {
        clearTimeout(deadline);
        enter((event as CloseEvent).code === FORBIDDEN ? 'refused' : 'lost');
      },
    },
  });
  return made;
}

/** Without an answer in that time the connection is over, also when the browser still waits for its end. */
function expectAnswer(end: () => void, ms: number): void {
  clearTimeout(deadline);
  deadline = setTimeout(end, ms);
}

/** Whether the server still answers: a ping at once, or the next try at once. */
function probe(): void {
  const asked = client;
  if (!asked) return;
  if (connection.get().state !== 'open' || socket?.readyState !== WebSocket.OPEN) return wakeUp?.();
  socket.send(JSON.stringify({ type: 'ping' }));
  expectAnswer(() => asked.terminate(), PROBE_MS);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wakeUp = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** Tries to connect at once, when it waits for its next try. */
export const reconnectNow = (): void => wakeUp?.();

/** Another credential needs another connection. */
export function closeConnection(): void {
  const closing = client;
  client = undefined;
  clearTimeout(deadline);
  // A connection that was never there does not end: nobody waits for it.
  Promise.resolve(closing?.dispose()).catch(() => undefined);
  closing?.terminate();
  connection.set({ state: 'connecting', since: Date.now() });
}

/** The server has answered: now, or when the connection is back. */
export function untilConnected(): Promise<void> {
  probe();
  return new Promise((resolve) => {
    const stop = graphql().on('message', () => {
      stop();
      resolve();
    });
  });
}

if (typeof window !== 'undefined') {
  // The browser may be wrong: the server of `npm start` needs no network. So the server is asked.
  for (const sign of ['online', 'offline', 'pageshow']) window.addEventListener(sign, probe);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && probe());
}
