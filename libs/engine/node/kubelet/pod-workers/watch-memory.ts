import type { Container } from '../../../api/core_v1.js';
import { SECOND } from '../../../machinery/time/time.js';
import type { Process } from '../../cri/image.js';
import { nextMonitoring } from '../eviction/local-storage.js';
import { availableMemory, MEMORY_THRESHOLD } from '../eviction/memory.js';
import { memoryOnNode, pressureOf, setPressure } from '../eviction/pressure.js';
import { readNode, startTimeOf, viewOfSync, wakeNoLaterThan, type PodSync } from './pod-sync.js';

/**
 * Looks whether a node has run short of memory when one of its containers holds much of it, as often as the kubelet
 * measures and something happens in its machine. From there on evictionManager measures the node.
 */
export function watchMemory(sync: PodSync, container: Container, process: Process): void {
  const { machines, context, pod } = sync;
  const { now, client } = context;
  if (!machines || process.heavyAfterMs === undefined) return;
  const heavyAt = startTimeOf(sync, container) + process.heavyAfterMs;
  // A machine may be a little ahead of the time that it was asked for.
  if (heavyAt > now + SECOND) return wakeNoLaterThan(sync, nextMonitoring(heavyAt));
  if (nextMonitoring(now) > now) return wakeNoLaterThan(sync, nextMonitoring(now));
  const node = readNode(client, pod);
  const view = viewOfSync(sync);
  if (!pressureOf(node)) {
    const usages = memoryOnNode(client, machines, pod.spec.nodeName ?? '', now, view);
    if (availableMemory(node, usages) < MEMORY_THRESHOLD) setPressure(context, node, true);
  }
  const next = machines.quietUntil(view, now);
  if (next < Infinity) wakeNoLaterThan(sync, nextMonitoring(Math.max(next, now + 1)));
}
