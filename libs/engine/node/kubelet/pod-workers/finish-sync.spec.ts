import { describe, expect, test } from '@jest/globals';
import type { Client } from '../../../machinery/client.js';
import type { Context } from '../../../runtime/controller.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { ApiError } from '../../../machinery/meta/status.js';
import { formatTime, type PodRuntime } from '../pod/pod-runtime.js';
import { images, node, NOW, pod, readerOf, running } from '../testing.js';
import { finishSync } from './finish-sync.js';
import { beginPodSync, type PodSync } from './pod-sync.js';

const runtime = (containers: PodRuntime['containers']): PodRuntime => ({
  apiVersion: 'terrarium.dev/v1alpha1',
  kind: 'PodRuntime',
  metadata: { name: 'web', namespace: 'shop' },
  uid: 'u1',
  containers,
});

/** Begins a sync of a pod that runs; `writes` names what is written. */
function begin(...stored: readonly KubeObject[]): { sync: PodSync; writes: string[] } {
  const writes: string[] = [];
  const write = (verb: string) => (_kind: unknown, object: KubeObject) => writes.push(`${verb} ${object.kind}`);
  const reader = readerOf(node(), ...stored);
  const client = { ...reader, create: write('create'), update: write('update'), updateStatus: write('updateStatus') };
  const context = { now: NOW, client: client as unknown as Client } as Context;
  const of = pod({}, { podIP: '10.244.1.2', containerStatuses: [running('c')] });
  return { sync: beginPodSync(context, of, images), writes };
}

describe('a PodRuntime is stored', () => {
  test.each<[string, Partial<PodSync>, PodRuntime[], string, string[]]>([
    ['not while the pod waits for nothing', {}, [], 'Running', []],
    ['once it waits for something', { wakeAt: NOW + 1 }, [], 'Running', ['create PodRuntime']],
    [
      'once a container has crashed',
      { records: new Map([['c', { backoff: 0 }]]) },
      [],
      'Running',
      ['create PodRuntime'],
    ],
    ['not of a pod that has ended', { wakeAt: NOW + 1 }, [], 'Failed', []],
    ['when it changes', { records: new Map() }, [runtime({ c: {} })], 'Running', ['update PodRuntime']],
    ['not when it does not change', {}, [runtime({ c: {} })], 'Running', []],
  ])('%s', (_case, more, stored, phase, expected) => {
    const { sync, writes } = begin(...stored);
    finishSync({ ...sync, ...more }, { phase, hasSandbox: true });
    expect(writes).toEqual(['updateStatus Pod', ...expected]);
  });

  test('not when admission refuses the status: the sync is tried again as if it had not been', () => {
    const { sync, writes } = begin();
    const refuse = (): never => {
      throw new ApiError(403, 'Forbidden', 'no');
    };
    const client = { ...sync.context.client, updateStatus: refuse } as unknown as Client;
    const refused = { ...sync, context: { ...sync.context, client }, wakeAt: NOW + 1 };
    expect(() => finishSync(refused, { phase: 'Running', hasSandbox: true })).toThrow('no');
    expect(writes).toEqual([]);
  });
});

test.each([
  ['at the earliest time that a part asked for', NOW + 700, { requeueAfter: 700 }],
  ['not at all when nothing is waited for', Infinity, undefined],
])('the next sync comes %s', (_case, wakeAt, expected) => {
  const { sync } = begin();
  expect(finishSync({ ...sync, wakeAt }, { phase: 'Running', hasSandbox: true })).toEqual(expected);
});

test('a sync begins with what the last one stored', () => {
  const { sync } = begin({
    ...runtime({ c: { startedAt: formatTime(NOW) } }),
    sandboxDue: formatTime(NOW),
  } as PodRuntime);
  expect([...sync.records]).toEqual([['c', { startedAt: formatTime(NOW) }]]);
  expect([sync.podIP, sync.wakeAt, sync.stored?.sandboxDue]).toEqual(['10.244.1.2', Infinity, formatTime(NOW)]);
});
