/** What is in a cluster, from outside: by path and by host, for everybody or with a token, and upgraded. */
import http from 'node:http';
import { beforeAll, expect, test } from '@jest/globals';
import { until, type Service } from '../../../libs/testkit/service.js';
import { shareService } from '../../../libs/testkit/shared-service.js';

const START_MS = 120_000;
const TEST_MS = 60_000;
const CORE = '/api/v1/namespaces/default';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const SWITCH = 'HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: x\\r\\nConnection: Upgrade\\r\\n\\r\\nhello';

const shared = shareService();
let service: Service;
let cluster: string;

const create = (path: string, kind: string, name: string, fields: object): Promise<unknown> =>
  service.call('POST', `/clusters/${cluster}${path}`, { kind, metadata: { name, labels: { app: name } }, ...fields });

/** A pod with a node port before its port 8080. */
async function run(name: string, nodePort: number, container: object): Promise<void> {
  await create(`${CORE}/pods`, 'Pod', name, { apiVersion: 'v1', spec: { containers: [{ name, ...container }] } });
  const ports = [{ port: 80, targetPort: 8080, nodePort }];
  const spec = { type: 'NodePort', selector: { app: name }, ports };
  await create(`${CORE}/services`, 'Service', name, { apiVersion: 'v1', spec });
}

interface Answered {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Of an upgraded connection the body is what came first on it. */
const ask = (path: string, headers: http.OutgoingHttpHeaders = {}): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const request = http.request(service.url + path, { headers, agent: false });
    request.on('error', reject);
    const take = (message: http.IncomingMessage, body: string): void =>
      resolve({ status: message.statusCode ?? 0, headers: message.headers, body });
    request.on('response', (message) => {
      let body = '';
      message.on('data', (chunk: Buffer) => (body += chunk.toString()));
      message.on('end', () => take(message, body));
    });
    request.on('upgrade', (message, socket, head: Buffer) => {
      const end = (body: string): void => {
        socket.destroy();
        take(message, body);
      };
      if (head.length > 0) end(head.toString());
      else socket.once('data', (chunk: Buffer) => end(chunk.toString()));
    });
    request.end();
  });

const hostOf = (where: string): string => `${where}.${cluster}.clusters.local`;
const byPath = (where: string, path: string): string => `/clusters/${cluster}/outside/${where}${path}`;

beforeAll(async () => {
  service = shared();
  const made = await service.call<{ id: string }>('POST', '/v1/clusters', { name: 'outside', speed: 'instant' });
  cluster = made.id;
  const image = 'registry.k8s.io/e2e-test-images/agnhost:2.53';
  await run('web', 30_080, { image, command: ['/agnhost', 'netexec', '--http-port=8080'] });
  const command = ['sh', '-c', `while true; do (printf '${SWITCH}'; sleep 2) | nc -l -p 8080; done`];
  await run('up', 30_081, { image: 'busybox:1.37', command });
  const key = { authorization: `Bearer ${service.apiKey}` };
  await until(async () => (await ask(byPath('30080', '/hostname'), key)).body === 'web', TEST_MS, 'web answers');
}, START_MS);

test('nobody comes in without a token, nor hears whether there is such a cluster', async () => {
  expect((await ask(byPath('30080', '/'))).status).toBe(403);
  expect((await ask('/hostname', { host: hostOf('30080') })).status).toBe(403);
  expect((await ask('/clusters/nobody/outside/30080/')).status).toBe(401);
  expect((await ask('/api', { host: hostOf('30080').replace(`30080.`, '') })).status).toBe(401);
});

test('a token in the query becomes a cookie of that host', async () => {
  const host = hostOf('30080');
  const first = await ask(`/hostname?terrarium_token=${service.apiKey}`, { host });
  expect([first.status, first.headers.location]).toEqual([303, '/hostname']);
  const [cookie = ''] = first.headers['set-cookie'] ?? [];
  expect(await ask('/hostname', { host, cookie: cookie.split(';', 1)[0]! })).toMatchObject({
    status: 200,
    body: 'web',
  });
  expect((await ask('/hostname?terrarium_token=tk_wrong', { host })).status).toBe(401);
});

/** Wherever else the token of a link to the port of a pod or a Service is shown, it is nobody's. */
async function expectNothingElse(token: string): Promise<void> {
  const authorization = `Bearer ${token}`;
  const hosts = ['30080', '30081', '80.up.default.svc', '81.web.default.svc', '8080.up.default.pod'].map(hostOf);
  const paths = [
    byPath('30080', '/hostname'),
    `/clusters/${cluster}/api`,
    `/clusters/${cluster}/api/v1/namespaces/default/pods`,
    `/clusters/${cluster}/api/v1/namespaces/default/services/web:80/proxy/hostname`,
    `/clusters/${cluster}@-1s/api/v1/pods`,
    '/v1/clusters',
    `/v1/clusters/${cluster}/kubeconfig`,
    '/v1/session',
  ];
  const answers = await Promise.all([
    ...hosts.map((host) => ask('/hostname', { host, cookie: `terrarium_token=${token}` })),
    ...hosts.map((host) => ask('/hostname', { host, authorization })),
    ...paths.map((path) => ask(path, { authorization })),
    ask(`/v1/clusters/${cluster}/namespaces/default/pods/web/terminal`, {
      ...{ authorization, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      'sec-websocket-key': 'MTIzNDU2Nzg5MDEyMzQ1Ng==',
    }),
    ask('/api', { host: `${cluster}.clusters.local`, authorization }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
  const asked = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ clusters { items { id } } }' }),
  });
  expect([asked.status, await asked.text()]).toEqual([expect.any(Number), expect.not.stringContaining(cluster)]);
}

test('a link opens a port of a pod or a Service at a host of its own, and nothing else', async () => {
  for (const where of ['80.web.default.svc', '8080.web.default.pod']) {
    const made = await service.call<{ url: string; expiresAt: string }>('POST', `/v1/clusters/${cluster}/links`, {
      ...{ where, path: '/hostname?a=b' },
    });
    const { host, pathname, search } = new URL(made.url);
    expect(host.replace(/:\d+$/, '')).toBe(`${where}.${cluster}.clusters.localhost`);
    const first = await ask(pathname + search, { host });
    expect([first.status, first.headers.location]).toEqual([303, '/hostname?a=b']);
    const cookie = first.headers['set-cookie']![0]!.split(';', 1)[0]!;
    const page = await ask('/hostname', { host, cookie, 'user-agent': 'Mozilla/5.0' });
    expect(page).toMatchObject({ status: 200, body: 'web' });
    // It has an origin of its own.
    expect(page.headers['content-security-policy']).toBeUndefined();
    expect((await ask('/hostname', { host })).status).toBe(403);
    expect(await ask('/echo?msg=a&x=/../../../../secrets', { host, cookie })).toMatchObject({ status: 200, body: 'a' });
    expect((await ask('/../../../../secrets', { host, cookie })).body).not.toContain('SecretList');
    await expectNothingElse(cookie.slice(cookie.indexOf('=') + 1));
  }
  const refused = service.call('POST', `/v1/clusters/${cluster}/links`, { where: 'a_b' });
  await expect(refused).rejects.toThrow('has no host name of its own');
});

test(
  'an upgraded connection passes',
  async () => {
    const headers = { authorization: `Bearer ${service.apiKey}`, connection: 'Upgrade', upgrade: 'x' };
    const answers = async (): Promise<boolean> => {
      const { status, body } = await ask(byPath('30081', '/'), headers);
      return status === 101 && body === 'hello';
    };
    await until(answers, TEST_MS, 'the server switches');
  },
  TEST_MS,
);

test('everybody comes in where the cluster says so, and to nothing else', async () => {
  const rules = [{ nonResourceURLs: ['/outside/*'], verbs: ['get'] }];
  await create(`${RBAC}/clusterroles`, 'ClusterRole', 'outside', { rules });
  const subjects = [{ kind: 'Group', name: 'system:unauthenticated', apiGroup: 'rbac.authorization.k8s.io' }];
  const roleRef = { kind: 'ClusterRole', name: 'outside', apiGroup: 'rbac.authorization.k8s.io' };
  await create(`${RBAC}/clusterrolebindings`, 'ClusterRoleBinding', 'outside', { subjects, roleRef });
  expect(await ask(byPath('30080', '/hostname'))).toMatchObject({ status: 200, body: 'web' });
  expect(await ask('/hostname', { host: hostOf('30080') })).toMatchObject({ status: 200, body: 'web' });
  expect((await ask(`/clusters/${cluster}/api/v1/pods`)).status).toBe(401);
});
