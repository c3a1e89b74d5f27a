import type { Pod } from '../api/core_v1.js';
import { Nodes, Pods } from '../kinds/index.js';
import type { Reader } from '../machinery/client.js';
import type { SchedulingReport } from '../machinery/questions/why.js';
import { SchedulerCache } from './cache/cache.js';
import { numbersOf } from './explain-numbers.js';
import { fitErrorMessage } from './fit-error.js';
import type { NodeInfo } from './cache/node-info.js';
import { unresolvable, type Filter, type Rejection, type Snapshot } from './plugin.js';
import { filters } from './plugins/index.js';

/** Nodes that a report tells of one by one. */
const MAX_NODES = 100;

interface NamedFilter {
  readonly plugin: string;
  readonly filter: Filter;
}

/**
 * What every plug-in says of every node for a pod, at present: a cycle stops at a node's first rejection, this does
 * not. Changes nothing.
 */
export function explainScheduling(pod: Pod, read: Reader): SchedulingReport {
  const cache = new SchedulerCache();
  for (const node of read.list(Nodes)) cache.onNode(undefined, node);
  for (const other of read.list(Pods)) cache.onPod(undefined, other);
  const nodes = cache.nodes();
  const active = preFilter(pod, { nodes, read, nominations: cache.nominations });
  const first = (info: NodeInfo): Rejection | undefined => reject(active, info)[0]?.rejection;
  const rejections = new Map<NodeInfo, Rejection>();
  for (const info of nodes) {
    const rejection = first(info);
    if (rejection) rejections.set(info, rejection);
  }
  const preFilterMessage = active.find(({ isOfPod }) => isOfPod)?.message;
  const isRefused = rejections.size === nodes.length;
  const error = { nodes: nodes.length, preFilterMessage, rejections, filter: first };
  return {
    summary: isRefused ? fitErrorMessage(error) : '',
    nodes: nodes.slice(0, MAX_NODES).map((info) => ({
      node: info.name,
      verdicts: reject(active, info).map(({ plugin, rejection }) => {
        const numbers = numbersOf(plugin, pod, info);
        return `${plugin}: ${rejection.reasons.join(', ')}${numbers && ` (${numbers})`}`;
      }),
    })),
    left: Math.max(0, nodes.length - MAX_NODES),
  };
}

interface ActiveFilter extends NamedFilter {
  /** The plug-in has rejected the pod whatever the node is. */
  readonly isOfPod: boolean;
  readonly message?: string;
}

function preFilter(pod: Pod, snapshot: Snapshot): ActiveFilter[] {
  return filters.flatMap((plugin): ActiveFilter[] => {
    const filter = plugin.preFilter(pod, snapshot);
    if (!filter) return [];
    if (typeof filter === 'function') return [{ plugin: plugin.name, filter, isOfPod: false }];
    const { preFilterMessage: message } = filter;
    return [{ plugin: plugin.name, filter: () => unresolvable(message), isOfPod: true, message }];
  });
}

const reject = (active: readonly NamedFilter[], info: NodeInfo): { plugin: string; rejection: Rejection }[] =>
  active.flatMap(({ plugin, filter }) => {
    const rejection = filter(info);
    return rejection ? [{ plugin, rejection }] : [];
  });
