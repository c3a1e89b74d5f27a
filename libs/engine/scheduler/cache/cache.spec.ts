import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import type { SchedulerCache } from './cache.js';
import { cacheOf, makeNode, makePod, requesting } from '../testing.js';

const names = (cache: SchedulerCache): string[] => cache.nodes().map(({ name }) => name);
const cpuOf = (cache: SchedulerCache, name: string): number | undefined =>
  cache.nodes().find((info) => info.name === name)?.requested.cpu;
const POD = makePod(requesting({ cpu: '1' }), {}, 'a');

describe('nodes', () => {
  test('are sorted by name', () => expect(names(cacheOf([makeNode('b'), makeNode('a')]))).toEqual(['a', 'b']));
  test('are dropped when they are deleted', () => {
    const cache = cacheOf([makeNode('a'), makeNode('b')]);
    cache.onNode(makeNode('a'), undefined);
    expect(names(cache)).toEqual(['b']);
  });
  test('that come after their pods have their sums', () => {
    const cache = cacheOf([], [POD]);
    expect(names(cache)).toEqual([]);
    cache.onNode(undefined, makeNode('a'));
    expect(cpuOf(cache, 'a')).toBe(1000);
  });
  test('that come back have the pods that were left', () => {
    const cache = cacheOf([makeNode('a')], [POD]);
    cache.onNode(makeNode('a'), undefined);
    cache.onNode(undefined, makeNode('a'));
    expect(cpuOf(cache, 'a')).toBe(1000);
  });
});

describe('an assigned pod', () => {
  const pending = makePod(requesting({ cpu: '1' }));
  const assigned: Pod = { ...pending, spec: { ...pending.spec, nodeName: 'a' } };
  test.each<[string, Pod | undefined, Pod | undefined, number]>([
    ['is counted when it comes', undefined, POD, 2000],
    ['is counted when it is bound', pending, assigned, 2000],
    ['is not counted any more when it has ended', POD, { ...POD, status: { phase: 'Succeeded' } }, 0],
    ['is not counted any more when it is deleted', POD, undefined, 0],
    [
      'is counted while it is being deleted',
      POD,
      { ...POD, metadata: { ...POD.metadata, deletionTimestamp: 't' } },
      1000,
    ],
    ['is counted with new requests', POD, { ...POD, spec: { ...POD.spec, ...requesting({ cpu: '3' }) } }, 3000],
  ])('%s', (_, old, next, cpu) => {
    const cache = cacheOf([makeNode('a')], [POD === old ? POD : makePod(requesting({ cpu: '1' }), {}, 'a')]);
    cache.onPod(old, next);
    expect(cpuOf(cache, 'a')).toBe(cpu);
  });

  test('is replaced when only its status has changed', () => {
    const cache = cacheOf([makeNode('a')], [POD]);
    const next = { ...POD, status: { podIP: '10.0.0.1' } };
    cache.onPod(POD, next);
    expect([...cache.nodes()[0]!.pods.values()]).toEqual([next]);
    expect(cpuOf(cache, 'a')).toBe(1000);
  });
});

test('pending pods are queued', () => {
  const pod = makePod({ priority: 5 });
  const cache = cacheOf([], [pod]);
  expect(cache.queue.podsAhead(makePod())).toEqual([pod]);
  cache.onPod(pod, { ...pod, spec: { ...pod.spec, nodeName: 'a' } });
  expect(cache.queue.podsAhead(makePod())).toEqual([]);
});

describe('an assumed pod', () => {
  const pending = makePod(requesting({ cpu: '1' }));
  const assume = (): SchedulerCache => {
    const cache = cacheOf([makeNode('a'), makeNode('b')], [pending]);
    cache.assumePod(pending, 'a');
    return cache;
  };

  test('is counted, and waits in the queue no longer', () => {
    const cache = assume();
    expect([cpuOf(cache, 'a'), cache.assumedNode(pending)?.name]).toEqual([1000, 'a']);
    expect(cache.queue.podsAhead(makePod({ priority: -1 }))).toEqual([]);
  });

  const changed: Pod = { ...pending, status: { conditions: [{ type: 'PodScheduled', status: 'False' }] } };
  test.each<[string, Pod | undefined, number, string | undefined]>([
    ['stays while it is pending', changed, 1000, 'a'],
    ['is counted once when it is bound', { ...pending, spec: { ...pending.spec, nodeName: 'a' } }, 1000, undefined],
    [
      'is not counted when it is bound elsewhere',
      { ...pending, spec: { ...pending.spec, nodeName: 'b' } },
      0,
      undefined,
    ],
    ['is forgotten when it is deleted', undefined, 0, undefined],
    [
      'is forgotten while it is being deleted',
      { ...pending, metadata: { ...pending.metadata, deletionTimestamp: 't' } },
      0,
      undefined,
    ],
  ])('%s', (_, next, cpu, node) => {
    const cache = assume();
    cache.onPod(pending, next);
    expect([cpuOf(cache, 'a'), cache.assumedNode(next ?? pending)?.name]).toEqual([cpu, node]);
  });

  test('has no node when the node is gone, nor when another pod has its name', () => {
    const cache = assume();
    expect(cache.assumedNode({ ...pending, metadata: { ...pending.metadata, uid: 'other' } })).toBeUndefined();
    cache.onNode(makeNode('a'), undefined);
    expect(cache.assumedNode(pending)).toBeUndefined();
  });
});
