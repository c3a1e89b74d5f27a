import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { catalog } from '@terrarium/containers';
import {
  Cluster,
  defaultWorkers,
  makeTemplate,
  templateKey,
  DEFAULT_VERSION,
  type ApiRequest,
  type AppliedChange,
  type BodyResponse,
  type ClusterOptions,
  type TemplateOptions,
  type WatchResponse,
} from '@terrarium/engine';
import { MemoryLogStore, templateOwner } from '@terrarium/store';
import { ClusterHost, MemoryAnnouncements, encodeCheckpoint } from './index.js';

/** For an account that is about to come. */
const WAITED_MS = 1_000;

const TEMPLATE: TemplateOptions = { workers: defaultWorkers(), speed: 'instant' };
const REPLICAS = 50;
const user = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const request = (method: string, path: string, body?: unknown, query = ''): ApiRequest => ({
  method,
  path,
  query,
  user,
  headers: { accept: 'application/json', 'content-type': 'application/json' },
  body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
});
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: REPLICAS,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } },
  },
};

interface Listed {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly status: { readonly phase?: string; readonly conditions?: readonly { type: string; status: string }[] };
  }[];
}

describe('real clusters on two hosts: one serves, one runs the components', () => {
  const store = new MemoryLogStore();
  const hub = new MemoryAnnouncements();
  const errors: unknown[] = [];
  const hosts: ClusterHost[] = [];
  const open = (
    more: Partial<ClusterOptions>,
    onCommitted?: (id: string, news: { wantsAdvance: boolean }) => void,
  ): ClusterHost => {
    const host = new ClusterHost({
      store,
      announcer: hub.announcer(),
      onCommitted,
      loadEngine: (row) => new Cluster({ seed: row.id, images: catalog, onError: (...e) => errors.push(e), ...more }),
      onError: (error) => errors.push(error),
    });
    hosts.push(host);
    return host;
  };
  const wanted: string[] = [];
  const worker = open({});
  const api = open({ runs: false }, (id, { wantsAdvance }) => wantsAdvance && wanted.push(id));
  const list = async (id: string, path: string): Promise<Listed> =>
    JSON.parse(((await api.request(id, request('GET', path))) as BodyResponse).body as string) as Listed;

  beforeAll(async () => {
    const state = makeTemplate(TEMPLATE, catalog);
    const template = templateKey(TEMPLATE, DEFAULT_VERSION);
    await store.saveCheckpoint(templateOwner(template), state.revision, await encodeCheckpoint(state));
    for (const id of ['one', 'two', 'three'])
      await store.createCluster({
        id,
        tenantId: 'acme',
        settings: {},
        nodes: 0,
        createdAt: Date.now(),
        base: { template, revision: state.revision },
      });
  });
  afterAll(() => Promise.all(hosts.map((h) => h.close())));

  it('show a new cluster’s nodes, Ready, without a row of its own', async () => {
    const { items } = await list('one', '/api/v1/nodes');
    expect(items.map((n) => [n.metadata.name, n.status.conditions?.find((c) => c.type === 'Ready')?.status])).toEqual([
      ['control-plane', 'True'],
      ['worker-1', 'True'],
      ['worker-2', 'True'],
    ]);
    expect(await store.oldestRetained('one')).toBe((await store.cluster('one'))?.head);
  });

  it('take a Deployment to Ready, and every change reaches a watch once', async () => {
    const watch = (await api.request(
      'one',
      request('GET', '/api/v1/namespaces/default/pods', undefined, 'watch=1&resourceVersion=0'),
    )) as WatchResponse;
    expect(watch).toMatchObject({ type: 'watch', status: 200 });
    const stream = await api.watch('one', watch);
    const seen: AppliedChange[] = [];
    const from = (await store.cluster('one'))!.head;
    await api.subscribe('one', from, { changes: (changes) => void seen.push(...changes), ended: () => undefined });
    expect(
      await api.request('one', request('POST', '/apis/apps/v1/namespaces/default/deployments', deployment)),
    ).toMatchObject({ status: 201 });
    expect(wanted).toEqual(['one']);
    while ((await worker.advance('one')).again);
    const { items } = await list('one', '/api/v1/namespaces/default/pods');
    expect(items.filter((p) => p.status.phase === 'Running')).toHaveLength(REPLICAS);
    expect((await store.cluster('one'))?.halted).toBeUndefined();
    const head = (await store.cluster('one'))!.head;
    expect(seen.map((c) => c.revision)).toEqual(Array.from({ length: head - from }, (_, i) => from + 1 + i));
    stream.end();
    let frames = '';
    for await (const chunk of stream) frames += String(chunk);
    const added = frames
      .trim()
      .split('\n')
      .filter((line) => line.includes('"ADDED"'));
    expect(added).toHaveLength(REPLICAS);
    expect(errors).toEqual([]);
  });

  it('let pods wait for the default service account of a namespace that has just been created', async () => {
    const TRIES = 20;
    // The first request waits for no more than the others: the worker has loaded the cluster.
    while ((await worker.advance('three')).again);
    const advancing = new Set<Promise<unknown>>();
    const stop = setInterval(() => wanted.splice(0).forEach((id) => advancing.add(worker.advance(id))), 30);
    const statuses: number[] = [];
    for (let i = 0; i < TRIES; i++) {
      const namespace = { metadata: { name: `new-${i}` } };
      await api.request('three', request('POST', '/api/v1/namespaces', namespace));
      const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'nginx:1.27' }] } };
      statuses.push((await api.request('three', request('POST', `/api/v1/namespaces/new-${i}/pods`, pod))).status);
    }
    clearInterval(stop);
    await Promise.all(advancing);
    expect(statuses).toEqual(Array.from({ length: TRIES }, () => 201));
  });

  it('refuse a pod whose service account has not come in time, and one whose account has another name at once', async () => {
    wanted.length = 0;
    await api.request('three', request('POST', '/api/v1/namespaces', { metadata: { name: 'paused' } }));
    const create = async (serviceAccountName: string): Promise<{ ms: number; message: string }> => {
      const started = performance.now();
      const spec = { serviceAccountName, containers: [{ name: 'a', image: 'nginx:1.27' }] };
      const pod = { metadata: { name: 'a' }, spec };
      const answer = await api.request('three', request('POST', '/api/v1/namespaces/paused/pods', pod));
      const { message } = JSON.parse((answer as BodyResponse).body as string) as { message: string };
      return { ms: performance.now() - started, message };
    };
    const refusal = (name: string): string =>
      `pods "a" is forbidden: error looking up service account paused/${name}: serviceaccount "${name}" not found`;
    const late = await create('default');
    const other = await create('other');
    expect([late.message, other.message]).toEqual([refusal('default'), refusal('other')]);
    // A busy machine adds to both.
    expect(late.ms).toBeGreaterThanOrEqual(WAITED_MS);
    expect(other.ms).toBeLessThan(late.ms);
  });

  it('agree with a process that starts from the log, and with one that resumes from its beginning', async () => {
    const fresh = open({ runs: false });
    const bodyOf = async (host: ClusterHost) =>
      ((await host.request('one', request('GET', '/api/v1/pods'))) as BodyResponse).body;
    expect(await bodyOf(fresh)).toBe(await bodyOf(api));
    const seen: AppliedChange[] = [];
    const { head, base } = (await store.cluster('one'))!;
    await fresh.subscribe('one', base!.revision, {
      changes: (changes) => void seen.push(...changes),
      ended: () => undefined,
    });
    expect(seen).toHaveLength(head - base!.revision);
  });

  it('do not change their neighbours', async () => {
    expect((await list('two', '/api/v1/namespaces/default/pods')).items).toEqual([]);
    expect(await worker.advance('two')).toMatchObject({ again: false });
    const changed: string[] = [];
    const { base } = (await store.cluster('two'))!;
    await worker.subscribe('two', base!.revision, {
      changes: (changes) =>
        void changed.push(...changes.map((c) => `${c.type} ${c.resource} ${c.namespace}/${c.name}`)),
      ended: () => undefined,
    });
    expect(changed).toEqual([]);
  });
});
