import type { ContainerStatus, Pod } from '../../../../api/core_v1.js';
import { isMirrorPod } from '../mirror.js';

const API_SERVER = 'kube-apiserver';
/** With it ends one that does not come up at all; why stands in its node's record. */
const NOT_STARTED = 1;

/** The node whose API server this pod is, while that has ended though it had come up: nobody listens at its port. */
export function endedApiServers({ metadata, spec, status }: Pod): string[] {
  if (!metadata.name?.startsWith(API_SERVER) || !isMirrorPod({ metadata })) return [];
  const found = status?.containerStatuses?.find(({ name }) => name === API_SERVER);
  return found && hasEnded(found) ? [spec.nodeName ?? ''] : [];
}

function hasEnded({ state, lastState }: ContainerStatus): boolean {
  const end = state?.terminated ?? (state?.running ? undefined : lastState?.terminated);
  return end !== undefined && end.exitCode !== NOT_STARTED;
}
