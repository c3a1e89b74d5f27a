import type { Container } from '../../../api/core_v1.js';
import { configurationOf } from '../../../kinds/terrarium/noderuntime/kind.js';
import { SECOND } from '../../../machinery/time/time.js';
import type { Process } from '../../cri/image.js';
import { nextMonitoring } from '../eviction/local-storage.js';
import { observe, usagesOnNode } from '../eviction/observations.js';
import { pressuresOf, setPressures } from '../eviction/pressure.js';
import { conditionOf, isMet, thresholdsOf } from '../eviction/thresholds.js';
import { readNode, startTimeOf, viewOfSync, wakeNoLaterThan, type PodSync } from './pod-sync.js';

/**
 * Looks whether a node has run short of something when one of its containers uses much of it, or when its kubelet has
 * thresholds of its own, as often as the kubelet measures and something happens in the pod's machine. From there on
 * evictionManager measures the node.
 */
export function watchResources(sync: PodSync, container: Container, process: Process): void {
  const { machines, context, pod } = sync;
  const { now, client } = context;
  const nodeName = pod.spec.nodeName ?? '';
  const config = configurationOf(client, nodeName);
  const isWatched = config.evictionHard !== undefined || config.evictionSoft !== undefined;
  const after = process.heavyAfterMs ?? (isWatched ? 0 : undefined);
  if (!machines || after === undefined) return;
  const heavyAt = startTimeOf(sync, container) + after;
  // A machine may be a little ahead of the time that it was asked for.
  if (heavyAt > now + SECOND) return wakeNoLaterThan(sync, nextMonitoring(heavyAt));
  if (nextMonitoring(now) > now) return wakeNoLaterThan(sync, nextMonitoring(now));
  const node = readNode(client, pod);
  const view = viewOfSync(sync);
  const known = pressuresOf(node);
  const observations = observe(node, usagesOnNode(client, machines, nodeName, now, view), client);
  const met = thresholdsOf(config).filter((threshold) => isMet(threshold, observations));
  const found = met.map(({ signal }) => conditionOf(signal)).filter((type) => !known.includes(type));
  if (found.length > 0) setPressures(context, node, new Map(found.map((type) => [type, true])));
  if (!process.isMachine) return;
  const next = machines.quietUntil(view, now);
  if (next < Infinity) wakeNoLaterThan(sync, nextMonitoring(Math.max(next, now + 1)));
}
