import type { Event } from '../../../api/core_v1.js';
import { Events, NodeRuntimes, Nodes, Pods } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { parseTimestamp, SECOND, type Millis } from '../../../machinery/time/time.js';
import { isCritical } from '../../kubelet/eviction/local-storage.js';
import type { KubeletLine } from './kubelet-line.js';
import { podLines } from './kubelet-pods.js';

/** Where a node keeps what its kubelet has logged of pressure and pods: KubeletLine[] as JSON, made when it is read. */
export const KUBELET_LOG_FILE = '/run/kubelet/log.json';

export type { KubeletLine };

const MAX_EVENTS = 200;
const CONDITION = /^NodeHas(?:No|Sufficient|Insufficient)?\w+/;
const RECLAIM = /^Attempting to reclaim (\S+)/;
const UNADMITTED = /^The node had condition: \[([^\]]*)\]/;
/** Images and ended containers take none of these. */
const NOT_OF_DISKS = new Set(['memory', 'pids']);

/**
 * What a kubelet logs of conditions, evictions and pods that do not come up, by the events that it has recorded.
 * Models eviction_manager.go and kubelet_node_status.go.
 */
export function viewKubeletLog(read: Reader, node: string): KubeletLine[] {
  const events = read.list(Events).filter(({ involvedObject, source, reportingInstance }) => {
    const host = source?.host ?? reportingInstance;
    return involvedObject.kind === 'Node' ? involvedObject.name === node : host === node;
  });
  return [
    ...events.slice(-MAX_EVENTS).flatMap((event) => linesOf(read, node, event)),
    ...podLines(read, node),
    ...unregisteredLines(read, node),
  ].sort((a, b) => a.at - b.at);
}

/** A kubelet looks for its Node so often; each time it tries five times. Models kubelet_node_status.go. */
const STATUS_PERIOD: Millis = 10 * SECOND;
const STATUS_TRIES = 5;
const MAX_PERIODS = 30;

/** What a kubelet says of its Node that somebody has deleted, until it is there again; the first minutes of it. */
function unregisteredLines(read: Reader, node: string): KubeletLine[] {
  const key = { namespace: '', name: node };
  const deletedAt = read.get(NodeRuntimes, key)?.machine?.metadata.deletionTimestamp;
  if (deletedAt === undefined) return [];
  const created = read.get(Nodes, key)?.metadata.creationTimestamp;
  const end = created === undefined ? Infinity : parseTimestamp(created);
  const missing = `error getting node \\"${node}\\": nodes \\"${node}\\" not found`;
  const tried = `kubelet_node_status.go:549] "Error updating node status, will retry" err="${missing}"`;
  const texts = [...Array<string>(STATUS_TRIES).fill(tried), UNABLE];
  return Array.from({ length: MAX_PERIODS }, (_, i) => parseTimestamp(deletedAt) + (i + 1) * STATUS_PERIOD)
    .filter((at) => at < end)
    .flatMap((at) => texts.map((text): KubeletLine => ({ at, level: 'E', text })));
}

const UNABLE =
  'kubelet_node_status.go:536] "Unable to update node status" err="update node status exceeds retry count"';

function linesOf(read: Reader, node: string, event: Event): KubeletLine[] {
  const { reason = '', message = '', involvedObject } = event;
  const [first, last] = timesOf(event);
  const line = (at: Millis, text: string, level: KubeletLine['level'] = 'I'): KubeletLine => ({ at, level, text });
  if (involvedObject.kind === 'Node' && CONDITION.test(reason)) {
    const text = `kubelet_node_status.go:736] "Recording event message for node" node="${node}" event="${reason}"`;
    return [...new Set([first, last])].map((at) => line(at, text));
  }
  if (reason === 'Evicted') {
    const pod = `${involvedObject.namespace ?? ''}/${involvedObject.name ?? ''}`;
    const conditions = UNADMITTED.exec(message)?.[1];
    if (conditions !== undefined) {
      const names = conditions
        .split(' ')
        .map((name) => `"${name}"`)
        .join(',');
      const text = `eviction_manager.go:170] "Failed to admit pod to node" pod="${pod}" nodeCondition=[${names}]`;
      return [line(last, text)];
    }
    return [
      line(last, `eviction_manager.go:410] "Eviction manager: pods ranked for eviction" pods=["${pod}"]`),
      line(last + 1, `eviction_manager.go:627] "Eviction manager: pod is evicted successfully" pod="${pod}"`),
      line(
        last + 2,
        `eviction_manager.go:205] "Eviction manager: pods evicted, waiting for pod to be cleaned up" pods=["${pod}"]`,
      ),
    ];
  }
  const resource = reason === 'EvictionThresholdMet' ? RECLAIM.exec(message)?.[1] : undefined;
  if (resource === undefined) return [];
  const begin = (at: Millis): KubeletLine[] => [
    line(at, `eviction_manager.go:381] "Eviction manager: attempting to reclaim" resourceName="${resource}"`),
    ...(NOT_OF_DISKS.has(resource)
      ? []
      : [
          line(at, 'container_gc.go:86] "Attempting to delete unused containers"'),
          line(at, 'image_gc_manager.go:459] "Attempting to delete unused images"'),
        ]),
    line(at, `eviction_manager.go:392] "Eviction manager: must evict pod(s) to reclaim" resourceName="${resource}"`),
  ];
  const isOnce = last - first < SECOND;
  return [...begin(first), ...(isOnce ? [] : [...begin(last), ...unableLines(read, node, last)])];
}

/** Of what goes on being tried: who is left is critical. */
function unableLines(read: Reader, node: string, at: Millis): KubeletLine[] {
  const critical = read.byIndex(Pods, 'nodeName', node).filter(isCritical);
  return [
    ...critical.map(({ metadata }): KubeletLine => {
      const pod = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
      return {
        at,
        level: 'E',
        text: `eviction_manager.go:614] "Eviction manager: cannot evict a critical pod" pod="${pod}"`,
      };
    }),
    { at, level: 'I', text: 'eviction_manager.go:447] "Eviction manager: unable to evict any pods from the node"' },
  ];
}

function timesOf({ firstTimestamp, lastTimestamp, eventTime, metadata }: Event): [first: Millis, last: Millis] {
  const first = firstTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';
  return [parseTimestamp(first), parseTimestamp(lastTimestamp ?? first)];
}
