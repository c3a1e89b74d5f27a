import type { Node } from '../../../api/core_v1.js';
import { sizeOf } from '../../../kernel/files/file-system.js';
import type { PressureEffect } from '../../../faults/index.js';
import { Pods } from '../../../kinds/index.js';
import { activeEffects } from '../../../kinds/terrarium/fault/active.js';
import type { Reader } from '../../../machinery/client.js';
import { quantityValue } from '../../../machinery/quantity/quantity.js';
import type { Millis } from '../../../machinery/time/time.js';
import { readRows } from '../../cri/records/file-record.js';
import type { Machines, PodView } from '../../cri/machines.js';
import { usedBy, type PodUsage } from './ranking.js';
import type { Observation, Observations } from './thresholds.js';

const MEBIBYTE = 1024 * 1024;
/** Bytes are given and taken by blocks and pages. */
const PAGE = 4_096;
/** What the node's own services and the pods that are not weighed use. */
const SYSTEM = { memory: 600 * MEBIBYTE, disk: 4_096 * MEBIBYTE, inodes: 180_000, processes: 160 } as const;
/** One for 16 KiB, as mkfs.ext4 makes them. */
const BYTES_PER_INODE = 16 * 1024;
/** kernel.pid_max of a machine with 64 bits. */
export const MAX_PROCESSES = 4_194_304;
const DEFAULT_DISK = '102625208Ki';

/** What the pods of a node use. `own`: one of them as its sync knows it. */
export function usagesOnNode(read: Reader, machines: Machines, node: string, now: Millis, own?: PodView): PodUsage[] {
  return read.byIndex(Pods, 'unfinishedByNode', node).map((pod) => {
    const view = own && own.pod.metadata.uid === pod.metadata.uid ? own : machines.viewOf(pod);
    const measure = machines.usageOf(view, now);
    return measure ? { pod, measure } : { pod };
  });
}

/**
 * What is left of a node by the signals of eviction. Images, containers and volumes lie on one file system. Models
 * pkg/kubelet/eviction/helpers.go makeSignalObservations.
 */
export function observe(node: Node, usages: readonly PodUsage[], read: Reader): Observations {
  const sum = (used: (usage: PodUsage) => number): number => usages.reduce((total, usage) => total + used(usage), 0);
  const images = (node.status.images ?? []).reduce((bytes, { sizeBytes = 0 }) => bytes + sizeBytes, 0);
  const host = hostUsage(read, node.metadata.name ?? '', usages);
  const capacity = node.status.capacity ?? {};
  const disk = quantityValue(capacity['ephemeral-storage'] ?? DEFAULT_DISK);
  const inodes = Math.floor(disk / BYTES_PER_INODE);
  const usedDisk = SYSTEM.disk + images + host.disk + sum((usage) => usedBy(usage, 'ephemeral-storage'));
  const usedInodes = SYSTEM.inodes + host.inodes + sum((usage) => usedBy(usage, 'inodes'));
  const faults = activeEffects(read, 'pressure').filter(({ nodes }) => nodes.includes(node.metadata.name ?? ''));
  const left = (capacity: number, used: number, resource: PressureEffect['resource']): Observation => {
    const available = Math.max(0, capacity - Math.max(used, takenBy(faults, resource, capacity)));
    const unit = resource === 'memory' || resource === 'disk' ? PAGE : 1;
    return { capacity, available: Math.floor(available / unit) * unit };
  };
  const bytesLeft = left(disk, usedDisk, 'disk');
  const inodesLeft = left(inodes, usedInodes, 'inodes');
  return {
    'memory.available': left(
      quantityValue(capacity['memory'] ?? '0'),
      SYSTEM.memory + sum((usage) => usedBy(usage, 'memory')),
      'memory',
    ),
    'nodefs.available': bytesLeft,
    'nodefs.inodesFree': inodesLeft,
    'imagefs.available': bytesLeft,
    'imagefs.inodesFree': inodesLeft,
    'pid.available': left(MAX_PROCESSES, SYSTEM.processes + sum((usage) => usedBy(usage, 'pids')), 'pids'),
  };
}

/** What is in use when something beside the pods and the node's services takes so much that it is a share. */
const takenBy = (faults: readonly PressureEffect[], resource: string, capacity: number): number =>
  (capacity * Math.max(0, ...faults.map((one) => (one.resource === resource ? one.percent : 0)))) / 100;

/** What somebody has written to the node's disk itself: as it is stored, or as a pod that has it mounted sees it. */
function hostUsage(read: Reader, name: string, usages: readonly PodUsage[]): { disk: number; inodes: number } {
  const found = { disk: 0, inodes: 0 };
  for (const { inode } of readRows(read, `node/${name}`)) {
    if (!inode) continue;
    found.inodes++;
    if (inode.node.type === 'file') found.disk += sizeOf(inode.node);
  }
  for (const { measure } of usages) {
    found.disk = Math.max(found.disk, measure?.host?.disk ?? 0);
    found.inodes = Math.max(found.inodes, measure?.host?.inodes ?? 0);
  }
  return found;
}
