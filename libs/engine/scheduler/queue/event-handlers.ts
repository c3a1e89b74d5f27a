import type { Node, PersistentVolume, Pod } from '../../api/core_v1.js';
import { claimNamesOf } from '../../kinds/core/pod/claims.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import { Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { NO_KEYS } from '../../runtime/controller.js';
import { isPending, isUnschedulable } from './pending.js';

/** Files each waiting pod under the events that can make it schedulable. */
export const WAITING_PODS = 'scheduler/unschedulable';
type WaitingFor = 'yes' | 'affine' | 'claiming';

const NOTHING: readonly WaitingFor[] = [];
const ROOM: readonly WaitingFor[] = ['yes'];
const ROOM_AND_PODS: readonly WaitingFor[] = ['yes', 'affine'];
const ROOM_PODS_AND_VOLUMES: readonly WaitingFor[] = ['yes', 'affine', 'claiming'];

/**
 * The values of a pod in the index WAITING_PODS. A pod with claims can wait for its volumes to be bound without having
 * been unschedulable.
 */
export function waitingFor(pod: Pod): readonly WaitingFor[] {
  if (!isPending(pod)) return NOTHING;
  if (claimNamesOf(pod).length > 0) return ROOM_PODS_AND_VOLUMES;
  if (!isUnschedulable(pod)) return NOTHING;
  return pod.spec.affinity || pod.spec.topologySpreadConstraints ? ROOM_AND_PODS : ROOM;
}

const podsWaitingFor = (reader: Reader, event: WaitingFor): readonly Key[] =>
  reader.byIndex(Pods, WAITING_PODS, event).map(keyOf);
export const podsWaitingForRoom = (reader: Reader): readonly Key[] => podsWaitingFor(reader, 'yes');
export const podsWaitingForOtherPods = (reader: Reader): readonly Key[] => podsWaitingFor(reader, 'affine');
export const podsWaitingForVolumes = (reader: Reader): readonly Key[] => podsWaitingFor(reader, 'claiming');

/** Whether a pending pod is new or has changed in a way that a cycle depends on. */
export const isSchedulingChange = (pod: Pod, old: Pod | undefined): boolean =>
  isPending(pod) && isChangedForCycle(pod, old);

export const isChangedForCycle = (pod: Pod, old: Pod | undefined): boolean =>
  !old ||
  old.spec !== pod.spec ||
  old.metadata.labels !== pod.metadata.labels ||
  old.status.nominatedNodeName !== pod.status.nominatedNodeName ||
  old.status.resourceClaimStatuses !== pod.status.resourceClaimStatuses;

/** Whether a change of a node can make room, as its heartbeat and its list of images cannot. */
export const isRoomChange = (next: Node, old: Node | undefined): boolean =>
  !old ||
  old.spec !== next.spec ||
  old.metadata.labels !== next.metadata.labels ||
  old.status.allocatable !== next.status.allocatable;

/** The pods that wait for room, when an assigned pod has ended or is deleted, or one needs its node no more. */
export function podsForFreedRoom(pod: Pod, reader: Reader, old: Pod | undefined): readonly Key[] {
  if (old && leavesNomination(pod, old, reader)) return podsWaitingForRoom(reader);
  if (!pod.spec.nodeName || !old) return NO_KEYS;
  const hasEnded = isPodTerminal(pod) && !isPodTerminal(old);
  return hasEnded || !reader.get(Pods, keyOf(pod)) ? podsWaitingForRoom(reader) : NO_KEYS;
}

/** Whether a pod does not go to the node that it was nominated to run on. Models eventhandlers.go. */
function leavesNomination(pod: Pod, old: Pod, reader: Reader): boolean {
  const node = old.spec.nodeName ? undefined : old.status.nominatedNodeName;
  if (!node || pod.spec.nodeName === node) return false;
  return pod.status.nominatedNodeName !== node || !isPending(pod) || !reader.get(Pods, keyOf(pod));
}

/** Whether a pod was assigned or an assigned pod's labels changed: inter-pod affinity and spreading depend on that. */
export const isAssignedPodChange = (pod: Pod, old: Pod | undefined): boolean =>
  Boolean(pod.spec.nodeName) && (!old?.spec.nodeName || old.metadata.labels !== pod.metadata.labels);

export const hasBecomeAvailable = (volume: PersistentVolume, old: PersistentVolume | undefined): boolean =>
  volume.status.phase === 'Available' && old?.status.phase !== 'Available';
