import { LIMITS, Pacer } from '@terrarium/host';
import { describe, expect, test } from '@jest/globals';
import { DEFAULT_NAMES } from '@terrarium/engine';
import { MemoryLogStore, templateOwner } from '@terrarium/store';
import type { NewCluster } from '../nouns.js';
import { Refusal } from '../refusal.js';
import { Templates, workerNodes } from './templates.js';

const choices = { nodes: 1, speed: 'instant', ...DEFAULT_NAMES } as const;

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
    const templates = new Templates(store, new Pacer(LIMITS));
    const bases = await Promise.all([1, 1, 2].map((nodes) => templates.ensureBase('acme', { ...choices, nodes })));
    expect(bases[1]).toEqual(bases[0]);
    expect(bases[2]!.template).not.toBe(bases[0]!.template);
    expect(store.saved.sort()).toEqual([bases[0]!, bases[2]!].map((base) => templateOwner(base.template)).sort());
  });

  test.each<Partial<NewCluster>>([
    { controlPlane: 'controlplane' },
    { controlPlaneTaint: false },
    { storageClass: 'local-path' },
    { version: '1.36.4' },
    { ipFamilies: ['IPv4', 'IPv6'] },
  ])('clusters with %j have another one', async (names) => {
    const store = new CountingStore();
    const templates = new Templates(store, new Pacer(LIMITS));
    const [plain, named] = [
      await templates.ensureBase('acme', choices),
      await templates.ensureBase('acme', { ...choices, ...names }),
    ];
    expect(named.template).not.toBe(plain.template);
    expect(store.saved).toEqual([templateOwner(plain.template), templateOwner(named.template)]);
  });

  test('a cluster can begin on the base', async () => {
    const store = new CountingStore();
    const base = await new Templates(store, new Pacer(LIMITS)).ensureBase('acme', { ...choices, speed: 'realistic' });
    await store.createCluster({ id: 'c1', tenantId: 'acme', settings: {}, nodes: 0, createdAt: 0, base });
    expect(await store.loadCheckpoint('c1')).toMatchObject({ owner: templateOwner(base.template) });
  });

  test('a template that could not be stored is made again', async () => {
    const store = new CountingStore();
    const templates = new Templates(store, new Pacer(LIMITS));
    store.isBroken = true;
    await expect(templates.ensureBase('acme', choices)).rejects.toThrow('connection refused');
    store.isBroken = false;
    await templates.ensureBase('acme', choices);
    expect(store.saved).toHaveLength(1);
  });
});

type Nodes = Parameters<typeof workerNodes>[0]['nodes'];
const controlPlane = 'controlplane';

test.each<[Nodes, object[]]>([
  [0, []],
  [2, [{ name: 'worker-1' }, { name: 'worker-2' }]],
  [
    [{ count: 1 }, { name: 'gpu', count: 1, cpu: '8' }, {}],
    [{ name: 'worker-1' }, { name: 'gpu-1', cpu: '8' }, { name: 'worker-2' }],
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
  [
    [{ names: ['node01', 'node02'], cpu: '2' }, { count: 1 }],
    [{ name: 'node01', cpu: '2' }, { name: 'node02', cpu: '2' }, { name: 'worker-1' }],
  ],
])('the workers of %j', (nodes, expected) => expect(workerNodes({ nodes, controlPlane })).toEqual(expected));

test.each<[Nodes, string]>([
  [[{ names: ['node01', 'node01'] }], 'node01'],
  [[{ names: ['node01'] }, { names: ['node02', 'node01'] }], 'node01'],
  [[{ names: ['worker-1'] }, { count: 1 }], 'worker-1'],
  [[{ names: ['controlplane'] }], 'controlplane'],
])('%j is refused', (nodes, name) =>
  expect(() => workerNodes({ nodes, controlPlane })).toThrow(new Refusal(400, `nodes: two nodes are called "${name}"`)),
);
