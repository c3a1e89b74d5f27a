import net from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Dice } from '../../../libs/testkit/fuzz/dice.js';
import { noisy } from '../../../libs/testkit/fuzz/values.js';
import type { Api } from '../bootstrap.js';
import { createKey, startTestApi, type TestApi } from '../testing.js';

const START_MS = 60_000;
const ANSWER_MS = 5_000;
const NOISY_CONNECTIONS = 1_500;
const AT_ONCE = 20;
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

let api: Api;
let service: TestApi;
let port: number;
let key: string;
let base: string;

beforeAll(async () => {
  service = await startTestApi();
  ({ api } = service);
  key = await createKey(service, 'hostile');
  port = Number(new URL(api.url).port);
  const made = await fetch(`${api.url}/v1/clusters`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"name":"victim"}',
  });
  base = `/clusters/${((await made.json()) as { id: string }).id}`;
}, START_MS);

afterAll(() => service?.close(), START_MS);

/**
 * Sends the parts, in order, on a connection of its own; resolves with all that came until it ended, or until nothing
 * more comes.
 */
function exchange(
  parts: readonly (string | Uint8Array)[],
  { secure = false, half = false, quietMs = 400 } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = secure
      ? tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : net.connect(port, '127.0.0.1');
    let text = '';
    let quiet: NodeJS.Timeout | undefined;
    const done = (): void => {
      clearTimeout(quiet);
      clearTimeout(late);
      socket.destroy();
      resolve(text);
    };
    const late = setTimeout(done, ANSWER_MS);
    const heard = (): void => {
      clearTimeout(quiet);
      quiet = setTimeout(done, quietMs);
    };
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      heard();
    });
    socket.on('error', done);
    socket.on('close', done);
    for (const part of parts) socket.write(part);
    if (half) socket.end();
  });
}

const head = (line: string, headers = ''): string =>
  `${line} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${headers}\r\n`;
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const bodyOf = (answer: string): Record<string, unknown> =>
  JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
const isWell = async (): Promise<void> =>
  expect(
    (await fetch(`${api.url}${base}/api/v1/namespaces/default`, { headers: { authorization: `Bearer ${key}` } }))
      .status,
  ).toBe(200);

describe.each([false, true])('over TLS: %s', (secure) => {
  test.each<[string, () => readonly string[], number]>([
    ['no HTTP at all', () => ['\0\0\0\0\r\n\r\n'], 400],
    ['a method that is none', () => [head('BREW /')], 400],
    ['a header without a name', () => [head(`GET ${base}/api`, ': x\r\n')], 400],
    [
      'two lengths',
      () => [head(`POST ${base}/api/v1/namespaces`, 'content-length: 3\r\ncontent-length: 4\r\n'), 'abcd'],
      400,
    ],
    [
      'a length and chunks',
      () => [
        head(`POST ${base}/api/v1/namespaces`, 'content-length: 3\r\ntransfer-encoding: chunked\r\n'),
        '3\r\nabc\r\n0\r\n\r\n',
      ],
      400,
    ],
    [
      'a chunk whose size is none',
      () => [head(`POST ${base}/api/v1/namespaces`, 'transfer-encoding: chunked\r\n'), 'zz\r\nabc\r\n'],
      400,
    ],
    ['a bad escape in the path', () => [head(`GET ${base}/api/v1/namespaces/%zz`)], 400],
    ['headers of 2 MB', () => [head(`GET ${base}/api`, `x: ${'a'.repeat(2_000_000)}\r\n`)], 431],
    ['a URL of 2 MB', () => [head(`GET ${base}/api?a=${'a'.repeat(2_000_000)}`)], 431],
    ['a path of 100 KB', () => [head(`GET ${base}/api/v1/namespaces/${'a'.repeat(100_000)}`)], 404],
    [
      'a body of 4 MB',
      () => [head(`POST ${base}/api/v1/namespaces`, 'content-length: 4000000\r\n'), 'x'.repeat(4_000_000)],
      413,
    ],
    [
      'a chunked body of 4 MB',
      () => [
        head(`POST ${base}/api/v1/namespaces`, 'transfer-encoding: chunked\r\n'),
        `${(4_000_000).toString(16)}\r\n`,
        'x'.repeat(4_000_000),
        '\r\n0\r\n\r\n',
      ],
      413,
    ],
  ])('%s is answered with a Status', async (_what, parts, code) => {
    const answer = await exchange(parts(), { secure });
    expect([statusOf(answer), bodyOf(answer)]).toEqual([
      code,
      expect.objectContaining({ kind: 'Status', status: 'Failure', code }),
    ]);
    await isWell();
  });
});

test('long URLs and headers are read, as far as Go reads them', async () => {
  const selector = Array.from({ length: 2_000 }, (_, i) => `a${i}=1`).join(',');
  expect(
    statusOf(
      await exchange([
        head(`GET ${base}/api/v1/pods?limit=1&labelSelector=${selector}`, `x: ${'a'.repeat(500_000)}\r\n`),
      ]),
    ),
  ).toBe(200);
});

test('requests in one go are answered in order', async () => {
  const answer = await exchange([
    [head(`GET ${base}/version`), head(`GET ${base}/healthz`), head(`GET ${base}/nope`)].join(''),
  ]);
  expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map((m) => m[1])).toEqual(['200', '200', '404']);
});

test('a body that does not come, and headers that trickle in, hold up nobody else', async () => {
  const slow = Array.from({ length: 200 }, (_, i) => {
    const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(
      i % 2 ? head(`POST ${base}/api/v1/namespaces`, 'content-length: 1000000\r\n') : `GET ${base}/api HTTP/1.1\r\nx: `,
    );
    return socket;
  });
  await isWell();
  for (const socket of slow) socket.destroy();
  await isWell();
});

test('a client that closes its half, or goes in the midst of its body, leaves nothing behind', async () => {
  await exchange([head(`GET ${base}/version`)], { half: true });
  for (let i = 0; i < 50; i++)
    net
      .connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .end(`${head(`POST ${base}/api/v1/namespaces`, 'content-length: 1000000\r\n')}{"metadata":`);
  await isWell();
});

test(
  `${NOISY_CONNECTIONS} requests with changed bytes: an answer below 500, or the end`,
  async () => {
    console.info(`seed ${SEED}`);
    const dice = new Dice(SEED);
    const body = '{"metadata":{"name":"a"},"data":{"a":"b"}}';
    const whole = Buffer.from(
      head(
        `POST ${base}/api/v1/namespaces/default/configmaps?dryRun=All`,
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n`,
      ) + body,
    );
    const answers: number[] = [];
    const connection = async (): Promise<void> => {
      // The end of what is sent is the end of what is asked: a request that waits for more is given up.
      for (let i = 0; i < NOISY_CONNECTIONS / AT_ONCE; i++)
        answers.push(statusOf(await exchange([noisy(dice, whole)], { half: true })));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, connection));
    expect(answers.filter((code) => code >= 500)).toEqual([]);
    expect(answers.filter((code) => code >= 200 && code < 500).length).toBeGreaterThan(NOISY_CONNECTIONS / 4);
    await isWell();
  },
  START_MS,
);
