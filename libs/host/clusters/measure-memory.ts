import { once } from 'node:events';
import { Cluster, type ApiRequest } from '@terrarium/engine';
import { catalog } from '@terrarium/containers';
import { MemoryLogStore } from '@terrarium/store';
import { ClusterHost } from '../host.js';

/**
 * A program of its own, for memory.spec.ts: in the heap of a test process the specs before it are still being freed.
 * Run it with --expose-gc. Prints one line of JSON a step: what the host counts and what the heap has grown by, in MiB.
 */
export interface Measured {
  readonly step: string;
  readonly counted: number;
  readonly used: number;
}

const CONFIG_MAPS = 50;
const MIB = 1024 * 1024;
const PATH = '/api/v1/namespaces/default/configmaps';

/** MiB that are in use after a collection. */
function usedMemory(): number {
  (globalThis as unknown as { gc(): void }).gc();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MIB;
}

const configMap = (i: number, letter: string) => ({
  metadata: { name: `c${i}` },
  data: { text: String(i).padEnd(MIB - 1_000, letter) },
});

async function measureMemory(): Promise<void> {
  const store = new MemoryLogStore();
  for (const id of ['full', 'other'])
    await store.createCluster({ id, tenantId: 'acme', settings: {}, nodes: 0, createdAt: 0 });
  const host = new ClusterHost({
    store,
    announcer: { publish: () => undefined, listen: () => undefined, close: async () => undefined },
    loadEngine: (row) => new Cluster({ seed: row.id, images: catalog, runs: false }),
    limits: { clusterBytes: 1e9, loadedClusters: 1, watchCacheBytes: 8 * MIB },
  });
  /** Keeps nothing of the answer. */
  const send = async (id: string, method: string, path: string, body?: object): Promise<void> => {
    const request: ApiRequest = {
      ...{ method, path, query: '', headers: { 'content-type': 'application/json' } },
      user: { name: 'admin', groups: ['system:masters'] },
      body: body && Buffer.from(JSON.stringify(body)),
    };
    const { status } = await host.request(id, request);
    if (status >= 300) throw new Error(`${method} ${path} was answered with ${status}`);
  };
  await send('other', 'GET', PATH);
  const before = usedMemory();
  const print = (step: string): void => {
    const measured: Measured = { step, counted: host.gauges().loadedBytes / MIB, used: usedMemory() - before };
    process.stdout.write(`${JSON.stringify(measured)}\n`);
  };
  await send('full', 'POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
  for (let i = 1; i <= CONFIG_MAPS; i++) await send('full', 'POST', PATH, configMap(i, 'x'));
  print('written');
  await send('full', 'GET', PATH);
  print('printed');
  // The objects before them stay in the watch cache, as far as it has room.
  for (let i = 1; i <= CONFIG_MAPS; i++) await send('full', 'PUT', `${PATH}/c${i}`, configMap(i, 'y'));
  print('replaced');
  await new Promise((resolve) => setTimeout(resolve, 500));
  await send('other', 'GET', PATH);
  await new Promise(setImmediate);
  print('unloaded');
  // From its checkpoint and log, of which nothing is printed.
  await send('full', 'GET', `${PATH}/c1`);
  print('loaded again');
  await host.close();
  if (process.stdout.writableLength > 0) await once(process.stdout, 'drain');
}

await measureMemory();
