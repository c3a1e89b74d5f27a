import { describe, expect, test } from '@jest/globals';
import { MemoryLogStore, templateOwner } from '@terrarium/store';
import { Templates, workerNodes } from './templates.js';

/** A store that counts the checkpoints it is given, and can refuse them. */
class CountingStore extends MemoryLogStore {
  saved: string[] = [];
  isBroken = false;
  override async saveCheckpoint(owner: string, revision: number, state: Uint8Array): Promise<void> {
    if (this.isBroken) throw new Error('connection refused');
    this.saved.push(owner);
    await super.saveCheckpoint(owner, revision, state);
  }
}

describe('Templates', () => {
  test('clusters of equal settings share one checkpoint', async () => {
    const store = new CountingStore();
    const templates = new Templates(store);
    const bases = await Promise.all([1, 1, 2].map((nodes) => templates.ensureBase({ nodes, speed: 'instant' })));
    expect(bases[1]).toEqual(bases[0]);
    expect(bases[2]!.template).not.toBe(bases[0]!.template);
    expect(store.saved.sort()).toEqual([bases[0]!, bases[2]!].map((base) => templateOwner(base.template)).sort());
  });

  test('a cluster can begin on the base', async () => {
    const store = new CountingStore();
    const base = await new Templates(store).ensureBase({ nodes: 1, speed: 'realistic' });
    await store.createCluster({ id: 'c1', tenantId: 'acme', settings: {}, createdAt: 0, base });
    expect(await store.loadCheckpoint('c1')).toMatchObject({ owner: templateOwner(base.template) });
  });

  test('a template that could not be stored is made again', async () => {
    const store = new CountingStore();
    const templates = new Templates(store);
    store.isBroken = true;
    await expect(templates.ensureBase({ nodes: 1, speed: 'instant' })).rejects.toThrow('connection refused');
    store.isBroken = false;
    await templates.ensureBase({ nodes: 1, speed: 'instant' });
    expect(store.saved).toHaveLength(1);
  });
});

test.each<[Parameters<typeof workerNodes>[0], object[]]>([
  [0, []],
  [2, [{ name: 'worker-1' }, { name: 'worker-2' }]],
  [
    [{ count: 1 }, { name: 'gpu', count: 1, cpu: '8' }],
    [{ name: 'worker-1' }, { name: 'gpu-1', cpu: '8' }],
  ],
  [
    [
      { count: 2, labels: { zone: 'a' } },
      { count: 1, memory: '2Gi' },
    ],
    [
      { name: 'worker-1', labels: { zone: 'a' } },
      { name: 'worker-2', labels: { zone: 'a' } },
      { name: 'worker-3', memory: '2Gi' },
    ],
  ],
])('the workers of %j', (nodes, expected) => expect(workerNodes(nodes)).toEqual(expected));
