import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { killAndReturn, missing, startService, until, type Backend, type Service } from '../../libs/testkit/service.js';

const REPLICAS = 100;
const START_MS = 90_000;
const TEST_MS = 60_000;
const CONVERGE_MS = 30_000;
const NODES = [{ count: 10, cpu: '64', memory: '256Gi' }];
const WRITERS = 8;
const WRITTEN_BEFORE_AND_AFTER = 200;

interface Thing {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation: number;
    readonly ownerReferences?: readonly { readonly name: string }[];
  };
  readonly spec: { readonly replicas: number };
  readonly status: {
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly observedGeneration?: number;
  };
}
interface List {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly Thing[];
}
interface WatchEvent {
  readonly type: string;
  readonly object: Thing;
}

const deployment = (image: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: REPLICAS,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
  },
});

/** The default namespace of a new cluster, and its revision before anything was in it. */
class Bed {
  private constructor(
    private readonly service: Service,
    readonly id: string,
    readonly start: number,
  ) {}

  static async make(service: Service): Promise<Bed> {
    const { id } = await service.call<{ id: string }>('POST', '/v1/clusters', { name: 'edge', nodes: NODES });
    const { metadata } = await service.call<List>('GET', `/clusters/${id}/api/v1/namespaces/default/pods`);
    return new Bed(service, id, Number(metadata.resourceVersion));
  }

  core = (rest: string): string => `/clusters/${this.id}/api/v1/namespaces/default/${rest}`;
  apps = (rest: string): string => `/clusters/${this.id}/apis/apps/v1/namespaces/default/${rest}`;
  get = <T = Thing>(url: string): Promise<T> => this.service.call<T>('GET', url);

  async create(image: string): Promise<void> {
    await this.service.call('POST', this.apps('deployments'), deployment(image));
  }

  async update(image: string): Promise<void> {
    await this.service.call('PATCH', this.apps('deployments/web'), {
      spec: { template: { spec: { containers: [{ name: 'web', image }] } } },
    });
  }

  /** Resolves while some of the pods exist, but not all of them are ready. */
  async middle(): Promise<void> {
    await until(
      async () => {
        const { metadata, status } = await this.get(this.apps('deployments/web'));
        return status.observedGeneration === metadata.generation && (status.updatedReplicas ?? 0) >= REPLICAS / 10;
      },
      CONVERGE_MS,
      'the middle of the rollout',
    );
    expect(await this.converged()).toBe(false);
  }

  async converged(): Promise<boolean> {
    const { metadata, status } = await this.get(this.apps('deployments/web'));
    return (
      status.observedGeneration === metadata.generation &&
      [status.replicas, status.updatedReplicas, status.readyReplicas].every((n) => n === REPLICAS)
    );
  }

  /**
   * Every change of these objects since the beginning, as a watch gives it. The watch lasts long enough for an API that
   * has just been restarted on a busy machine to read them from the store.
   */
  async history(url: string): Promise<WatchEvent[]> {
    const text = await this.get<string>(`${url}?watch=true&resourceVersion=${this.start}&timeoutSeconds=4`);
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as WatchEvent);
  }

  /** Exactly the wanted pods exist, and no ReplicaSet has ever made one too many. */
  async expectNoDuplicates(rollouts: number): Promise<void> {
    await until(
      async () => (await this.get<List>(this.core('pods'))).items.length === REPLICAS,
      CONVERGE_MS,
      'old pods to go',
    );
    const pods = (await this.get<List>(this.core('pods'))).items;
    const sets = (await this.get<List>(this.apps('replicasets'))).items;
    const current = sets.filter((s) => s.spec.replicas > 0);
    expect(current.map((s) => s.spec.replicas)).toEqual([REPLICAS]);
    expect(new Set(pods.map((p) => p.metadata.ownerReferences?.[0]?.name))).toEqual(
      new Set([current[0]!.metadata.name]),
    );
    const made = (await this.history(this.core('pods')))
      .filter((e) => e.type === 'ADDED')
      .map((e) => e.object.metadata);
    expect(new Set(made.map((m) => m.uid)).size).toBe(made.length);
    expect(new Set(made.map((m) => m.name)).size).toBe(made.length);
    const perSet = sets.map((s) => made.filter((m) => m.ownerReferences?.[0]?.name === s.metadata.name).length);
    expect(perSet).toEqual(Array.from({ length: rollouts }, () => REPLICAS));
  }
}

/** Ends what a test has left open, also when it failed. */
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Follows a watch, and opens it again after the last revision seen whenever it breaks. */
function follow(service: Service, bed: Bed): { readonly seen: WatchEvent[]; readonly breaks: () => number } {
  const [seen, ending] = [[] as WatchEvent[], new AbortController()];
  let breaks = 0;
  const open = async (): Promise<void> => {
    const from = seen.at(-1)?.object.metadata.resourceVersion ?? bed.start;
    const response = await fetch(`${service.url}${bed.core('pods')}?watch=true&resourceVersion=${from}`, {
      headers: { authorization: `Bearer ${service.apiKey}` },
      signal: ending.signal,
    });
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) seen.push(JSON.parse(line) as WatchEvent);
    }
  };
  void (async () => {
    while (!ending.signal.aborted) {
      await open().catch(() => undefined);
      breaks++;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  ends.push(() => ending.abort());
  return { seen, breaks: () => breaks };
}

interface Change {
  readonly type: string;
  readonly name: string;
  readonly revision: number;
}

/** The same for the subscription `changes`. */
function subscribe(service: Service, bed: Bed): { readonly seen: Change[] } {
  const seen: Change[] = [];
  let ended = false;
  const query =
    'subscription ($id: ID!, $from: Float) { changes(clusterId: $id, apiVersion: "v1", kind: "Pod", namespace: "default", fromRevision: $from) { type name revision } }';
  let client: ReturnType<typeof createClient>;
  const running = (async () => {
    while (!ended) {
      client = createClient({
        url: `${service.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { apiKey: service.apiKey },
        retryAttempts: 0,
      });
      try {
        for await (const { data } of client.iterate<{ changes: Change }>({
          query,
          variables: { id: bed.id, from: seen.at(-1)?.revision ?? bed.start },
        }))
          seen.push(data!.changes);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  })();
  ends.push(async () => {
    ended = true;
    await client.dispose();
    await running;
  });
  return { seen };
}

const versions = (events: readonly WatchEvent[]): string[] =>
  events.map((e) => `${e.object.metadata.resourceVersion} ${e.type} ${e.object.metadata.name}`);

for (const backend of ['embedded Postgres', 'Redis'] satisfies Backend[]) {
  const reason = missing(backend);
  (reason ? describe.skip : describe)(`the service on ${backend}${reason ? ` (${reason})` : ''}`, () => {
    let service: Service;
    beforeAll(async () => {
      service = await startService(backend);
    }, START_MS);
    afterAll(async () => {
      await service?.close();
    }, START_MS);

    test(
      'converges without duplicates when its worker is killed in the middle of rollouts',
      async () => {
        const bed = await Bed.make(service);
        await bed.create('nginx:1.27');
        await bed.middle();
        await killAndReturn(service.programs.worker);
        await until(() => bed.converged(), CONVERGE_MS, 'the first rollout');
        await bed.update('nginx:1.28');
        await bed.middle();
        await killAndReturn(service.programs.worker);
        await until(() => bed.converged(), CONVERGE_MS, 'the second rollout');
        await bed.expectNoDuplicates(2);
      },
      TEST_MS,
    );

    const whenWiped = async (): Promise<void> => {
      const bed = await Bed.make(service);
      await bed.create('nginx:1.27');
      await bed.middle();
      await service.redis!.flushall();
      await until(() => bed.converged(), CONVERGE_MS, 'the first rollout');
      await bed.update('nginx:1.28');
      await bed.middle();
      await service.redis!.flushall();
      await until(() => bed.converged(), CONVERGE_MS, 'the second rollout');
      await bed.expectNoDuplicates(2);
    };
    if (backend === 'Redis') test('converges when Redis is wiped in the middle of rollouts', whenWiped, TEST_MS);

    test(
      'keeps every acknowledged write when PostgreSQL is killed, and serves again by itself',
      async () => {
        const bed = await Bed.make(service);
        const acknowledged: string[] = [];
        let [refused, phase, n] = [0, 'before' as 'before' | 'down' | 'after', 0];
        const writer = async (): Promise<void> => {
          while (phase !== 'after' || acknowledged.length < 2 * WRITTEN_BEFORE_AND_AFTER) {
            const name = `c${n++}`;
            try {
              await service.call('POST', bed.core('configmaps'), { metadata: { name } });
              acknowledged.push(name);
            } catch (error) {
              refused++;
              expect(String(error)).toMatch(/: 50[34] |TimeoutError/);
              await new Promise((resolve) => setTimeout(resolve, 50));
            }
          }
        };
        const writers = Array.from({ length: WRITERS }, writer);
        await until(() => acknowledged.length >= WRITTEN_BEFORE_AND_AFTER, CONVERGE_MS, 'writes');
        phase = 'down';
        await killAndReturn(service.postgres);
        phase = 'after';
        await Promise.all(writers);
        expect(refused).toBeGreaterThan(0);
        const names = new Set((await bed.get<List>(bed.core('configmaps'))).items.map((c) => c.metadata.name));
        expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
        await bed.create('nginx:1.27');
        await until(() => bed.converged(), CONVERGE_MS, 'a rollout after it');
      },
      TEST_MS,
    );

    test(
      'lets watches and subscriptions go on where they were when the API is killed',
      async () => {
        const bed = await Bed.make(service);
        const [watch, subscription] = [follow(service, bed), subscribe(service, bed)];
        await bed.create('nginx:1.27');
        await bed.middle();
        await killAndReturn(service.programs.api);
        await until(() => bed.converged(), CONVERGE_MS, 'the rollout');
        const all = await bed.history(bed.core('pods'));
        await until(
          () => watch.seen.length >= all.length && subscription.seen.length >= all.length,
          CONVERGE_MS,
          'the streams to catch up',
        );
        expect(watch.breaks()).toBeGreaterThan(0);
        expect(versions(watch.seen)).toEqual(versions(all));
        expect(subscription.seen.map((c) => `${c.revision} ${c.type} ${c.name}`)).toEqual(versions(all));
      },
      TEST_MS,
    );
  });
}
