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
const read = (
  events: readonly Event[],
  pods: readonly object[] = [critical],
  records: Readonly<Record<string, object>> = {},
): Reader =>
  ({
    list: (kind: Kind) => (kind.kind === Events.kind ? events : []),
    byIndex: (kind: Kind) => (kind.kind === Pods.kind ? pods : []),
    get: (kind: Kind) => records[kind.kind],
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

test.each<[string, object, number]>([
  ['waits to be started again', { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 20s' } }, 1],
  ['runs again', { running: {} }, 0],
])('a container that %s', (_case, state, expected) => {
  const containerStatuses = [{ name: 'c', state, lastState: { terminated: { finishedAt: AT } } }];
  const pod = { metadata: { namespace: 'shop', name: 'web', uid: 'u' }, status: { containerStatuses } };
  const lines = viewKubeletLog(read([], [pod]), 'n').map(({ text }) => text);
  expect(lines).toEqual(
    Array<string>(expected).fill(
      'pod_workers.go:1324] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"c\\" with ' +
        'CrashLoopBackOff: \\"back-off 20s\\"" pod="shop/web" podUID="u"',
    ),
  );
});

const gone = { NodeRuntime: { machine: { metadata: { deletionTimestamp: AT } } } };

test('a kubelet whose Node is deleted tries to report to it, five times each ten seconds', () => {
  const lines = viewKubeletLog(read([], [], gone), 'n');
  expect(lines.slice(0, 6).map(({ at }) => at - Date.parse(AT))).toEqual(Array(6).fill(10_000));
  expect(lines[0]!.text).toContain('"Error updating node status, will retry" err="error getting node \\"n\\": nodes');
  expect(lines[5]!.text).toContain('"Unable to update node status" err="update node status exceeds retry count"');
  expect(lines[6]!.at - Date.parse(AT)).toBe(20_000);
});

test('it stops when the Node is there again', () => {
  const back = { ...gone, Node: { metadata: { creationTimestamp: '2026-01-01T00:00:35Z' } } };
  expect(viewKubeletLog(read([], [], back), 'n')).toHaveLength(12);
});
