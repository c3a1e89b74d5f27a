import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { parse } from 'yaml';
import { kubectlFolder } from '../../libs/testkit/kubectl.js';
import { createKey, startTestApi, type TestApi } from './testing.js';

const START_MS = 60_000;
const BASE_DOMAIN = 'clusters.example';

interface Config {
  readonly clusters: { readonly name: string; readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: { readonly name: string; readonly user: Readonly<Record<string, string>> }[];
  readonly contexts: { readonly name: string }[];
  readonly 'current-context': string;
}

let service: TestApi;
let port: number;
let key: string;
let folder: string;
const ids = { a: '', b: '' };

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address() as net.AddressInfo;
      server.close(() => resolve(free));
    });
  });

const call = (method: string, url: string, by = key, body?: unknown): Promise<Response> =>
  fetch(service.api.url + url, {
    method,
    headers: { authorization: `Bearer ${by}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

async function kubeconfigText(query: string, id = ids.a): Promise<string> {
  const response = await call('GET', `/v1/clusters/${id}/kubeconfig?${query}`);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return response.text();
}
const kubeconfig = async (query: string, id?: string): Promise<Config> =>
  parse(await kubeconfigText(query, id)) as Config;

/** Runs the real kubectl with this kubeconfig; resolves with what it prints, errors too. */
function kubectl(config: string, ...args: string[]): Promise<string> {
  const file = path.join(folder, 'config.yaml');
  fs.writeFileSync(file, config);
  const env = { PATH: '/usr/bin:/bin', HOME: folder, KUBECONFIG: file };
  return new Promise((resolve) =>
    execFile(path.join(kubectlFolder(), 'kubectl'), args, { env, timeout: 20_000 }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    ),
  );
}

interface Request {
  readonly path: string;
  readonly host?: string;
  readonly servername?: string;
  readonly token?: string;
}

/** One request by Node's own TLS, which checks the certificate against the authority of the kubeconfig. */
async function request({ path: url, host = 'localhost', servername = 'localhost', token }: Request) {
  const config = await kubeconfig('');
  const ca = Buffer.from(config.clusters[0]!.cluster['certificate-authority-data']!, 'base64');
  const authorization = `Bearer ${token ?? config.users[0]!.user['token']}`;
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = { host, authorization };
    https
      .get({ host: '127.0.0.1', port, servername, path: url, ca, agent: false, headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode!, text }));
      })
      .on('error', reject);
  });
}

beforeAll(async () => {
  port = await freePort();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'terrarium-kubeconfig-'));
  service = await startTestApi({ PORT: String(port), PUBLIC_URL: `http://localhost:${port}`, BASE_DOMAIN });
  key = await createKey(service, 'alice');
  for (const name of ['a', 'b'] as const) {
    const made = await call('POST', '/v1/clusters', key, { name, nodes: 1, labels: { exam: 'cka' } });
    ids[name] = ((await made.json()) as { id: string }).id;
  }
}, START_MS);

afterAll(async () => {
  await service?.close();
  fs.rmSync(folder, { recursive: true, force: true });
}, START_MS);

describe('the served certificate', () => {
  test.each(['localhost', 'c1.clusters.local', `c1.${BASE_DOMAIN}`])('is good for %s', async (servername) => {
    expect((await request({ path: '/healthz', servername, token: 'none' })).status).toBeLessThan(500);
  });

  test('is good for no other name', async () => {
    await expect(request({ path: '/healthz', servername: 'terrarium.example' })).rejects.toThrow(
      "Hostname/IP does not match certificate's altnames",
    );
  });
});

describe('the roots of a cluster', () => {
  const NAMESPACE = '/api/v1/namespaces/default';

  test.each(['path', 'sni'])('kubectl works by %s', async (root) => {
    const config = await kubeconfigText(`root=${root}`);
    expect(await kubectl(config, 'get', 'namespace', 'default', '-o', 'name')).toBe('namespace/default\n');
  });

  test('by path: the URL leads there', async () => {
    const { clusters } = await kubeconfig('');
    expect(clusters[0]!.cluster).toMatchObject({ server: `https://localhost:${port}/clusters/${ids.a}` });
  });

  test('by host: the host leads there', async () => {
    const { clusters, users } = await kubeconfig('root=host');
    const host = `${ids.a}.${BASE_DOMAIN}:${port}`;
    expect(clusters[0]!.cluster).toMatchObject({ server: `https://${host}` });
    const token = users[0]!.user['token']!;
    const servername = `${ids.a}.${BASE_DOMAIN}`;
    expect((await request({ path: NAMESPACE, host, servername, token })).status).toBe(200);
    expect((await request({ path: NAMESPACE, host: host.toUpperCase(), token })).status).toBe(200);
  });

  test('by TLS server name: the name leads there', async () => {
    const { clusters } = await kubeconfig('root=sni');
    expect(clusters[0]!.cluster).toMatchObject({
      server: `https://localhost:${port}`,
      'tls-server-name': `${ids.a}.${BASE_DOMAIN}`,
    });
    for (const domain of [BASE_DOMAIN, 'clusters.local'])
      expect((await request({ path: NAMESPACE, servername: `${ids.a}.${domain}` })).status).toBe(200);
  });

  test.each(['path', 'sni'])('kubectl proxy works by %s', async (root) => {
    const file = path.join(folder, `proxy-${root}.yaml`);
    fs.writeFileSync(file, await kubeconfigText(`root=${root}`));
    const proxy = spawn(path.join(kubectlFolder(), 'kubectl'), ['proxy', '--port=0'], {
      env: { PATH: '/usr/bin:/bin', HOME: folder, KUBECONFIG: file },
    });
    try {
      const line = await new Promise<string>((resolve) =>
        proxy.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
      );
      const address = /127\.0\.0\.1:\d+/.exec(line)![0];
      const answer = (await (await fetch(`http://${address}${NAMESPACE}`)).json()) as { metadata: { name: string } };
      expect(answer.metadata.name).toBe('default');
    } finally {
      proxy.kill();
    }
  });

  test('upgrades find their cluster in the same way', async () => {
    const { clusters, users } = await kubeconfig('root=sni');
    const { 'certificate-authority-data': data, 'tls-server-name': servername } = clusters[0]!.cluster;
    const open = (url: string, host = 'localhost'): Promise<string> =>
      new Promise((resolve) => {
        const headers = { host, authorization: `Bearer ${users[0]!.user['token']}` };
        const options: WebSocket.ClientOptions & ConnectionOptions = {
          ca: Buffer.from(data!, 'base64'),
          servername,
          headers,
        };
        const socket = new WebSocket(`wss://127.0.0.1:${port}${url}`, options);
        socket.on('message', (message: Buffer) => resolve(message.toString()));
        socket.on('unexpected-response', (_request, { statusCode }) => resolve(String(statusCode)));
        socket.on('error', () => undefined);
        socket.on('message', () => socket.terminate());
      });
    const watch = '/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Ddefault';
    expect(JSON.parse(await open(watch))).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'default' } } });
    expect(await open(`/clusters/${ids.b}${watch}`)).toBe('404');
    expect(await open('/graphql')).toBe('404');
    expect(await open(watch, `${ids.b}.${BASE_DOMAIN}`)).toBe('421');
  });

  describe('below a root every path is the cluster’s own', () => {
    const servername = (): string => `${ids.a}.clusters.local`;

    test("the platform's paths lead nowhere", async () => {
      for (const url of ['/v1/clusters', '/graphql', '/docs'])
        expect(await request({ path: url, servername: servername(), token: key })).toMatchObject({ status: 404 });
    });

    test("a path of another cluster's leads nowhere", async () => {
      const url = `/clusters/${ids.b}${NAMESPACE}`;
      expect((await request({ path: url, token: key })).status).toBe(200);
      expect(await request({ path: url, servername: servername(), token: key })).toMatchObject({ status: 404 });
      expect((await request({ path: url, host: `${ids.a}.${BASE_DOMAIN}`, token: key })).status).toBe(404);
    });

    test('/healthz and /version are those of the cluster', async () => {
      expect(await request({ path: '/healthz', servername: servername() })).toEqual({ status: 200, text: 'ok' });
      expect((await request({ path: '/version', servername: servername() })).text).toContain('"gitVersion": "v1.36.');
    });
  });

  test('a token opens the roots of its own cluster only, whatever the Host header says', async () => {
    const bRoot = `${ids.b}.${BASE_DOMAIN}`;
    expect((await request({ path: NAMESPACE, servername: bRoot })).status).toBe(401);
    expect((await request({ path: NAMESPACE, host: bRoot })).status).toBe(401);
    expect((await request({ path: `https://${bRoot}${NAMESPACE}` })).status).toBe(401);
  });

  test('a TLS name and a host of two clusters are refused', async () => {
    const [host, servername] = [`${ids.b}.${BASE_DOMAIN}`, `${ids.a}.${BASE_DOMAIN}`];
    const { status, text } = await request({ path: NAMESPACE, host, servername, token: key });
    expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([
      421,
      'Misdirected Request: the TLS server name and the host name two clusters',
    ]);
  });

  test("another tenant's key does not open a root, and does not learn whether there is one", async () => {
    const bob = await createKey(service, 'bob');
    for (const id of [ids.a, 'nosuchcluster'])
      expect((await request({ path: NAMESPACE, servername: `${id}.clusters.local`, token: bob })).status).toBe(404);
  });
});

describe('a user of one’s own', () => {
  test.each(['token', 'certificate'])('is held by RBAC, with a %s', async (format) => {
    const config = await kubeconfigText(`user=jane&group=dev&group=ops&format=${format}`);
    expect(await kubectl(config, 'get', 'pods')).toContain(
      'User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    );
    const who = await kubectl(config, 'auth', 'whoami', '-o', 'json');
    expect((JSON.parse(who) as { status: { userInfo: object } }).status.userInfo).toMatchObject({
      username: 'jane',
      groups: ['dev', 'ops', 'system:authenticated'],
    });
    expect((parse(config) as Config).users[0]!.name).toBe('jane@a');
  });

  test('what a binding allows, it may', async () => {
    const admin = await kubeconfigText('');
    await kubectl(admin, 'create', 'rolebinding', 'viewers', '--clusterrole=view', '--group=viewers');
    const config = await kubeconfigText('user=joe&group=viewers');
    expect(await kubectl(config, 'auth', 'can-i', 'list', 'pods')).toBe('yes\n');
    expect(await kubectl(config, 'auth', 'can-i', 'create', 'pods')).toBe('no\n');
  });

  test('nobody of such a certificate is known in another cluster', async () => {
    const [config, other] = [await kubeconfig('user=jane&format=certificate'), await kubeconfig('', ids.b)];
    const mixed = { ...config, clusters: [{ ...config.clusters[0]!, cluster: other.clusters[0]!.cluster }] };
    expect(await kubectl(JSON.stringify(mixed), 'get', 'pods')).toContain('You must be logged in to the server');
  });

  test("the administrator's certificate", async () => {
    const config = await kubeconfigText('format=certificate');
    expect(config).not.toContain('token');
    expect(await kubectl(config, 'auth', 'can-i', '*', '*')).toContain('yes');
  });

  describe('the scope of the key', () => {
    const newKey = async (scope: string): Promise<string> => {
      const made = await call('POST', '/v1/keys', key, { name: scope, scope });
      return ((await made.json()) as { key: string }).key;
    };
    const get = (by: string, query: string): Promise<Response> =>
      call('GET', `/v1/clusters/${ids.a}/kubeconfig?${query}`, by);

    test.each([
      ['user=system:admin', 'user "system:admin" begins with "system:": that takes a key of scope manage'],
      ['user=jane&group=system:masters', 'group "system:masters" begins with "system:"'],
      ['user=jane&group=system:masters&format=certificate', 'group "system:masters" begins with "system:"'],
    ])('use does not suffice for ?%s, manage does', async (query, words) => {
      const refused = await get(await newKey('use'), query);
      expect([refused.status, await refused.text()]).toEqual([
        403,
        expect.stringContaining(JSON.stringify(words).slice(1, -1)),
      ]);
      expect((await get(key, query)).status).toBe(200);
    });

    test('read makes files that read, and no certificates', async () => {
      const read = await newKey('read');
      const config = await (await get(read, '')).text();
      expect(await kubectl(config, 'get', 'namespace', 'default', '-o', 'name')).toBe('namespace/default\n');
      expect(await kubectl(config, 'create', 'configmap', 'x')).toContain('scopes [read] prevent this action');
      const refused = await get(read, 'user=jane&format=certificate');
      expect([refused.status, await refused.text()]).toEqual([
        403,
        expect.stringContaining('a key of scope read makes no certificates'),
      ]);
    });

    test('a token makes no files: it would never end', async () => {
      const token = (await kubeconfig('')).users[0]!.user['token']!;
      for (const query of ['', 'format=certificate']) expect([401, 403]).toContain((await get(token, query)).status);
      expect([401, 403]).toContain((await call('GET', `/v1/kubeconfig?clusters=${ids.a}`, token)).status);
    });
  });

  test.each([
    ['group=dev', 'must not be given without a user'],
    ['user=', 'user'],
    ['user=a%20b', 'must be letters, digits'],
    ['user=jane&group=a%20b', 'must be 20 names at most'],
    ['user=jane&colour=red', 'colour'],
    ['format=basic', 'format'],
    ['root=dns', 'root'],
    ['ttl=1s', 'ttl'],
    ['format=certificate&ttl=31d', 'a certificate cannot be revoked: it ends after 30d at most'],
  ])('?%s is refused', async (query, words) => {
    const response = await call('GET', `/v1/clusters/${ids.a}/kubeconfig?${query}`);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(words)]);
  });
});

test('kubectl sees the names and the version that the creator has chosen', async () => {
  const made = await call('POST', '/v1/clusters', key, {
    name: 'exam',
    controlPlane: 'controlplane',
    nodes: [{ names: ['node01', 'node02'] }],
    storageClass: 'local-path',
    version: '1.36.1',
  });
  const { id, version } = (await made.json()) as { id: string; version: string };
  expect(version).toBe('v1.36.1');
  const config = await kubeconfigText('', id);
  expect(await kubectl(config, 'version')).toContain('Server Version: v1.36.1\n');
  const columns = 'custom-columns=NAME:.metadata.name,VERSION:.status.nodeInfo.kubeletVersion';
  expect((await kubectl(config, 'get', 'nodes', '--no-headers', '-o', columns)).split(/\s+/).filter(Boolean)).toEqual([
    ...['controlplane', 'v1.36.1', 'node01', 'v1.36.1', 'node02', 'v1.36.1'],
  ]);
  expect(await kubectl(config, 'get', 'storageclass')).toContain('local-path (default)');
  const refused = await call('POST', '/v1/clusters', key, { name: 'exam', nodes: [{ names: ['control-plane'] }] });
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('two nodes are called \\"control-plane\\"'),
  ]);
});

describe('one file for several clusters', () => {
  test('has a context for each, called after it', async () => {
    const response = await call('GET', `/v1/kubeconfig?clusters=${ids.b},${ids.a}`);
    const text = await response.text();
    const config = parse(text) as Config;
    expect(config.contexts.map(({ name }) => name)).toEqual(['b', 'a']);
    expect(config['current-context']).toBe('b');
    expect(await kubectl(text, '--context=a', 'get', 'namespace', 'default', '-o', 'name')).toBe('namespace/default\n');
    expect(await kubectl(text, 'config', 'get-contexts', '-o', 'name')).toBe('a\nb\n');
  });

  test('or for those that a selector finds', async () => {
    const text = await (await call('GET', '/v1/kubeconfig?labelSelector=exam%3Dcka&user=jane')).text();
    expect((parse(text) as Config).users.map(({ name }) => name)).toEqual(['jane@a', 'jane@b']);
  });

  test.each([
    ['', 400, 'give either clusters or labelSelector'],
    ['clusters=x&labelSelector=y', 400, 'give either clusters or labelSelector'],
    ['clusters=,', 400, 'must be ids, separated by commas'],
    [`clusters=${Array.from({ length: 101 }, (_, i) => `c${i}`).join()}`, 400, 'must not name more than 100 clusters'],
    ['clusters=nosuch', 404, 'nosuch'],
    ['labelSelector=exam%3Dnone', 404, 'no cluster matches'],
    ['labelSelector=%3D%3D', 400, 'labelSelector'],
  ])('?%s is refused', async (query, status, words) => {
    const response = await call('GET', `/v1/kubeconfig?${query}`);
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(words)]);
  });

  test("another tenant's cluster is unknown", async () => {
    const carol = await createKey(service, 'carol');
    expect((await call('GET', `/v1/kubeconfig?clusters=${ids.a}`, carol)).status).toBe(404);
  });
});
