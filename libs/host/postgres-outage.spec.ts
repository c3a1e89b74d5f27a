import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BodyResponse } from '@terrarium/engine';
import { ListenConnection, migrate, openPool, PostgresLogStore } from '@terrarium/store';
import { ownServer } from '../testkit/postgres.js';
import { ClusterHost, PostgresAnnouncer } from './index.js';
import { ToyEngine } from '../testkit/beds/toy-engine.js';

const ID = 'toy';
const user = { name: 'kubernetes-admin', groups: [] };

describe('a Postgres that is killed and comes back', () => {
  let server: Awaited<ReturnType<typeof ownServer>>;
  const closes: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    server = await ownServer();
  }, 60_000);
  afterAll(async () => {
    for (const close of closes) await close();
    await server.stop();
  });

  async function host(): Promise<ClusterHost> {
    const url = `${server.url}/postgres`;
    const connection = new ListenConnection({ connectionString: url, onError: () => undefined });
    const announcer = new PostgresAnnouncer(connection);
    const store = new PostgresLogStore(openPool({ connectionString: url, timeoutMs: 2_000 }));
    const made = new ClusterHost({ store, announcer, loadEngine: () => new ToyEngine() });
    closes.push(
      () => made.close(),
      () => announcer.close(),
      () => connection.close(),
      () => store.close(),
    );
    return made;
  }
  const send = async (on: ClusterHost, method: string): Promise<{ status: number; n: number; seen: number }> => {
    const response = (await on.request(ID, { method, path: '/a', query: '', headers: {}, user })) as BodyResponse;
    return { ...(JSON.parse(response.body as string) as { n: number; seen: number }), status: response.status };
  };

  it('keeps every acknowledged write, and two hosts agree again by themselves', async () => {
    const pool = openPool({ connectionString: `${server.url}/postgres` });
    await migrate(pool);
    await new PostgresLogStore(pool).createCluster({
      id: ID,
      tenantId: 'acme',
      settings: {},
      nodes: 0,
      createdAt: Date.now(),
    });
    await pool.end();
    const [api, worker] = [await host(), await host()];
    await send(worker, 'GET');
    let [acknowledged, refused, sent] = [0, 0, 0];
    let down = false;
    const writer = (async () => {
      while (sent < 400 || down) {
        const { status } = await send(api, 'POST');
        sent++;
        if (status === 200) acknowledged++;
        else {
          expect([503, 504]).toContain(status);
          refused++;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    })();
    while (acknowledged < 50) await new Promise((resolve) => setTimeout(resolve, 1));
    down = true;
    await server.stop();
    expect((await send(worker, 'GET')).status).toBe(503);
    await server.start();
    down = false;
    await writer;
    expect(refused).toBeGreaterThan(0);
    await worker.advance(ID);
    const [here, there] = [await send(api, 'GET'), await send(worker, 'GET')];
    expect(here).toEqual(there);
    expect(here.seen).toBe(here.n);
    expect(here.n).toBeGreaterThanOrEqual(acknowledged);
    expect(here.n).toBeLessThanOrEqual(sent);
  }, 60_000);
});
