import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ApiError } from '@terrarium/engine';
import { respondOnSocket } from '@terrarium/host';
import { routeUpgrades, type UpgradeOptions, type UpgradeRoute } from './upgrades.js';

const RESETS = 100;
const ENDED_MS = 1_000;
/** Nobody resets a connection in just the moment of the answer by chance: several moments are tried. */
const MOMENTS = 5;

let server: http.Server;
let errors: unknown[];
const clients: net.Socket[] = [];
beforeEach(() => {
  server = http.createServer();
  errors = [];
});
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  server.close();
});

async function serve(routes: readonly UpgradeRoute[], options: Partial<UpgradeOptions> = {}): Promise<number> {
  routeUpgrades(server, { routes, allowedOrigins: new Set(), onError: (error) => void errors.push(error), ...options });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const upgradeOf = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: terrarium.example\r\nconnection: upgrade\r\nupgrade: websocket\r\n${headers}\r\n`;

/** All that the server sends until it closes the connection, and the ms until then. The client's half stays open. */
function converse(port: number, text: string): Promise<{ answer: string; ms: number }> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    clients.push(socket);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('end', () => resolve({ answer, ms: performance.now() - startedAt }));
    socket.write(text);
  });
}

const route = (path: string, serveIt: UpgradeRoute['serve']): UpgradeRoute => ({
  matches: ({ url }) => url === path,
  serve: serveIt,
});

test.each(['/', '/clusters/', '/clusters/%zz', '/nowhere', '*'])(
  '%s leads nowhere: 404, and the connection is closed within a second',
  async (path) => {
    const port = await serve([route('/somewhere', async () => undefined)]);
    const { answer, ms } = await converse(port, upgradeOf(path));
    expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ kind: 'Status', reason: 'NotFound' });
    expect(ms).toBeLessThan(ENDED_MS);
  },
);

test('the server lets go of a client that keeps its half open', async () => {
  const port = await serve([]);
  await converse(port, upgradeOf('/nowhere'));
  const connections = (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  for (let i = 0; i < 40 && (await connections()) > 0; i++) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await connections()).toBe(0);
});

test(`${RESETS} clients that reset in the moment of the answer end nothing`, async () => {
  const port = await serve([]);
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', note);
  const reset = (moment: number): Promise<void> =>
    new Promise((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.write(upgradeOf('/nowhere'));
        const leave = (): void => void socket.resetAndDestroy();
        if (moment === 0) leave();
        else if (moment === 1) setImmediate(leave);
        else setTimeout(leave, moment - 2);
      });
      socket.on('error', () => undefined).on('close', () => resolve());
    });
  await Promise.all(Array.from({ length: RESETS }, (_, i) => reset(i % MOMENTS)));
  await new Promise((resolve) => setTimeout(resolve, 100));
  process.off('uncaughtException', note);
  expect(uncaught).toEqual([]);
  expect((await converse(port, upgradeOf('/nowhere'))).answer).toContain('404');
});

test('an error of the socket while its route is busy ends nothing', async () => {
  let socket: net.Socket | undefined;
  const port = await serve([
    route('/busy', (upgrade) => {
      socket = upgrade.socket as net.Socket;
      return new Promise(() => undefined);
    }),
  ]);
  const ended = converse(port, upgradeOf('/busy'));
  for (let i = 0; i < 100 && !socket; i++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(() => socket!.emit('error', new Error('read ECONNRESET'))).not.toThrow();
  await ended;
  expect(socket!.destroyed).toBe(true);
});

test('a route that neither accepts nor refuses is cut off at the deadline, and one that has accepted is not', async () => {
  const port = await serve(
    [
      route('/hangs', () => new Promise(() => undefined)),
      route('/accepts', async ({ accept, socket }) => {
        accept();
        setTimeout(() => socket.end('late'), 150);
      }),
    ],
    { deadlineMs: 50 },
  );
  const { answer, ms } = await converse(port, upgradeOf('/hangs'));
  expect([answer, ms < ENDED_MS]).toEqual(['', true]);
  expect((await converse(port, upgradeOf('/accepts'))).answer).toBe('late');
});

test.each<[string, UpgradeRoute, string, number]>([
  [
    'refuses',
    route('/x', async ({ socket }) => respondOnSocket(socket, { status: 403, headers: {}, body: 'no' })),
    'HTTP/1.1 403',
    0,
  ],
  [
    'rejects with an ApiError',
    route('/x', () => Promise.reject(new ApiError(429, 'TooManyRequests', 'later'))),
    'HTTP/1.1 429',
    0,
  ],
  ['fails', route('/x', () => Promise.reject(new Error('broken'))), '', 1],
  [
    'cannot say whether it matches',
    {
      matches: () => {
        throw new ApiError(421, '', 'Misdirected Request');
      },
      serve: async () => undefined,
    },
    'HTTP/1.1 421',
    0,
  ],
])('a route that %s', async (_, served, answer, reported) => {
  const port = await serve([served]);
  expect((await converse(port, upgradeOf('/x'))).answer.slice(0, 12)).toBe(answer);
  expect(errors).toHaveLength(reported);
});

describe('the Origin of a page', () => {
  const accepts = route('/x', async ({ socket }) => void socket.end('welcome'));
  const allowedOrigins = new Set(['https://learn.example.com']);

  test.each<[string | undefined, string]>([
    [undefined, 'welcome'],
    ['https://learn.example.com', 'welcome'],
    ['http://terrarium.example', 'welcome'],
    ['https://evil.example.com', 'HTTP/1.1 403'],
    ['null', 'HTTP/1.1 403'],
  ])('%s', async (origin, expected) => {
    const port = await serve([accepts], { allowedOrigins });
    const { answer } = await converse(port, upgradeOf('/x', origin ? `origin: ${origin}\r\n` : ''));
    expect(answer.slice(0, expected.length)).toBe(expected);
  });

  test('of any, when all are allowed', async () => {
    const port = await serve([accepts], { allowedOrigins: new Set(['*']) });
    expect((await converse(port, upgradeOf('/x', 'origin: https://any.example\r\n'))).answer).toBe('welcome');
  });
});
