import type { PersistentVolumeClaimStatus } from '../../../api/core_v1.js';

const CONDITIONS: readonly string[] = ['Resizing', 'FileSystemResizePending'];

/** Whether a claim's condition is about its resize. */
export const isResize = (type: string): boolean => CONDITIONS.includes(type);

/** What the status of a claim is when its volume has this size. Models MarkFSResizeFinished. */
export function resizedStatus(status: PersistentVolumeClaimStatus, size: string): PersistentVolumeClaimStatus {
  const { storage: _, ...statuses } = status.allocatedResourceStatuses ?? {};
  const conditions = (status.conditions ?? []).filter(({ type }) => !isResize(type));
  const { allocatedResourceStatuses: _statuses, conditions: _conditions, ...rest } = status;
  return {
    ...rest,
    ...(Object.keys(statuses).length > 0 ? { allocatedResourceStatuses: statuses } : {}),
    ...(conditions.length > 0 ? { conditions } : {}),
    capacity: { ...status.capacity, storage: size },
  };
}
