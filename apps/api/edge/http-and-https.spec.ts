import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { selfSignedCertificate } from '../../../libs/testkit/beds/self-signed-certificate.js';
import { createDualServer, type DualServer } from './http-and-https.js';

const own = selfSignedCertificate('localhost', Date.now());
const client = selfSignedCertificate('client', Date.now());
let dual: DualServer;
let port: number;
beforeAll(async () => {
  dual = createDualServer((request, response) => {
    const { socket } = request;
    const peer = 'encrypted' in socket ? (socket as TLSSocket).getPeerX509Certificate()?.subject : undefined;
    response.end(`${'encrypted' in socket ? 'https' : 'http'} ${request.url} ${peer ?? 'nobody'}`);
  }, own);
  dual.server.on('upgrade', (_request, socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
  );
  await new Promise<void>((resolve) => dual.server.listen(0, '127.0.0.1', resolve));
  ({ port } = dual.server.address() as AddressInfo);
});
afterAll(() => {
  dual.closeSecure();
  dual.server.closeAllConnections();
  dual.server.close();
});

async function text(response: http.IncomingMessage): Promise<string> {
  let all = '';
  for await (const chunk of response) all += String(chunk);
  return all;
}
const get = (secure: boolean, options: https.RequestOptions = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const all = { port, host: '127.0.0.1', path: '/x', agent: false, rejectUnauthorized: false, ...options } as const;
    const request = secure ? https.get(all) : http.get(all);
    request.on('response', (response) => resolve(text(response))).on('error', reject);
  });

test('both protocols are answered on one port', async () => {
  expect([await get(false), await get(true)]).toEqual(['http /x nobody', 'https /x nobody']);
});

test('a client may show a certificate of any authority', async () => {
  const shown = { cert: client.certificate, key: client.privateKey };
  expect(await get(true, shown)).toBe('https /x CN=terrarium');
});

test('the server shows its own certificate', async () => {
  expect(await get(true, { rejectUnauthorized: true, ca: own.certificate })).toBe('https /x nobody');
  await expect(get(true, { rejectUnauthorized: true, ca: client.certificate })).rejects.toThrow(/self.signed|verify/);
});

test('a client that refuses the certificate leaves no connection behind', async () => {
  const count = (): Promise<number> =>
    new Promise((resolve) => dual.server.getConnections((_error, connections) => resolve(connections)));
  const before = await count();
  await expect(get(true, { rejectUnauthorized: true, ca: client.certificate })).rejects.toThrow();
  for (const end = Date.now() + 5_000; (await count()) > before && Date.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await count()).toBe(before);
});

test('another certificate is shown from then on; connections that are open go on', async () => {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  expect(await get(true, { rejectUnauthorized: true, ca: own.certificate, agent })).toBe('https /x nobody');
  const next = selfSignedCertificate('localhost', Date.now());
  dual.setCertificate(next);
  const shown = { cert: client.certificate, key: client.privateKey };
  expect(await get(true, { rejectUnauthorized: true, ca: next.certificate, ...shown })).toBe('https /x CN=terrarium');
  expect(await get(true, { rejectUnauthorized: true, ca: own.certificate, agent })).toBe('https /x nobody');
  agent.destroy();
  dual.setCertificate(own);
});

test.each([false, true])('upgrades reach the one server; over TLS: %s', async (secure) => {
  const headers = { connection: 'upgrade', upgrade: 'websocket' };
  const options = { port, host: '127.0.0.1', headers, agent: false, rejectUnauthorized: false } as const;
  const status = await new Promise((resolve, reject) =>
    (secure ? https.get(options) : http.get(options))
      .on('upgrade', (response) => resolve(response.statusCode))
      .on('error', reject),
  );
  expect(status).toBe(101);
});

test.each([false, true])('an idle connection is kept longer than clients keep it; over TLS: %s', async (secure) => {
  const options = { port, host: '127.0.0.1', headers: { connection: 'keep-alive' }, rejectUnauthorized: false };
  const kept = await new Promise((resolve, reject) =>
    (secure ? https.get(options) : http.get(options))
      .on('response', (response) => resolve(response.resume().headers['keep-alive']))
      .on('error', reject),
  );
  expect(kept).toBe('timeout=75');
});

test('a first byte that comes by itself is enough to tell them apart', async () => {
  const socket = net.connect(port, '127.0.0.1');
  socket.write('G');
  await new Promise((resolve) => setTimeout(resolve, 20));
  socket.write('ET /slow HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toContain('http /slow nobody');
});
