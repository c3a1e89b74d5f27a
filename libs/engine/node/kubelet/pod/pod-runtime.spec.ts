import { describe, expect, test } from '@jest/globals';
import type { Client } from '../../../machinery/client.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { NOW, pod, readerOf } from '../testing.js';
import {
  deletePodRuntime,
  formatTime,
  makePodRuntime,
  omit,
  parseTime,
  readPodRuntime,
  storePodRuntime,
  type PodRuntime,
} from './pod-runtime.js';

const runtime = (uid: string, more: Partial<PodRuntime> = {}): PodRuntime => ({
  apiVersion: 'terrarium.dev/v1alpha1',
  kind: 'PodRuntime',
  metadata: { name: 'web', namespace: 'shop' },
  uid,
  containers: {},
  ...more,
});

/** A client that remembers its writes. */
function clientOf(...objects: readonly KubeObject[]): { client: Client; writes: string[] } {
  const writes: string[] = [];
  const client = {
    ...readerOf(...objects),
    create: (_kind: unknown, next: PodRuntime) => writes.push(`create ${next.uid}`),
    update: (_kind: unknown, next: PodRuntime) => writes.push(`update ${next.uid}`),
    delete: (_kind: unknown, key: { name: string }) => writes.push(`delete ${key.name}`),
  };
  return { client: client as unknown as Client, writes };
}

describe('times', () => {
  test.each([
    [NOW, '2026-01-01T12:00:00.000000Z'],
    [NOW + 1.4, '2026-01-01T12:00:00.001000Z'],
  ])('%d is %s', (at, text) => {
    expect(formatTime(at)).toBe(text);
    expect(parseTime(text)).toBe(Math.round(at));
  });
  test('an absent time is long past', () => {
    expect(parseTime(undefined)).toBe(0);
  });
});

test('a record without some of its fields', () => {
  const record = { step: 'pulling', due: 'x', failures: 2 } as const;
  expect(omit(record, 'due', 'backoff')).toEqual({ step: 'pulling', failures: 2 });
  expect(record.due).toBe('x');
});

test.each([
  ['this pod', 'u1', true],
  ['an earlier pod of the same name', 'u0', false],
])('the PodRuntime of %s', (_case, uid, expected) => {
  expect(readPodRuntime(readerOf(runtime(uid)), pod()) !== undefined).toBe(expected);
});

test.each([
  ['a pod that waits for its sandbox', { sandboxDue: NOW }, { sandboxDue: '2026-01-01T12:00:00.000000Z' }],
  [
    'a pod that waits for its volumes',
    { mount: { retryAt: NOW, failures: 2 } },
    { mountRetryAt: '2026-01-01T12:00:00.000000Z', mountFailures: 2 },
  ],
  ['a container with a back-off', { containers: { c: { backoff: 10 } } }, { containers: { c: { backoff: 10 } } }],
])('%s', (_case, known, expected) => {
  expect(makePodRuntime(pod(), undefined, { containers: {}, ...known })).toEqual(runtime('u1', expected));
});

test('a PodRuntime keeps the metadata that it was stored with', () => {
  const stored = runtime('u1', { metadata: { name: 'web', namespace: 'shop', resourceVersion: '7' } });
  expect(makePodRuntime(pod(), stored, { containers: {} }).metadata.resourceVersion).toBe('7');
});

test.each<[string, PodRuntime[], PodRuntime | undefined, PodRuntime, string[]]>([
  ['the first', [], undefined, runtime('u1'), ['create u1']],
  ['the first, over that of an earlier pod', [runtime('u0')], undefined, runtime('u1'), ['delete web', 'create u1']],
  ['a change', [runtime('u1')], runtime('u1'), runtime('u1', { containers: { c: {} } }), ['update u1']],
  ['no change', [runtime('u1')], runtime('u1'), runtime('u1'), []],
])('storing %s', (_case, objects, stored, next, expected) => {
  const { client, writes } = clientOf(...objects);
  storePodRuntime(client, stored, next);
  expect(writes).toEqual(expected);
});

test.each([
  [[runtime('u1')], ['delete web']],
  [[], []],
])('deleting %j', (objects, expected) => {
  const { client, writes } = clientOf(...objects);
  deletePodRuntime(client, { namespace: 'shop', name: 'web' });
  expect(writes).toEqual(expected);
});
