import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { catalog } from '@terrarium/containers';
import { Cluster, type BodyResponse } from '@terrarium/engine';
import { MemoryLogStore } from '@terrarium/store';
import { selfSignedCertificate } from '../../testkit/beds/self-signed-certificate.js';
import { ClusterHost, MemoryAnnouncements, type HostOptions } from '../index.js';

const ID = 'one';
const own = selfSignedCertificate('localhost', Date.now());
const other = selfSignedCertificate('localhost', Date.now());
const bundle = (pem: string): string => Buffer.from(pem).toString('base64');
const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/data', value: { patched: 'yes' } }])).toString('base64');
let asked = 0;

/** Answers a review by its path. */
const server = https.createServer({ key: own.privateKey, cert: own.certificate }, (req, res) => {
  asked++;
  let text = '';
  req.on('data', (chunk: Buffer) => (text += String(chunk)));
  req.on('end', () => {
    const { apiVersion, kind, request } = JSON.parse(text) as {
      apiVersion: string;
      kind: string;
      request: { uid: string };
    };
    const answer = (response: object) =>
      res.end(JSON.stringify({ apiVersion, kind, response: { uid: request.uid, ...response } }));
    switch (req.url?.split('?')[0]) {
      case '/patch':
        return answer({ allowed: true, patchType: 'JSONPatch', patch });
      case '/deny':
        return answer({ allowed: false, status: { message: 'not today' } });
      case '/broken':
        return res.writeHead(500).end('boom\n');
      case '/moved':
        return res.writeHead(302, { location: '/patch' }).end();
      case '/long':
        return res.end('x'.repeat(4 * 1024 * 1024));
      case '/hang':
        return undefined;
      default:
        return req.socket.destroy();
    }
  });
});
let base = '';
const hosts: ClusterHost[] = [];
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await Promise.all(hosts.map((h) => h.close()));
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

type Ask = (method: string, path: string, body: object) => Promise<{ status: number; body: any }>;

/** A cluster in which ConfigMaps are shown to a webhook at the URL. */
async function withWebhook(
  url: string,
  options: Partial<HostOptions>,
  caBundle = bundle(own.certificate),
): Promise<Ask> {
  const store = new MemoryLogStore();
  await store.createCluster({ id: ID, tenantId: 'acme', settings: {}, nodes: 0, createdAt: 0 });
  const host = new ClusterHost({
    store,
    announcer: new MemoryAnnouncements().announcer(),
    loadEngine: (row) => new Cluster({ seed: row.id, images: catalog, runs: false }),
    ...options,
  });
  hosts.push(host);
  const ask: Ask = async (method, path, body) => {
    const response = (await host.request(ID, {
      method,
      path,
      query: '',
      headers: { 'content-type': 'application/json' },
      user: { name: 'admin', groups: ['system:masters'] },
      body: Buffer.from(JSON.stringify(body)),
    })) as BodyResponse;
    return { status: response.status, body: JSON.parse(String(response.body)) };
  };
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
  const made = await ask('POST', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    metadata: { name: 'hook' },
    webhooks: [
      {
        name: 'h.x.io',
        clientConfig: { url, ...(caBundle ? { caBundle } : {}) },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        timeoutSeconds: 1,
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }],
      },
    ],
  });
  expect(made.status).toBe(201);
  return ask;
}
const create = (ask: Ask, name = 'x') => ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name } });

describe('a webhook with a URL', () => {
  it('changes what is written, and is asked once', async () => {
    const ask = await withWebhook(`${base}/patch`, { webhookUrls: 'any' });
    asked = 0;
    expect(await create(ask)).toMatchObject({ status: 201, body: { data: { patched: 'yes' } } });
    expect(asked).toBe(1);
  });

  it('may deny', async () => {
    expect((await create(await withWebhook(`${base}/deny`, { webhookUrls: 'any' }))).body.message).toBe(
      'admission webhook "h.x.io" denied the request: not today',
    );
  });

  it('does not keep others waiting', async () => {
    const ask = await withWebhook(`${base}/hang`, { webhookUrls: 'any' });
    const order: string[] = [];
    const slow = create(ask).then((answer) => (order.push('slow'), answer));
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'other' } }).then(() => order.push('other'));
    expect((await slow).body.message).toBe(
      `Internal error occurred: failed calling webhook "h.x.io": failed to call webhook: Post "${base}/hang?timeout=1s": context deadline exceeded`,
    );
    expect(order).toEqual(['other', 'slow']);
  });

  it('is answered for by 429 when too many wait already', async () => {
    const ask = await withWebhook(`${base}/hang`, { webhookUrls: 'any', limits: { tenantEgressRequests: 2 } });
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => create(ask, name)));
    expect(answers.map((a) => a.status).sort()).toEqual([429, 500, 500]);
  });

  const post = (path: string) => `failed to call webhook: Post "${base}${path}?timeout=1s": `;
  test.each<[string, string, Partial<HostOptions>, string | undefined, () => string]>([
    [
      'is not called unless that is allowed',
      '/patch',
      {},
      undefined,
      () => `${post('/patch')}dial tcp: lookup 127.0.0.1: calls of addresses outside the cluster are switched off here`,
    ],
    [
      'is not called at a private address unless that is allowed',
      '/patch',
      { webhookUrls: 'public' },
      undefined,
      () => `${post('/patch')}dial tcp ${base.slice(8)}: calls of addresses that are not public are switched off here`,
    ],
    [
      'must show a certificate of its authority',
      '/patch',
      { webhookUrls: 'any' },
      bundle(other.certificate),
      () => `${post('/patch')}tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    ],
    [
      'or of a public one',
      '/patch',
      { webhookUrls: 'any' },
      '',
      () => `${post('/patch')}tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    ],
    [
      'may break',
      '/broken',
      { webhookUrls: 'any' },
      undefined,
      () => 'failed to call webhook: an error on the server ("boom") has prevented the request from succeeding',
    ],
    [
      'is not followed elsewhere',
      '/moved',
      { webhookUrls: 'any' },
      undefined,
      () => 'failed to call webhook: the server rejected our request for an unknown reason',
    ],
    ['may hang up', '/', { webhookUrls: 'any' }, undefined, () => `${post('/')}EOF`],
    [
      'may not say too much',
      '/long',
      { webhookUrls: 'any' },
      undefined,
      () => "failed to call webhook: couldn't get version/kind; json parse error",
    ],
  ])('%s', async (_, path, options, caBundle, message) => {
    const { status, body } = await create(await withWebhook(`${base}${path}`, options, caBundle));
    expect([status, body.message]).toEqual([
      500,
      expect.stringContaining(`failed calling webhook "h.x.io": ${message()}`),
    ]);
  });

  it('is looked up, and its address is checked then', async () => {
    const url = base.replace('127.0.0.1', 'localhost');
    expect((await create(await withWebhook(`${url}/patch`, { webhookUrls: 'any' }))).status).toBe(201);
    expect((await create(await withWebhook(`${url}/patch`, { webhookUrls: 'public' }))).body.message).toContain(
      `dial tcp ${base.slice(8)}: calls of addresses that are not public`,
    );
  });

  it('must speak TLS', async () => {
    const plain = http.createServer();
    await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done));
    const ask = await withWebhook(`https://127.0.0.1:${(plain.address() as AddressInfo).port}`, { webhookUrls: 'any' });
    expect((await create(ask)).body.message).toContain(
      '/?timeout=1s": http: server gave HTTP response to HTTPS client',
    );
    plain.close();
  });

  it('must listen', async () => {
    expect((await create(await withWebhook('https://127.0.0.1:1/x', { webhookUrls: 'any' }))).body.message).toContain(
      'dial tcp 127.0.0.1:1: connect: connection refused',
    );
  });
});
