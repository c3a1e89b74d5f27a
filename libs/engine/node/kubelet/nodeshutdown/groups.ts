import type { Pod } from '../../../api/core_v1.js';
import type { KubeletConfiguration } from '../../../kinds/terrarium/noderuntime/kind.js';
import { SECOND } from '../../../machinery/time/time.js';
import { parseSpan } from '../duration.js';

const SYSTEM_CRITICAL = 2_000_000_000;

/** Pods of this priority or more, up to the next group's, have so many seconds. */
export interface ShutdownGroup {
  readonly priority: number;
  readonly seconds: number;
}

/**
 * How a kubelet ends its pods before its node goes down, the least important first; none: it does not. Models
 * pkg/kubelet/nodeshutdown/nodeshutdown_manager.go migrateConfig.
 */
export function shutdownGroups(config: KubeletConfiguration): ShutdownGroup[] {
  const { shutdownGracePeriodByPodPriority: byPriority, shutdownGracePeriod, shutdownGracePeriodCriticalPods } = config;
  if (byPriority?.length)
    return byPriority
      .map(({ priority, shutdownGracePeriodSeconds: seconds }) => ({ priority, seconds }))
      .sort((a, b) => a.priority - b.priority);
  const total = parseSpan(shutdownGracePeriod ?? '0') ?? 0;
  const critical = parseSpan(shutdownGracePeriodCriticalPods ?? '0') ?? 0;
  if (total <= 0 || total < critical) return [];
  return [
    { priority: 0, seconds: Math.floor((total - critical) / SECOND) },
    { priority: SYSTEM_CRITICAL, seconds: Math.floor(critical / SECOND) },
  ];
}

/** The group of a pod: that of the highest priority which is not above its own, else the lowest. */
export function groupOf({ spec }: Pod, groups: readonly ShutdownGroup[]): number {
  const own = spec.priority ?? 0;
  return Math.max(
    0,
    groups.findLastIndex(({ priority }) => priority <= own),
  );
}

/** A pod has no more time than its group, nor than it asks for. */
export const graceOf = ({ spec }: Pod, { seconds }: ShutdownGroup): number =>
  Math.min(spec.terminationGracePeriodSeconds ?? seconds, seconds);
