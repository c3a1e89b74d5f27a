import crypto from 'node:crypto';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ClusterKeys } from '@terrarium/engine';
import { Identity } from '@terrarium/platform';
import { WebSocket } from 'ws';
import { writeName } from '../../../libs/engine/machinery/crypto/x509/name.js';
import { encodePem } from '../../../libs/engine/machinery/crypto/x509/pem.js';
import type { Api } from '../bootstrap.js';
import { startWithTwoTenants, type TwoTenants } from '../testing.js';

const START_MS = 60_000;

let service: TwoTenants;
let api: Api;
let keys: TwoTenants['keys'];
let cluster: string;
let call: TwoTenants['call'];

beforeAll(async () => {
  service = await startWithTwoTenants();
  ({ api, keys, cluster, call } = service);
}, START_MS);
afterAll(() => service?.close(), START_MS);

describe('a WebSocket to a cluster', () => {
  /** What a client hears until the end, or the status with which it is refused. */
  const listen = (
    path: string,
    headers: Record<string, string>,
    protocols: string[] = [],
  ): Promise<{ status: number; messages: string[] }> => {
    const client = new WebSocket(`${api.url.replace('http', 'ws')}/clusters/${cluster}${path}`, protocols, { headers });
    const messages: string[] = [];
    return new Promise((resolve, reject) => {
      client.on('message', (data: Buffer) => messages.push(data.toString()));
      client.on('close', () => resolve({ status: 101, messages }));
      client.on('unexpected-response', (request, response) => {
        resolve({ status: response.statusCode!, messages });
        request.destroy();
      });
      client.on('error', (error) => (messages.length === 0 ? reject(error) : undefined));
    });
  };
  const WATCH = '/api/v1/namespaces?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Ddefault';
  const of = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

  test('delivers a watch, a message each frame', async () => {
    const { status, messages } = await listen(WATCH, of(keys.alice));
    expect([
      status,
      messages
        .map((m) => JSON.parse(m) as { type: string; object: { metadata: { name: string } } })
        .map(({ type, object }) => [type, object.metadata.name]),
    ]).toEqual([101, [['ADDED', 'default']]]);
  });

  test('takes the key from among its protocols', async () => {
    const token = `base64url.bearer.authorization.k8s.io.${Buffer.from(keys.alice).toString('base64url')}`;
    expect(await listen(WATCH, {}, [token, 'base64.binary.k8s.io'])).toMatchObject({
      status: 101,
      messages: [expect.stringContaining('"ADDED"')],
    });
  });

  test.each<[string, () => Record<string, string>, string, number]>([
    ["with another tenant's key", () => of(keys.bob), WATCH, 404],
    ['with a wrong key', () => of('wrong'), WATCH, 401],
    ['without a key', () => ({}), WATCH, 401],
    ['to a pod that is not there', () => of(keys.alice), '/api/v1/namespaces/default/pods/none/exec?command=ls', 404],
    ['to what does not stream', () => of(keys.alice), '/api/v1/namespaces/default', 200],
  ])('%s is not upgraded', async (_, headers, path, status) =>
    expect((await listen(path, headers())).status).toBe(status),
  );
});

describe('a client certificate', () => {
  const DAY_MS = 24 * 60 * 60_000;
  const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const jane = writeName({
    attributes: new Map([
      ['2.5.4.10', ['dev']],
      ['2.5.4.3', ['jane']],
    ]),
  });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const issuedBy = async (id: string, notAfter = Date.now() + DAY_MS): Promise<string> => {
    const { authority } = new ClusterKeys(await api.app.get(Identity).tokenKey(id));
    return encodePem(
      'CERTIFICATE',
      authority.issue({
        subject: jane,
        serial: Uint8Array.of(1),
        notBefore: Date.now() - DAY_MS,
        notAfter,
        publicKey: publicKey.export({ type: 'spki', format: 'der' }),
        extensions: [],
      }),
    );
  };
  /** Status, user name and whether the TLS session is an earlier one's. */
  const whoami = (id: string, agent: https.Agent): Promise<[number, string | undefined, boolean]> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(api.url);
      const request = https.request(
        {
          host: '127.0.0.1',
          port,
          agent,
          method: 'POST',
          path: `/clusters/${id}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
          headers: { 'content-type': 'application/json' },
        },
        (response) => {
          const reused = (response.socket as TLSSocket).isSessionReused();
          let text = '';
          response
            .on('data', (d: Buffer) => (text += d.toString()))
            .on('end', () =>
              resolve([
                response.statusCode!,
                (JSON.parse(text) as { status: { userInfo?: { username: string } } }).status.userInfo?.username,
                reused,
              ]),
            );
        },
      );
      request.on('error', reject).end('{}');
    });
  const agentWith = (cert: string | undefined, keepAlive: boolean): https.Agent =>
    new https.Agent({ cert, key, rejectUnauthorized: false, keepAlive, maxSockets: 1 });

  test('logs into its own cluster only, request by request on one connection', async () => {
    const { id: other } = (await (await call('POST', '/v1/clusters', keys.alice, { name: 'other' })).json()) as {
      id: string;
    };
    const agent = agentWith(await issuedBy(cluster), true);
    expect([await whoami(cluster, agent), await whoami(other, agent), await whoami(cluster, agent)]).toEqual([
      [201, 'jane', false],
      [401, undefined, false],
      [201, 'jane', false],
    ]);
    agent.destroy();
  });

  test('is shown again on every connection', async () => {
    const agent = agentWith(await issuedBy(cluster), false);
    expect([await whoami(cluster, agent), await whoami(cluster, agent)]).toEqual([
      [201, 'jane', false],
      [201, 'jane', false],
    ]);
  });

  test.each<[string, () => Promise<string | undefined>]>([
    ['that has expired', () => issuedBy(cluster, Date.now() - 60_000)],
    ['of another cluster', () => issuedBy('another')],
    ['that is not there', async () => undefined],
  ])('%s is nobody', async (_, make) => expect((await whoami(cluster, agentWith(await make(), false)))[0]).toBe(401));
});
