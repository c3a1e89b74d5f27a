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
const PING_MS = 10_000;
const PONG_MS = 5_000;
const MAX_WAIT_MS = 5_000;
const FORBIDDEN = 4403;
const UNANSWERED = 4408;

let client: Client | undefined;
let socket: WebSocket | undefined;
let wakeUp: (() => void) | undefined;

const enter = (state: Connection['state']): void => {
  if (connection.get().state !== state) connection.set({ state, since: Date.now() });
};

/** The client, which connects when it is first used and comes back by itself. */
export function graphql(): Client {
  return (client ??= openClient());
}

function openClient(): Client {
  let pong: ReturnType<typeof setTimeout> | undefined;
  return createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams,
    keepAlive: PING_MS,
    lazyCloseTimeout: 60_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: (event) => (event as { code?: number }).code !== FORBIDDEN,
    retryWait: (retries) => wait(Math.min(MAX_WAIT_MS, 200 * 2 ** Math.min(retries, 10)) * (0.75 + Math.random() / 2)),
    on: {
      opened: (opened) => void (socket = opened as WebSocket),
      connected: () => enter('open'),
      ping: (isReceived) => {
        if (!isReceived) pong = setTimeout(() => socket?.close(UNANSWERED, 'Unanswered'), PONG_MS);
      },
      pong: (isReceived) => {
        if (isReceived) clearTimeout(pong);
      },
      closed: (event) => {
        clearTimeout(pong);
        enter((event as CloseEvent).code === FORBIDDEN ? 'refused' : 'lost');
      },
    },
  });
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
export async function closeConnection(): Promise<void> {
  const closing = client;
  client = undefined;
  await closing?.dispose();
  connection.set({ state: 'connecting', since: Date.now() });
}

if (typeof window !== 'undefined') window.addEventListener('online', reconnectNow);
