import type { Pod, Volume } from '../../api/core_v1.js';
import { claimNamesOf } from '../../kinds/core/pod/claims.js';
import { PersistentVolumeClaims } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import type { NodeInfo } from '../cache/node-info.js';
import { unschedulable, type FilterPlugin, type Rejection } from '../plugin.js';

const DISK_CONFLICT = unschedulable('node(s) had no available disk');
const CLAIM_CONFLICT = unschedulable(
  'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode',
);
const ONE_POD = 'ReadWriteOncePod';

/**
 * Filters nodes whose pods have a disk of the pod's own already, and all nodes while any pod of the cluster uses a
 * claim of it that is for one pod alone: without that pod it fits again. Models plugins/volumerestrictions.
 */
export const volumeRestrictions: FilterPlugin = {
  name: 'VolumeRestrictions',
  preFilter(pod, { nodes, read }) {
    const volumes = pod.spec.volumes ?? [];
    const names = claimsOfOnePod(pod, read);
    if (names.size === 0 && !volumes.some(isDisk)) return undefined;
    const isUser = (other: Pod): boolean => usesClaim(other, pod, names);
    const users =
      names.size === 0 ? [] : nodes.flatMap((info) => [...info.pods.values()].filter(isUser).map(() => info.name));
    return (info) => rejectionOf(info, volumes, isUser, users);
  },
};

function rejectionOf(
  info: NodeInfo,
  volumes: readonly Volume[],
  isUser: (pod: Pod) => boolean,
  users: readonly string[],
): Rejection | undefined {
  const there = [...info.pods.values()];
  if (there.some(({ spec }) => (spec.volumes ?? []).some((other) => volumes.some((own) => isSameDisk(own, other)))))
    return DISK_CONFLICT;
  // The node may be one without some of its pods, or with nominated ones: the others are as they are.
  return users.some((node) => node !== info.name) || there.some(isUser) ? CLAIM_CONFLICT : undefined;
}

/** Claims of a pod that one pod of the cluster may use at a time. */
function claimsOfOnePod(pod: Pod, read: Reader): ReadonlySet<string> {
  const namespace = pod.metadata.namespace ?? '';
  const isOfOne = (name: string): boolean =>
    read.get(PersistentVolumeClaims, { namespace, name })?.spec.accessModes?.includes(ONE_POD) === true;
  return new Set(claimNamesOf(pod).filter(isOfOne));
}

const usesClaim = (other: Pod, pod: Pod, names: ReadonlySet<string>): boolean =>
  other.metadata.namespace === pod.metadata.namespace &&
  other.metadata.uid !== pod.metadata.uid &&
  claimNamesOf(other).some((name) => names.has(name));

const isDisk = ({ gcePersistentDisk, awsElasticBlockStore, rbd, iscsi }: Volume): boolean =>
  Boolean(gcePersistentDisk ?? awsElasticBlockStore ?? rbd ?? iscsi);

/** Two volumes of one disk, of which one at least is written. */
function isSameDisk(a: Volume, b: Volume): boolean {
  const isWritten = (one?: { readOnly?: boolean }, other?: { readOnly?: boolean }): boolean =>
    !(one?.readOnly && other?.readOnly);
  if (a.gcePersistentDisk && a.gcePersistentDisk.pdName === b.gcePersistentDisk?.pdName)
    return isWritten(a.gcePersistentDisk, b.gcePersistentDisk);
  if (a.awsElasticBlockStore) return a.awsElasticBlockStore.volumeID === b.awsElasticBlockStore?.volumeID;
  if (a.iscsi && a.iscsi.iqn === b.iscsi?.iqn) return isWritten(a.iscsi, b.iscsi);
  if (!a.rbd || !b.rbd) return false;
  const { monitors, pool = 'rbd', image } = a.rbd;
  const isShared = monitors.some((one) => b.rbd?.monitors.includes(one));
  return isShared && pool === (b.rbd.pool ?? 'rbd') && image === b.rbd.image && isWritten(a.rbd, b.rbd);
}
