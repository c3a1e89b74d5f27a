import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { testDatabase } from '../../testkit/postgres.js';
import { MemoryLogStore, migrate, openPool, PostgresLogStore, type LogStore, type NewCluster } from '../index.js';

interface OpenStore {
  readonly store: LogStore;
  end(): Promise<void>;
}

export const AT = Date.UTC(2026, 0, 1);
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (b: Uint8Array | undefined): string => new TextDecoder().decode(b);

const STORES: readonly (readonly [name: string, open: () => Promise<OpenStore>])[] = [
  ['memory', async () => ({ store: new MemoryLogStore(), end: async () => undefined })],
  ['postgres', postgres],
];

async function postgres(): Promise<OpenStore> {
  const database = await testDatabase();
  const pool = openPool({ connectionString: database.url });
  await Promise.all([migrate(pool), migrate(pool)]);
  const store = new PostgresLogStore(pool);
  return { store, end: async () => (await store.close(), database.drop()) };
}

export const newCluster = (more: Partial<NewCluster> & { readonly id: string }): NewCluster => ({
  tenantId: 'acme',
  settings: { name: more.id },
  nodes: 0,
  createdAt: AT,
  ...more,
});

/** Tests of all stores, which have to behave alike. */
export function describeStores(title: string, tests: (bed: Bed) => void): void {
  describe.each(STORES)(`${title}: %s`, (_name, open) => {
    const bed = new Bed();
    let end: () => Promise<void>;
    beforeAll(async () => ({ store: bed.store, end } = await open()), 60_000);
    afterAll(() => end());
    tests(bed);
  });
}

/** Makes clusters of one store, writes to them and reads them. */
class Bed {
  /** Open while tests run. */
  store!: LogStore;
  private made = 0;

  async create(more: Partial<NewCluster> = {}): Promise<string> {
    const id = more.id ?? `c${++this.made}`;
    await this.store.createCluster(newCluster({ ...more, id }));
    return id;
  }

  /** Appends segments of the given sizes, at AT + 1 s, AT + 2 s, ... */
  async grow(id: string, ...sizes: number[]): Promise<void> {
    for (const [i, size] of sizes.entries()) {
      const head = (await this.store.heads([id])).get(id)!;
      const segment = {
        expected: head,
        first: head + 1,
        last: head + size,
        at: AT + (i + 1) * 1_000,
        changes: bytes(`${id}:${head + 1}`),
      };
      expect(await this.store.append(id, segment)).toMatchObject({ ok: true, head: head + size });
    }
  }

  async revisions(id: string, after: number, limit = 100): Promise<string[]> {
    return (await this.store.read(id, after, limit)).map((s) => `${s.first}-${s.last} ${text(s.changes)}`);
  }
}
