import { describe, expect, test } from '@jest/globals';
import type { LifeListener, nouns } from '@terrarium/platform';
import { ClusterLifeStream } from './cluster-life-stream.js';

function open(clusters: Readonly<Record<string, Partial<nouns.Cluster>>> = {}) {
  const told: { listener?: LifeListener; isOpen: boolean } = { isOpen: true };
  const stream = new ClusterLifeStream(
    (listener) => {
      told.listener = listener;
      return () => (told.isOpen = false);
    },
    async (id) => clusters[id] as nouns.Cluster | undefined,
  );
  return { stream, told };
}

describe('clusters as they change', () => {
  test('the first event is that all are to be read', async () => {
    const { stream } = open();
    expect(await stream.next()).toEqual({ done: false, value: {} });
  });

  test('a cluster is told as it is when it is taken; one that is gone has nothing', async () => {
    const clusters: Record<string, Partial<nouns.Cluster>> = { c1: { name: 'a' } };
    const { stream, told } = open(clusters);
    await stream.next();
    for (const id of ['c1', 'c2', 'c1']) told.listener!(id);
    clusters['c1'] = { name: 'b' };
    expect((await stream.next()).value).toEqual({ id: 'c1', cluster: { name: 'b' } });
    expect((await stream.next()).value).toEqual({ id: 'c2', cluster: undefined });
    const waiting = stream.next();
    told.listener!('c1');
    expect((await waiting).value).toMatchObject({ id: 'c1' });
  });

  test('more than it may hold, or a lost connection, is a list to read anew', async () => {
    const { stream, told } = open();
    await stream.next();
    for (let i = 0; i < 501; i++) told.listener!(`c${i}`);
    expect((await stream.next()).value).toEqual({});
    told.listener!(undefined);
    expect((await stream.next()).value).toEqual({});
  });

  test('its end wakes who waits, and is heard of', async () => {
    const { stream, told } = open();
    await stream.next();
    const waiting = stream.next();
    await stream.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(told.isOpen).toBe(false);
  });
});
