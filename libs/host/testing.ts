import { afterEach, expect } from '@jest/globals';
import type { ApiRequest, AppliedChange, BodyResponse, WatchResponse } from '@terrarium/engine';
import { MemoryLogStore, type LogStore } from '@terrarium/store';
import { ToyEngine } from '../testkit/beds/toy-engine.js';
import { ClusterHost, type Announcer, type HostOptions, type Limits } from './index.js';

/** The id of the cluster that `createStore` makes. */
export const ID = 'toy';
export const SILENT: Announcer = { publish: () => undefined, listen: () => undefined, close: async () => undefined };
const user = { name: 'kubernetes-admin', groups: [] };

export const apiRequest = (method: string, path: string, query = ''): ApiRequest => ({
  method,
  path,
  query,
  headers: {},
  user,
});

const FAULTY_CALLS = ['append', 'heads', 'read', 'setWake', 'withLock', 'saveCheckpoint'] as const;

/** A store whose calls are counted, and can be delayed or broken. */
export class FaultyStore extends MemoryLogStore {
  readonly calls: Record<string, number> = {};
  before: (call: string) => Promise<void> | void = () => undefined;
  after: (call: string) => Promise<void> | void = () => undefined;

  constructor() {
    super();
    for (const call of FAULTY_CALLS) {
      const real = (MemoryLogStore.prototype[call] as (...args: unknown[]) => Promise<unknown>).bind(this);
      (this as Record<string, unknown>)[call] = async (...args: unknown[]) => {
        this.calls[call] = (this.calls[call] ?? 0) + 1;
        await this.before(call);
        const result = await real(...args);
        await this.after(call);
        return result;
      };
    }
  }
}

/** A store with one cluster. */
export async function createStore(): Promise<FaultyStore> {
  const store = new FaultyStore();
  await store.createCluster({ id: ID, tenantId: 'acme', settings: {}, nodes: 0, createdAt: 0 });
  return store;
}

const hosts: ClusterHost[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

/** A host of toy engines; it is closed at the end of the test. */
export function openHost(
  store: LogStore,
  announcer: Announcer = SILENT,
  limits: Partial<Limits> = {},
  more: Partial<HostOptions> = {},
): { host: ClusterHost; engines: ToyEngine[] } {
  const engines: ToyEngine[] = [];
  const loadEngine = () => {
    const engine = new ToyEngine();
    engines.push(engine);
    return engine;
  };
  const host = new ClusterHost({ store, announcer, loadEngine, limits, ...more });
  hosts.push(host);
  return { host, engines };
}

/** The body and the status of the answer. */
export async function send(host: ClusterHost, method: string, path: string): Promise<Record<string, unknown>> {
  const response = (await host.request(ID, apiRequest(method, path))) as BodyResponse;
  return { ...(JSON.parse(response.body as string) as object), status: response.status };
}

/** A host that has written revisions 1 to `count`. */
export async function openHostWithWrites(
  store: LogStore,
  count: number,
  limits: Partial<Limits> = {},
): Promise<ClusterHost> {
  const { host } = openHost(store, SILENT, limits);
  for (const _ of range(1, count)) await send(host, 'POST', '/a');
  return host;
}

export const requestWatch = async (host: ClusterHost, fromRevision: number): Promise<WatchResponse> =>
  (await host.request(ID, apiRequest('WATCH', '/', String(fromRevision)))) as WatchResponse;

/** Reads at least so many lines, or until the stream ends. */
export async function readLines(stream: AsyncIterable<unknown>, count: number): Promise<string[]> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.split('\n').length > count) break;
  }
  return text.trim().split('\n');
}

export const headOf = async (store: LogStore): Promise<number | undefined> => (await store.heads([ID])).get(ID);

/** Collects what a subscription delivers. */
export class RecordingListener {
  readonly changes: AppliedChange[] = [];
  readonly ends: string[] = [];
  readonly listener = {
    changes: (changes: readonly AppliedChange[]) => void this.changes.push(...changes),
    ended: (reason: string, oldest?: number) =>
      void this.ends.push(oldest === undefined ? reason : `${reason} ${oldest}`),
  };
  get revisions(): number[] {
    return this.changes.map((change) => change.revision);
  }
}

export const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Waits for ten seconds at most: the machine may be busy. */
export async function waitUntil(isDone: () => boolean): Promise<void> {
  for (let i = 0; i < 2_000 && !isDone(); i++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isDone()).toBe(true);
}

/** A put of pods default/NAME at a revision, with nothing before it. */
export const changeAt = (revision: number, name = 'web', resource = 'pods'): AppliedChange => ({
  revision,
  type: 'put',
  resource,
  namespace: 'default',
  name,
  object: { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', resourceVersion: `${revision}` } },
  old: undefined,
  actor: 'user',
  cause: 0,
  at: 0,
});
