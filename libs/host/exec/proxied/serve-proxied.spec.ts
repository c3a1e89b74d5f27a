import { PassThrough, Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { ApiError, type BodyResponse, type PodHttpAnswer, type ProxiedResponse } from '@terrarium/engine';
import { waitUntil } from '../../testing.js';
import { ContainerSession } from '../container-session.js';
import { FakeProcess } from '../fake-process.js';
import { readProxied, respondWith, type Proxied } from './serve-proxied.js';

const response = (fields: Partial<ProxiedResponse> = {}): ProxiedResponse => ({
  ...{ type: 'proxied', status: 200, headers: {}, isUpgrade: false },
  pending: { session: { namespace: 'a', pod: 'b', uid: 'c', id: 'd' }, unsent: 'rest' },
  wantsBody: (headers) => headers?.['content-type'] === 'text/html',
  finish: ({ status, headers = {}, body = '', bytes }: PodHttpAnswer): BodyResponse => ({
    ...{ type: 'body', status, headers, body: bytes === undefined ? body.toUpperCase() : `${bytes.length} bytes` },
  }),
  refuse: (why) => new ApiError(503, 'ServiceUnavailable', `error trying to reach service: ${why}`),
  ...fields,
});

/** What a client gets when the process says this, and then ends. */
async function answered(said: string, fields: Partial<ProxiedResponse> = {}, method = 'GET'): Promise<Proxied> {
  const process = new FakeProcess();
  const found = readProxied(response(fields), new ContainerSession(process), method);
  await waitUntil(() => process.stdin === 'rest');
  process.print(said);
  process.exit(0);
  return found;
}

const tell = async (found: Proxied): Promise<string> => {
  if (found.type === 'upgraded') return 'upgraded';
  const { status } = found.response;
  return `${status} ${found.type === 'body' ? String(found.response.body) : await text(found.body)}`;
};

const OK = 'HTTP/1.1 200 OK\r\n';
const page = `${OK}content-type: text/html\r\n`;

test.each([
  ['a body with its length', `${OK}content-length: 2\r\n\r\nhi`, '200 hi'],
  ['a body up to the end', `${OK}\r\nhi`, '200 hi'],
  ['chunks', `${OK}transfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`, '200 hi'],
  ['a page', `${page}content-length: 2\r\n\r\nhi`, '200 HI'],
  ['a page that is no text', `${page}content-length: 2\r\n\r\n\xff\xfe`, '200 2 bytes'],
  ['what comes after 100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${OK}content-length: 2\r\n\r\nhi`, '200 hi'],
  ['what comes after a TLS hello', `\x16{"subject":"x"}\n${OK}content-length: 2\r\n\r\nhi`, '200 hi'],
])('%s', async (_case, said, expected) => expect(await tell(await answered(said))).toBe(expected));

test('an answer to HEAD has no body, and values of a header stand in lines', async () => {
  const found = await answered(`${OK}content-length: 9\r\nset-cookie: a\r\nset-cookie: b\r\n\r\n`, {}, 'HEAD');
  expect(await tell(found)).toBe('200 ');
  expect(found).toMatchObject({ response: { headers: { 'set-cookie': 'a\nb' } } });
});

test.each([
  ['nothing', ''],
  ['no HTTP', 'nonsense\r\n\r\n'],
  ['a head without an end', `${OK}x: ${'y'.repeat(100_000)}`],
])('%s is no answer', async (_case, said) => {
  await expect(answered(said)).rejects.toThrow('error trying to reach service: EOF');
});

test('a page that is too long passes as it is', async () => {
  const long = 'x'.repeat((4 << 20) + 10);
  const found = await answered(`${page}content-length: ${long.length}\r\n\r\n${long}`);
  expect(await tell(found)).toBe(`200 ${long}`);
});

test('an upgraded connection passes both ways', async () => {
  const process = new FakeProcess(({ stdin = '' }, own) => own.print(stdin.toUpperCase()));
  process.print('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: Upgrade\r\n\r\nfirst ');
  const pending = { ...response().pending, unsent: '' };
  const found = await readProxied(response({ isUpgrade: true, pending }), new ContainerSession(process), 'GET');
  if (found.type !== 'upgraded') throw new Error(found.type);
  const [up, down] = [new PassThrough(), new PassThrough()];
  let seen = '';
  down.on('data', (chunk: Buffer) => (seen += chunk.toString()));
  found.join(Duplex.from({ readable: up, writable: down }) as Duplex);
  up.write('second');
  await waitUntil(() => seen.endsWith('SECOND'));
  expect(seen).toBe('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: Upgrade\r\n\r\nfirst SECOND');
});

test('a request for an upgrade that was not granted gets the answer on its socket', async () => {
  const found = await answered(`${OK}content-length: 2\r\n\r\nno`, { isUpgrade: true });
  if (found.type === 'upgraded') throw new Error(found.type);
  const [up, down] = [new PassThrough(), new PassThrough()];
  void respondWith(Duplex.from({ readable: up, writable: down }) as Duplex, found);
  expect(await text(down)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nno$/);
});
