import type { Node, Pod } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';
import type { ContainerMeasure } from '../../cri/looks/measure.js';
import { observe } from '../eviction/observations.js';
import { usedBy, type PodUsage } from '../eviction/ranking.js';
import type { Observation } from '../eviction/thresholds.js';
import { runningContainersOf } from './containers.js';

const NANOS_PER_MS = 1_000_000;

export interface SummaryInput {
  readonly node: Node;
  readonly pods: readonly Pod[];
  readonly usages: readonly PodUsage[];
  readonly read: Reader;
  readonly now: Millis;
}

/**
 * What a node and its pods use. Models kubelet/pkg/apis/stats/v1alpha1 Summary. Left out: what containers use that are
 * known by their image's summary, the network, rates of CPU.
 */
export function summarize(input: SummaryInput): unknown {
  const { node, pods, usages, now } = input;
  return {
    node: summarizeNode(input),
    pods: pods
      .filter((pod) => runningContainersOf(pod).length > 0)
      .map((pod) =>
        summarizePod(
          pod,
          usages.find((usage) => usage.pod.metadata.uid === pod.metadata.uid),
          node,
          now,
        ),
      ),
  };
}

function summarizeNode({ node, usages, read, now }: SummaryInput): unknown {
  const seen = observe(node, usages, read);
  const time = timestamp(now);
  const [memory, disk, inodes, pids] = [
    seen['memory.available']!,
    seen['nodefs.available']!,
    seen['nodefs.inodesFree']!,
    seen['pid.available']!,
  ];
  const fs = {
    time,
    ...bytesOf(disk),
    inodesFree: inodes.available,
    inodes: inodes.capacity,
    inodesUsed: used(inodes),
  };
  const images = (node.status.images ?? []).reduce((bytes, { sizeBytes = 0 }) => bytes + sizeBytes, 0);
  return {
    nodeName: node.metadata.name,
    startTime: node.metadata.creationTimestamp,
    memory: { time, availableBytes: memory.available, usageBytes: used(memory), workingSetBytes: used(memory) },
    fs,
    runtime: { imageFs: { ...fs, usedBytes: images }, containerFs: fs },
    rlimit: { time, maxpid: pids.capacity, curproc: used(pids) },
  };
}

const used = ({ available, capacity }: Observation): number => capacity - available;
const bytesOf = (one: Observation): object => ({
  availableBytes: one.available,
  capacityBytes: one.capacity,
  usedBytes: used(one),
});

function summarizePod(pod: Pod, usage: PodUsage | undefined, node: Node, now: Millis): unknown {
  const time = timestamp(now);
  const measure = usage?.measure;
  const containers = runningContainersOf(pod).map(({ name, state }) => ({
    name,
    startTime: state?.running?.startedAt,
    ...containerStats(measure?.containers.get(name), time),
  }));
  const podRef = { name: pod.metadata.name, namespace: pod.metadata.namespace, uid: pod.metadata.uid };
  const summary = { podRef, startTime: pod.status.startTime, containers };
  if (!usage || !measure) return summary;
  const all = [...measure.containers.values()];
  return {
    ...summary,
    cpu: { time, usageCoreNanoSeconds: nanosOf(all.reduce((sum, { cpuMs }) => sum + cpuMs, 0)) },
    memory: memoryStats(usedBy(usage, 'memory'), time),
    volume: [...measure.volumes].map(([name, { disk, inodes }]) => ({
      time,
      usedBytes: disk,
      inodesUsed: inodes,
      name,
    })),
    'ephemeral-storage': {
      time,
      capacityBytes: Number.parseInt(node.status.capacity?.['ephemeral-storage'] ?? '0', 10) * 1024,
      usedBytes: usedBy(usage, 'ephemeral-storage'),
      inodesUsed: usedBy(usage, 'inodes'),
    },
    process_stats: { process_count: measure.processes },
  };
}

const nanosOf = (ms: number): number => Math.round(ms * NANOS_PER_MS);
const memoryStats = (bytes: number, time: string): object => ({
  time,
  usageBytes: bytes,
  workingSetBytes: bytes,
  rssBytes: bytes,
});

function containerStats(measure: ContainerMeasure | undefined, time: string): object {
  if (!measure) return {};
  const { memory, cpuMs, disk, inodes, logBytes } = measure;
  return {
    cpu: { time, usageCoreNanoSeconds: nanosOf(cpuMs) },
    memory: memoryStats(memory, time),
    rootfs: { time, usedBytes: disk - logBytes, inodesUsed: inodes },
    logs: { time, usedBytes: logBytes, inodesUsed: 1 },
  };
}
