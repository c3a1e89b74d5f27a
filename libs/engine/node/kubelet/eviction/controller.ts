import type { Node, Pod } from '../../../api/core_v1.js';
import type { PressureEffect } from '../../../faults/index.js';
import { Faults, NodeRuntimes, Nodes, Pods } from '../../../kinds/index.js';
import { activeEffects, changesEffects, nodesOf } from '../../../kinds/terrarium/fault/active.js';
import type { Fault } from '../../../kinds/terrarium/fault/kind.js';
import { configurationOf, runsPods, type KubeletConfiguration } from '../../../kinds/terrarium/noderuntime/kind.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { microTimestamp, parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import { defineController, watch, type Context, type Controller, type Result } from '../../../runtime/controller.js';
import type { Machines } from '../../cri/machines.js';
import { deleteUnusedImages } from '../images/image-gc.js';
import { collectImages } from '../images/periodic-gc.js';
import { withIdleUsage } from './idle-usage.js';
import { markStopped, stoppedSince } from '../pod/mark-stopped.js';
import { EVICTED, EVICTION_GRACE_SECONDS, isCritical, MONITORING_PERIOD, nextMonitoring } from './local-storage.js';
import { observe, usagesOnNode } from './observations.js';
import { pressureOf, PRESSURES, pressuresOf, setPressures } from './pressure.js';
import { evictionMessage, rankPods, type PodUsage } from './ranking.js';
import {
  conditionOf,
  isMet,
  nameOf,
  starvedBy,
  thresholdsOf,
  transitionPeriodOf,
  type Observations,
  type PressureType,
  type Threshold,
} from './thresholds.js';

/**
 * Takes pods from a node that is short of something, one at each measure, until it is not. The first shortage is found
 * by the sync of a pod that uses much (pod-workers/watch-resources.ts): nobody measures nodes whose pods use little,
 * unless its kubelet was given thresholds. Models pkg/kubelet/eviction/eviction_manager.go synchronize.
 */
export const evictionManager = (machines?: Machines): Controller =>
  defineController<Node, undefined>({
    name: 'eviction',
    component: 'kubelet',
    actor: (key) => `system:node:${key.name}`,
    eventSource: 'kubelet',
    for: {
      kind: Nodes,
      when: (node, old) => pressuresOf(node).some((type) => !old || !pressureOf(old, type)),
    },
    watches: [
      watch({ kind: NodeRuntimes, keys: ({ metadata: { name = '' } }) => [{ namespace: '', name }] }),
      watch<Fault>({
        kind: Faults,
        when: (fault, old) => changesEffects(fault, old, 'pressure'),
        keys: (fault) => nodesOf(fault, 'pressure').map((name) => ({ namespace: '', name })),
      }),
    ],
    reconcile(context, key): Result | void {
      const { client, now } = context;
      const node = client.get(Nodes, key);
      const config = configurationOf(client, key.name);
      const own = activeEffects(client, 'pressure').filter(({ nodes }) => nodes.includes(key.name));
      const isWatched = config.evictionHard !== undefined || config.evictionSoft !== undefined || own.length > 0;
      if (!machines || !node || (!isWatched && pressuresOf(node).length === 0) || !runsPods(client, key.name)) return;
      const wait = nextMonitoring(now) - now;
      return wait > 0 ? { requeueAfter: wait } : synchronize(context, node, machines, withPidThreshold(config, own));
    },
  });

/** Of process IDs there is no threshold by default: a fault of them comes with the one that upstream's pages show. */
const withPidThreshold = (config: KubeletConfiguration, faults: readonly PressureEffect[]): KubeletConfiguration =>
  config.evictionHard === undefined && faults.some(({ resource }) => resource === 'pids')
    ? { ...config, evictionHard: { 'pid.available': '10%' }, mergeDefaultEvictionSettings: true }
    : config;

function synchronize(context: Context, node: Node, machines: Machines, config: KubeletConfiguration): Result | void {
  const { client, now } = context;
  const name = node.metadata.name ?? '';
  const usages = usagesOnNode(client, machines, name, now);
  const observations = observe(node, usages, client);
  const since = client.get(NodeRuntimes, { namespace: '', name })?.thresholds ?? {};
  const isOver = (one: Threshold): boolean => parseTimestamp(since[nameOf(one)] ?? '') + one.graceMs <= now;
  const met = thresholdsOf(config).filter((one) => isMet(one, observations, isOver(one)));
  const first = Object.fromEntries(met.map((one) => [nameOf(one), since[nameOf(one)] ?? microTimestamp(now)]));
  remember(context, name, first);
  const wake = reportPressures(context, node, new Set(met.map(({ signal }) => conditionOf(signal))), config);
  const due = met.filter((one) => one.graceMs === 0 || parseTimestamp(first[nameOf(one)]!) + one.graceMs <= now);
  const worst = due.find(({ signal }) => starvedBy(signal) === 'memory') ?? due[0];
  const isEvicting = usages.some(({ pod }) => stoppedSince(client, pod, EVICTED) !== undefined);
  const candidates = (): PodUsage[] =>
    usages.map((usage) => withIdleUsage(usage, (name) => machines.isSummedUp(machines.viewOf(usage.pod), name)));
  if (worst && !isEvicting) reclaim(context, { node, config, usages, candidates, observations, met: due, worst });
  const images = observations['imagefs.available'];
  if (met.length > 0 && images) collectImages(context, node, images, now - MONITORING_PERIOD);
  if (met.length > 0) return { requeueAfter: MONITORING_PERIOD };
  if (wake !== undefined) return { requeueAfter: wake - now };
}

/** When thresholds were first found met: only of a kubelet that was told some does that make a difference. */
function remember({ client }: Context, name: string, thresholds: Record<string, string>): void {
  const runtime = client.get(NodeRuntimes, { namespace: '', name });
  if (!runtime || deepEqual(runtime.thresholds ?? {}, thresholds)) return;
  const { thresholds: _before, ...rest } = runtime;
  client.update(NodeRuntimes, Object.keys(thresholds).length > 0 ? { ...rest, thresholds } : rest);
}

/** A node counts as short of something for a while after it was. Returns when the next shortage is over. */
function reportPressures(
  context: Context,
  node: Node,
  found: ReadonlySet<PressureType>,
  config: KubeletConfiguration,
): Millis | undefined {
  const { now } = context;
  const next = new Map<PressureType, boolean>();
  let wake: Millis | undefined;
  for (const type of PRESSURES) {
    const known = pressureOf(node, type);
    const until = parseTimestamp(known?.lastHeartbeatTime ?? '') + transitionPeriodOf(config);
    if (found.has(type)) next.set(type, true);
    else if (known && now >= until) next.set(type, false);
    else if (known) wake = Math.min(wake ?? Infinity, until);
  }
  if (next.size > 0) setPressures(context, node, next);
  return wake;
}

interface Shortage {
  readonly node: Node;
  readonly config: KubeletConfiguration;
  readonly usages: readonly PodUsage[];
  /** The same with what the kubelet measures of programs at rest. */
  candidates(): PodUsage[];
  readonly observations: Observations;
  readonly met: readonly Threshold[];
  /** The one that is acted on. */
  readonly worst: Threshold;
}

function reclaim(context: Context, shortage: Shortage): void {
  const { node, config, usages, observations, met, worst } = shortage;
  const { client, now } = context;
  const source = { component: 'kubelet', host: node.metadata.name ?? '' };
  const starved = starvedBy(worst.signal);
  context.event(node, 'Warning', 'EvictionThresholdMet', `Attempting to reclaim ${starved}`, { source });
  if (starved === 'ephemeral-storage' || starved === 'inodes') {
    // Its conditions may have just been reported.
    const stored = client.get(Nodes, keyOf(node)) ?? node;
    const cleaned = deleteUnusedImages(client, stored);
    const left = observe(cleaned, usages, client);
    if (cleaned !== stored && !thresholdsOf(config).some((one) => isMet(one, left, true))) return;
  }
  const isRunning = ({ status }: Pod): boolean =>
    Boolean(status.containerStatuses?.some(({ state }) => state?.running));
  const victim = rankPods(shortage.candidates(), starved).find(({ pod }) => isRunning(pod) && !isCritical(pod));
  if (!victim) return;
  const message = evictionMessage(victim, starved, met, observations);
  context.event(victim.pod, 'Warning', EVICTED, message, { source });
  const { evictionMaxPodGracePeriod = 0 } = config;
  const own = victim.pod.spec.terminationGracePeriodSeconds ?? 30;
  const graceSeconds = worst.graceMs > 0 ? Math.min(evictionMaxPodGracePeriod, own) : EVICTION_GRACE_SECONDS;
  // The pod's worker stops what is marked.
  const pod = client.get(Pods, {
    namespace: victim.pod.metadata.namespace ?? '',
    name: victim.pod.metadata.name ?? '',
  });
  if (pod) markStopped(client, pod, { reason: EVICTED, message, graceSeconds }, now);
}
