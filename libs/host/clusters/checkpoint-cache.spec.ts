import { describe, expect, it } from '@jest/globals';
import type { BodyResponse } from '@terrarium/engine';
import { templateOwner } from '@terrarium/store';
import { encodeCheckpoint } from '../index.js';
import { ToyEngine } from '../../testkit/beds/toy-engine.js';
import { SILENT, apiRequest, createStore, openHost } from '../testing.js';

describe('CheckpointCache', () => {
  it('shares a template’s frozen state, moved to each cluster’s time; a fork begins on its parent’s history', async () => {
    const store = await createStore();
    const made = new ToyEngine();
    made.handle(apiRequest('POST', '/a'), 1_000);
    made.state.commit();
    await store.saveCheckpoint(templateOwner('basic'), 1, await encodeCheckpoint(made.checkpoint()));
    await store.createCluster({
      id: 'young',
      tenantId: 'acme',
      settings: {},
      nodes: 0,
      createdAt: 61_500,
      base: { template: 'basic', revision: 1 },
    });
    const { host, engines } = openHost(store, SILENT, {}, { now: () => 70_000 });
    await host.request('young', apiRequest('GET', '/a'));
    expect(engines[0]!.state.now).toBe(70_000);
    expect(Object.isFrozen(engines[0]!.state.lookup('counters', '', 'a'))).toBe(true);
    await host.request('young', apiRequest('POST', '/a'));
    await host.request('young', apiRequest('POST', '/a'));
    await store.createCluster({
      id: 'fork',
      tenantId: 'acme',
      settings: {},
      nodes: 0,
      createdAt: 99_000,
      base: { parent: 'young', revision: 2 },
    });
    expect(((await host.request('fork', apiRequest('POST', '/a'))) as BodyResponse).body).toBe(
      '{"n":3,"seen":0,"revision":3}',
    );
    expect(((await host.request('young', apiRequest('GET', '/a'))) as BodyResponse).body).toBe(
      '{"n":3,"seen":0,"revision":3}',
    );
  });
});
