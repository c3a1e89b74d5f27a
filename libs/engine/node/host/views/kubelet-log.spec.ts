import { expect, test } from '@jest/globals';
import type { Event } from '../../../api/core_v1.js';
import { Events, Pods } from '../../../kinds/index.js';
import type { Kind } from '../../../machinery/kind.js';
import type { Reader } from '../../../machinery/client.js';
import { viewKubeletLog } from './kubelet-log.js';

const AT = '2026-01-01T00:00:10Z';
const LATER = '2026-01-01T00:01:10Z';
const critical = {
  metadata: { namespace: 'kube-system', name: 'proxy' },
  spec: { priority: 2_000_001_000 },
  status: {},
};

const event = (kind: string, reason: string, message = '', last = AT): Event =>
  ({
    metadata: {},
    involvedObject: { kind, name: kind === 'Node' ? 'n' : 'web', ...(kind === 'Node' ? {} : { namespace: 'shop' }) },
    ...{ reason, message, source: { component: 'kubelet', host: 'n' }, firstTimestamp: AT, lastTimestamp: last },
  }) as unknown as Event;
const read = (events: readonly Event[]): Reader =>
  ({
    list: (kind: Kind) => (kind.kind === Events.kind ? events : []),
    byIndex: (kind: Kind) => (kind.kind === Pods.kind ? [critical] : []),
  }) as unknown as Reader;

test.each<[string, Event, readonly string[]]>([
  ['a condition', event('Node', 'NodeHasDiskPressure'), ['event="NodeHasDiskPressure"']],
  ['something else of the node', event('Node', 'Starting'), []],
  [
    'a pod that was evicted',
    event('Pod', 'Evicted', 'The node was low on resource: memory. '),
    ['pods ranked for eviction" pods=["shop/web"]', 'is evicted successfully', 'waiting for pod to be cleaned up'],
  ],
  [
    'a pod that was not admitted',
    event('Pod', 'Evicted', 'The node had condition: [DiskPressure]. '),
    ['"Failed to admit pod to node" pod="shop/web" nodeCondition=["DiskPressure"]'],
  ],
  [
    'a threshold of memory',
    event('Node', 'EvictionThresholdMet', 'Attempting to reclaim memory'),
    ['attempting to reclaim" resourceName="memory"', 'must evict pod(s) to reclaim'],
  ],
  [
    'one of a disk that goes on being met',
    event('Node', 'EvictionThresholdMet', 'Attempting to reclaim ephemeral-storage', LATER),
    [
      ...['attempting to reclaim', 'unused containers', 'unused images', 'must evict'],
      ...['attempting to reclaim', 'unused containers', 'unused images', 'must evict'],
      ...['cannot evict a critical pod" pod="kube-system/proxy"', 'unable to evict any pods'],
    ],
  ],
])('%s', (_, one, expected) => {
  const lines = viewKubeletLog(read([one]), 'n').map(({ text }) => text);
  expect(lines).toHaveLength(expected.length);
  for (const [i, part] of expected.entries()) expect(lines[i]).toContain(part);
});

test('of another node nothing is told', () =>
  expect(viewKubeletLog(read([event('Node', 'NodeHasDiskPressure')]), 'other')).toEqual([]));
