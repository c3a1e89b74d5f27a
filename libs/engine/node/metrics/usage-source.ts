import type { Node, Pod } from '../../api/core_v1.js';
import { Nodes, Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import {
  USAGE_WINDOW,
  type NodeUsage,
  type PodUsage,
  type Usage,
  type UsageSource,
} from '../../machinery/questions/usage.js';
import { parseTimestamp, type Millis } from '../../machinery/time/time.js';
import type { Machines } from '../cri/machines.js';
import { leakedBytes } from '../kubelet/container/process-faults.js';
import { runningContainersOf } from '../kubelet/server/containers.js';
import { hash32 } from '../../machinery/random.js';
import { idleUsage } from './baseline.js';

const MIB = 2 ** 20;
/** What a node's kubelet, container runtime and system use beside its pods. */
const SYSTEM: Usage = { cpu: 36, memory: 440 * MIB };
/** What begins within it is waited for. */
const SOON: Millis = 60_000;

/**
 * What a cluster's containers use: what programs did in their machines, and for servers that are known by their image's
 * summary what such a server uses while it waits. Models the kubelet's /metrics/resource as metrics-server reads it.
 */
export class MeasuredUsage implements UsageSource {
  constructor(
    private readonly read: Reader,
    private readonly machines: Machines,
  ) {}

  pods(namespace: string, now: Millis): PodUsage[] {
    this.runSenders(now);
    return this.runningPods(namespace).flatMap((pod) => {
      const containers = this.usageOf(pod, now);
      return containers.size > 0 ? [{ pod, containers }] : [];
    });
  }

  nodes(now: Millis): NodeUsage[] {
    const pods = this.pods('', now);
    return this.read.list(Nodes).flatMap((node) => {
      if (!isTelling(node)) return [];
      const usage = { ...SYSTEM, cpu: SYSTEM.cpu + (hash32(node.metadata.uid ?? '') % 12) };
      for (const { pod, containers } of pods) {
        if (pod.spec.nodeName !== node.metadata.name) continue;
        for (const { cpu, memory } of containers.values())
          [usage.cpu, usage.memory] = [usage.cpu + cpu, usage.memory + memory];
      }
      return [{ node, ...usage }];
    });
  }

  mayChange(now: Millis): boolean {
    return this.machines.connected(now).some(({ pod, state }) => {
      if (pod.status.phase !== 'Running') return false;
      if ([...state.containers.values()].some(({ cpu }) => wasBusy(cpu.recent, cpu.steady, now))) return true;
      return this.machines.quietUntil(this.machines.viewOf(pod), now) < now + SOON;
    });
  }

  /** What programs do to others is done when they have come to this time themselves. */
  private runSenders(now: Millis): void {
    this.machines.connected(now);
  }

  private runningPods(namespace: string): Pod[] {
    return this.read
      .list(Pods, namespace || undefined)
      .filter(({ status, spec }) => status.phase === 'Running' && spec.nodeName);
  }

  private usageOf(pod: Pod, now: Millis): Map<string, Usage> {
    const since = Math.floor(now / USAGE_WINDOW) * USAGE_WINDOW - USAGE_WINDOW;
    const running = runningContainersOf(pod).filter(
      ({ state }) => parseTimestamp(state?.running?.startedAt ?? '') <= since,
    );
    const found = new Map<string, Usage>();
    if (running.length === 0) return found;
    const view = this.machines.viewOf(pod);
    const measure = this.machines.knownUsageOf(view, now);
    for (const { name, image, state } of running) {
      const own = measure?.containers.get(name);
      const isServer = this.machines.isSummedUp(view, name);
      const idle = idleUsage(image ?? '', `${pod.metadata.uid} ${name}`, isServer);
      const container = pod.spec.containers.find((one) => one.name === name);
      const startedAt = parseTimestamp(state?.running?.startedAt ?? '');
      const leaked = container ? leakedBytes(this.read, pod, container, startedAt, now) : 0;
      const memory = Math.max(idle.memory, own?.memory ?? 0, leaked);
      found.set(name, { cpu: idle.cpu + (own?.cpuRate ?? 0), memory });
    }
    return found;
  }
}

const isTelling = ({ status }: Node): boolean =>
  !status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'Unknown');

/** Programs that use next to nothing for two windows are as good as at rest. */
function wasBusy(recent: readonly number[] = [], steady: number | undefined, now: Millis): boolean {
  if (steady) return true;
  const since = Math.floor(now / USAGE_WINDOW) - 2;
  let used = 0;
  for (let i = 0; i < recent.length; i += 2) if (recent[i]! >= since) used += recent[i + 1]!;
  return used > 1;
}
