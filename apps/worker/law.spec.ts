import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Dice } from '../../libs/testkit/fuzz/dice.js';
import { makeWorkload } from '../../libs/testkit/law/workload.js';
import { killAndReturn, startService, until, type Service } from '../../libs/testkit/service.js';

const START_MS = 240_000;
const TEST_MS = 300_000;
const ADVANCE_MS = 60_000;
const MINUTE = 60_000;
/** Workloads that run in one cluster, beside each other. */
const WORKLOADS = [3, 11, 25];
const LISTS = ['/api/v1', '/apis/apps/v1', '/apis/batch/v1'];
const RESOURCES = ['pods', 'events', 'services', 'deployments', 'replicasets', 'statefulsets', 'jobs', 'cronjobs'];

interface Thing {
  readonly metadata: { readonly name: string; readonly resourceVersion?: string };
  readonly spec?: { readonly containers?: readonly { readonly name: string }[] };
  readonly status?: { readonly phase?: string; readonly progress?: number };
}

let service: Service;
beforeAll(async () => {
  service = await startService('embedded Postgres');
}, START_MS);
afterAll(() => service?.close(), START_MS);

/** One cluster whose time passes by Advances alone. */
class Bed {
  private constructor(
    private readonly id: string,
    private advances: number,
  ) {}

  /** `to`: the time at which it begins. */
  static async make(to: Date): Promise<Bed> {
    const { id } = await service.call<{ id: string }>('POST', '/v1/clusters', { name: 'law', seed: 'law', nodes: 2 });
    const bed = new Bed(id, 0);
    await bed.call('PATCH', '/apis/terrarium.dev/v1alpha1/clocks/clock', { spec: { paused: true } });
    await bed.pass({ to: to.toISOString() });
    return bed;
  }

  /** Another one in the same state: when a node was last heard of depends on when its cluster was made. */
  async fork(): Promise<Bed> {
    const url = `/v1/clusters/${this.id}/forks`;
    const { items } = await service.call<{ items: { id: string }[] }>('POST', url, { name: 'law-again' });
    return new Bed(items[0]!.id, this.advances);
  }

  call = <T = Thing>(method: string, path: string, body?: object): Promise<T> =>
    service.call<T>(method, `/clusters/${this.id}${path}`, body);

  /** Lets time pass; `during` is called while it does, with how far it is. */
  async pass(spec: object, during: (progress: number) => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    const url = '/apis/terrarium.dev/v1alpha1/advances';
    const name = `a-${this.advances++}`;
    await this.call('POST', url, { metadata: { name }, spec: { ...spec, pause: true } });
    await until(
      async () => {
        const { status } = await this.call('GET', `${url}/${name}`);
        await during(status?.progress ?? 0);
        return status?.phase === 'Succeeded';
      },
      ADVANCE_MS,
      `${name} to end`,
    );
  }

  /**
   * Everything that one sees in the default namespace, without revisions: Advances take some. The Service `kubernetes`
   * is as old as its cluster.
   */
  async visible(): Promise<string[]> {
    const texts: string[] = [];
    for (const prefix of LISTS)
      for (const resource of RESOURCES) {
        const url = `${prefix}/namespaces/default/${resource}`;
        const { items } = await this.call<{ items: Thing[] }>('GET', url).catch(() => ({ items: [] }));
        const things = items.filter(({ metadata }) => metadata.name !== 'kubernetes');
        for (const thing of things) texts.push(`${resource} ${JSON.stringify(thing, withoutRevisions)}`);
        if (resource === 'pods') for (const pod of things) texts.push(...(await this.logs(pod)));
      }
    return texts;
  }

  private logs({ metadata: { name }, spec }: Thing): Promise<string[]> {
    const url = `${service.url}/clusters/${this.id}/api/v1/namespaces/default/pods/${name}/log?timestamps=true`;
    const headers = { authorization: `Bearer ${service.apiKey}` };
    const read = async (container: string): Promise<string> =>
      (await fetch(`${url}&container=${container}`, { headers })).text();
    return Promise.all((spec?.containers ?? []).map((container) => read(container.name)));
  }
}

const withoutRevisions = (field: string, value: unknown): unknown => (field === 'resourceVersion' ? undefined : value);

/** The workloads' requests at their times, and some minutes more, as `during` disturbs them. */
async function run(bed: Bed, during?: (progress: number) => Promise<unknown>): Promise<string[]> {
  const requests = WORKLOADS.flatMap((seed) => makeWorkload(new Dice(seed), 2).requests).sort((a, b) => a.at - b.at);
  let now = 0;
  for (const { at, method, path, body } of requests) {
    if (at > now) await bed.pass({ by: `${at - now}ms` });
    now = Math.max(at, now);
    // Some workloads ask for what is not there.
    await bed.call(method, path, body).catch(() => undefined);
  }
  await bed.pass({ by: '20m' }, during);
  return bed.visible();
}

test(
  'an Advance whose worker is killed in the middle leads to what it leads to otherwise',
  async () => {
    const start = new Date(Math.ceil(Date.now() / MINUTE + 3) * MINUTE);
    const bed = await Bed.make(start);
    const beds = [bed, await bed.fork()] as const;
    const undisturbed = await run(beds[0]);
    const killedAt: number[] = [];
    const killed = await run(beds[1], async (progress) => {
      if (killedAt.length === 2 || progress === 100 || progress <= (killedAt[0] ?? 0)) return;
      killedAt.push(progress);
      await killAndReturn(service.programs.worker);
    });
    expect(killedAt.length).toBeGreaterThan(0);
    expect(undisturbed.length).toBeGreaterThan(20);
    expect(killed).toEqual(undisturbed);
  },
  TEST_MS,
);
