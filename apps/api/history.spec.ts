import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { nouns } from '@terrarium/platform';
import { kubectlFolder } from '../../libs/testkit/kubectl.js';
import type { Service } from '../../libs/testkit/service.js';
import { shareService } from '../../libs/testkit/shared-service.js';

const TEST_MS = 90_000;
const IN_POD = ['exec', 'web', '--', 'sh', '-c'];

const shared = shareService();
let service: Service;
let folder: string;
beforeAll(() => {
  service = shared();
  folder = mkdtempSync(path.join(tmpdir(), 'terrarium-history-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the real kubectl against a cluster, or against a moment of its past; resolves with what it prints. */
function kubectl(server: string, ...args: string[]): Promise<string> {
  const file = path.join(folder, `${server.replaceAll(/[^\w-]/g, '_')}.kubeconfig`);
  // Without TLS kubectl shows no token.
  const url = service.url.replace('http:', 'https:');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: `${url}/clusters/${server}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'u', user: { token: service.apiKey } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  writeFileSync(file, JSON.stringify(config));
  const env = { ...process.env, KUBECONFIG: file, HOME: folder };
  return new Promise((resolve) => {
    execFile(path.join(kubectlFolder(), 'kubectl'), args, { env, timeout: 30_000 }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

const post = <T>(url: string, body: object): Promise<T> => service.call<T>('POST', url, body);
const create = async (): Promise<string> =>
  (await post<{ id: string }>('/v1/clusters', { name: 'history', nodes: 1, speed: 'instant' })).id;
const fork = async (id: string, more: object = {}): Promise<nouns.Cluster> =>
  (await post<nouns.CreatedClusters>(`/v1/clusters/${id}/forks`, { name: 'fork', ...more })).items[0]!;
const historyOf = (id: string): Promise<nouns.History> => service.call('GET', `/v1/clusters/${id}/history`);
const statusOf = async (method: string, url: string, body?: unknown): Promise<string> =>
  service.call(method, url, body).then(
    () => 'ok',
    (error: Error) => error.message,
  );

describe('a cluster with a pod that has written a file', () => {
  let id: string;
  beforeAll(async () => {
    id = await create();
    await kubectl(id, 'run', 'web', '--image=busybox:1.36', '--', 'sh', '-c', 'echo begun; sleep 100000');
    await kubectl(id, 'wait', '--for=condition=Ready', 'pod/web', '--timeout=20s');
    await kubectl(id, ...IN_POD, 'echo one > /tmp/file');
  }, TEST_MS);

  test(
    'is forked now: both live on, with files and processes of their own',
    async () => {
      const { id: forked, forkedFrom, nodes } = await fork(id, { labels: { of: 'web' }, ttl: '1h' });
      expect([forkedFrom?.clusterId, nodes]).toEqual([id, 1]);
      expect(await kubectl(forked, ...IN_POD, 'cat /tmp/file; ps')).toMatch(/^one\n[^]* sleep 100000\n/);
      await kubectl(forked, ...IN_POD, 'echo two > /tmp/file');
      await kubectl(id, 'create', 'configmap', 'only-here');
      expect(await kubectl(id, ...IN_POD, 'cat /tmp/file')).toBe('one\n');
      expect(await kubectl(forked, ...IN_POD, 'cat /tmp/file')).toBe('two\n');
      expect(await kubectl(forked, 'get', 'configmap', 'only-here')).toContain('not found');
      await kubectl(forked, 'run', 'next', '--image=nginx');
      expect(await kubectl(forked, 'wait', '--for=condition=Ready', 'pod/next', '--timeout=20s')).toContain('met');
    },
    TEST_MS,
  );

  test(
    'a fork has keys of its own',
    async () => {
      const token = (await kubectl(id, 'create', 'token', 'default')).trim();
      const { id: forked } = await fork(id);
      const ask = async (cluster: string): Promise<number> =>
        (await fetch(`${service.url}/clusters/${cluster}/api`, { headers: { authorization: `Bearer ${token}` } }))
          .status;
      expect([await ask(id), await ask(forked)]).toEqual([200, 401]);
      await kubectl(id, 'create', 'namespace', 'late');
      await kubectl(id, 'wait', '--for=create', 'configmap/kube-root-ca.crt', '-n', 'late', '--timeout=20s');
      const { id: later } = await fork(id);
      const authorityOf = (cluster: string, namespace: string): Promise<string> =>
        kubectl(cluster, 'get', 'configmap', 'kube-root-ca.crt', '-n', namespace, '-o', 'jsonpath={.data.ca\\.crt}');
      const [own, late, parents] = [
        await authorityOf(later, 'default'),
        await authorityOf(later, 'late'),
        await authorityOf(id, 'late'),
      ];
      expect(own).toContain('BEGIN CERTIFICATE');
      expect([late === own, late === parents]).toEqual([true, false]);
    },
    TEST_MS,
  );

  test(
    'its past is read by kubectl, and is not changed',
    async () => {
      const { latest } = await historyOf(id);
      await kubectl(id, 'delete', 'pod', 'web', '--force', '--grace-period=0');
      const past = `${id}@${latest}`;
      expect(await kubectl(id, 'get', 'pods', '-o', 'name')).not.toContain('pod/web');
      expect(await kubectl(past, 'get', 'pods')).toMatch(/web +1\/1 +Running/);
      expect(await kubectl(past, 'logs', 'web')).toBe('begun\n');
      expect(await kubectl(past, 'describe', 'pod', 'web')).toContain('busybox:1.36');
      expect(await kubectl(past, 'auth', 'can-i', 'get', 'pods')).toBe('yes\n');
      expect(await kubectl(past, 'delete', 'pod', 'web')).toContain('the past of a cluster does not change');
      expect(await kubectl(past, ...IN_POD, 'ls')).toContain('does not lead into its containers');
      expect(await kubectl(past, 'get', 'pods', '-w', '--request-timeout=2s')).toMatch(/web +1\/1 +Running/);
      expect(await kubectl(`${id}@-1s`, 'get', 'namespaces', '-o', 'name')).toContain('namespace/default');
      const { time } = await historyOf(id);
      expect(await kubectl(`${id}@${time}`, 'get', 'nodes', '-o', 'name')).toContain('node/');
      expect(await statusOf('GET', `/clusters/${id}@999999/api/v1/pods`)).toContain('still to come');
      expect(await statusOf('GET', `/clusters/${id}@soon/api/v1/pods`)).toContain('is no moment of the past');
      expect(await statusOf('GET', `/clusters/${id}@2020-01-01T00:00:00Z/api/v1/pods`)).toContain('no longer retained');
      const { id: forked } = await fork(id, { at: String(latest) });
      expect(await kubectl(forked, ...IN_POD, 'cat /tmp/file')).toBe('one\n');
    },
    TEST_MS,
  );
});

describe('snapshots', () => {
  let id: string;
  beforeEach(async () => {
    id = await create();
    await kubectl(id, 'create', 'configmap', 'first', '--from-literal=a=1');
  }, TEST_MS);

  test(
    'are kept, listed and deleted by name',
    async () => {
      const made = await post<nouns.Snapshot>(`/v1/clusters/${id}/snapshots`, { name: 'begin' });
      expect(made).toMatchObject({ name: 'begin', revision: expect.any(Number), bytes: expect.any(Number) });
      expect(await service.call('GET', `/v1/clusters/${id}/snapshots`)).toEqual({ items: [made] });
      expect(await statusOf('POST', `/v1/clusters/${id}/snapshots`, { name: 'begin' })).toContain('409');
      expect(await statusOf('DELETE', `/v1/clusters/${id}/snapshots/begin`)).toBe('ok');
      expect(await statusOf('DELETE', `/v1/clusters/${id}/snapshots/begin`)).toContain('404');
      expect(await statusOf('POST', `/v1/clusters/${id}/restore`, { snapshot: 'begin' })).toContain('404');
    },
    TEST_MS,
  );

  test(
    'a cluster is put back to one in place, goes on from there, and its watches list again',
    async () => {
      await post(`/v1/clusters/${id}/snapshots`, { name: 'begin' });
      await kubectl(id, 'create', 'configmap', 'second');
      await kubectl(id, 'delete', 'configmap', 'first');
      const { latest } = await historyOf(id);
      const watch = service.call<string>(
        'GET',
        `/clusters/${id}/api/v1/configmaps?watch=true&timeoutSeconds=8&resourceVersion=${latest}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 500));
      const restored = await post<nouns.Cluster>(`/v1/clusters/${id}/restore`, { snapshot: 'begin' });
      expect([restored.id, restored.revision > latest]).toEqual([id, true]);
      expect(await kubectl(id, 'get', 'configmaps', '-o', 'name')).toMatch(/configmap\/first\n/);
      expect(await kubectl(id, 'get', 'configmap', 'second')).toContain('not found');
      expect(await watch).toContain('"code":410');
      const before = `${id}@${latest}`;
      expect(await kubectl(before, 'get', 'configmap', 'second', '-o', 'name')).toBe('configmap/second\n');
      await kubectl(id, 'run', 'web', '--image=nginx');
      expect(await kubectl(id, 'wait', '--for=condition=Ready', 'pod/web', '--timeout=20s')).toContain('met');
    },
    TEST_MS,
  );

  test(
    'a cluster is put back to its template',
    async () => {
      await post(`/v1/clusters/${id}/restore`, { template: true });
      expect(await kubectl(id, 'get', 'configmap', 'first')).toContain('not found');
      expect(await kubectl(id, 'get', 'nodes', '-o', 'name')).toContain('node/worker-1');
      await kubectl(id, 'run', 'web', '--image=nginx');
      expect(await kubectl(id, 'wait', '--for=condition=Ready', 'pod/web', '--timeout=20s')).toContain('met');
    },
    TEST_MS,
  );

  test(
    'a cluster is forked from one, also when it is deleted meanwhile',
    async () => {
      await post(`/v1/clusters/${id}/snapshots`, { name: 'begin' });
      await kubectl(id, 'delete', 'configmap', 'first');
      const { id: forked } = await fork(id, { snapshot: 'begin' });
      await service.call('DELETE', `/v1/clusters/${id}`);
      expect(await kubectl(forked, 'get', 'configmap', 'first', '-o', 'jsonpath={.data.a}')).toBe('1');
      await kubectl(forked, 'run', 'web', '--image=nginx');
      expect(await kubectl(forked, 'wait', '--for=condition=Ready', 'pod/web', '--timeout=20s')).toContain('met');
    },
    TEST_MS,
  );
});

test(
  'two moments, and two forks, are compared page by page',
  async () => {
    const id = await create();
    await kubectl(id, 'create', 'configmap', 'changed', '--from-literal=a=1');
    const { latest } = await historyOf(id);
    const { id: forked } = await fork(id);
    await kubectl(forked, 'patch', 'configmap', 'changed', '-p', '{"data":{"a":"2"}}');
    await kubectl(forked, 'create', 'configmap', 'new');
    const diff = (query: string): Promise<nouns.Diff> =>
      service.call('GET', `/v1/clusters/${id}/diff?from=${latest}&${query}`);
    const { items } = await diff(`cluster=${forked}`);
    expect(items.filter(({ resource }) => resource === 'configmaps')).toEqual([
      {
        type: 'changed',
        resource: 'configmaps',
        namespace: 'default',
        name: 'changed',
        changes: [{ op: 'replace', path: '/data/a', from: '1', to: '2' }],
        truncated: false,
      },
      expect.objectContaining({ type: 'added', name: 'new' }),
    ]);
    const first = await diff(`cluster=${forked}&limit=1`);
    expect(first.items).toEqual(items.slice(0, 1));
    expect((await diff(`cluster=${forked}&cursor=${first.nextCursor}`)).items).toEqual(items.slice(1));
    expect(await statusOf('GET', `/v1/clusters/${id}/diff?from=${latest}&cluster=none`)).toContain('404');
    expect(await statusOf('GET', `/v1/clusters/${id}/diff?from=soon`)).toContain('400');
  },
  TEST_MS,
);

describe('a cluster as a file', () => {
  const exportFile = async (id: string, query = ''): Promise<Uint8Array> => {
    const response = await fetch(`${service.url}/v1/clusters/${id}/export${query}`, { headers: authorization() });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/gzip']);
    return new Uint8Array(await response.arrayBuffer());
  };
  const authorization = (): Record<string, string> => ({ authorization: `Bearer ${service.apiKey}` });
  const importFile = async (
    body: Uint8Array,
  ): Promise<{ status: number; answer: nouns.Cluster & { error?: string } }> => {
    const headers = { ...authorization(), 'content-type': 'application/gzip' };
    const response = await fetch(`${service.url}/v1/clusters/import?name=copy`, { method: 'POST', headers, body });
    return { status: response.status, answer: (await response.json()) as nouns.Cluster };
  };

  test(
    'goes out, and another cluster begins on it',
    async () => {
      const id = await create();
      await kubectl(id, 'run', 'web', '--image=busybox:1.36', '--', 'sh', '-c', 'sleep 100000');
      await kubectl(id, 'wait', '--for=condition=Ready', 'pod/web', '--timeout=20s');
      await kubectl(id, ...IN_POD, 'echo one > /tmp/file');
      const file = await exportFile(id);
      await service.call('DELETE', `/v1/clusters/${id}`);
      const { status, answer } = await importFile(file);
      expect([status, answer.error, answer.name, answer.nodes]).toEqual([201, undefined, 'copy', 1]);
      expect(await kubectl(answer.id, ...IN_POD, 'cat /tmp/file')).toBe('one\n');
      await kubectl(answer.id, 'run', 'next', '--image=nginx');
      expect(await kubectl(answer.id, 'wait', '--for=condition=Ready', 'pod/next', '--timeout=20s')).toContain('met');
    },
    TEST_MS,
  );

  test('that is none is refused', async () => {
    const header = { format: 'terrarium.dev/cluster', version: 1, name: 'a', template: 'default', speed: 'instant' };
    const whole = { ...header, seed: 's', revision: 5, now: 0, authority: '' };
    const pod = { resource: 'pods', object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: '..' } } };
    const zip = (...lines: object[]): Uint8Array => gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    for (const [file, message] of [
      [Buffer.from('no file'), 'not compressed'],
      [zip(), 'ends early'],
      [zip(header), 'seed'],
      [zip(whole), 'ends early'],
      [zip(whole, { objects: 1 }), 'objects are missing'],
      [zip(whole, pod, { objects: 1 }), 'is not named'],
      [zip({ ...whole, version: 2 }), 'version'],
      [gzipSync(Buffer.alloc(16 * 1024 * 1024, 97)), 'too long'],
    ] as const) {
      const { status, answer } = await importFile(file);
      expect([status >= 400 && status < 500, answer.error]).toEqual([true, expect.stringContaining(message)]);
    }
  });
});
