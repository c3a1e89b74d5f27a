import { describe, expect, test } from '@jest/globals';
import type { Channel } from '../../store/postgres/listen-connection.js';
import { ClusterLife } from './cluster-life.js';

function open(): { life: ClusterLife; channels: Channel[] } {
  const channels: Channel[] = [];
  return { life: new ClusterLife({ listen: (channel) => void channels.push(channel) }), channels };
}

describe('the life of clusters', () => {
  test('is listened to from the first subscriber on, once', () => {
    const { life, channels } = open();
    expect(channels).toHaveLength(0);
    life.subscribe('t1', () => undefined);
    life.subscribe('t2', () => undefined);
    expect(channels.map(({ name }) => name)).toEqual(['terrarium_cluster_life']);
  });

  test('is told to the tenant it concerns, until its subscriber leaves', () => {
    const { life, channels } = open();
    const heard: unknown[] = [];
    const leave = life.subscribe('t1', (id) => heard.push(['t1', id]));
    life.subscribe('t2', (id) => heard.push(['t2', id]));
    channels[0]!.onNotification('t1 c1');
    channels[0]!.onNotification('t3 c3');
    leave();
    channels[0]!.onNotification('t1 c2');
    channels[0]!.onNotification('t2 c4');
    expect(heard).toEqual([
      ['t1', 'c1'],
      ['t2', 'c4'],
    ]);
  });

  test('may have gone on unheard before a connection', () => {
    const { life, channels } = open();
    const heard: unknown[] = [];
    life.subscribe('t1', (id) => heard.push(id));
    channels[0]!.onConnected(true);
    expect(heard).toEqual([undefined]);
  });
});
