import type { KeyToPath, Pod, Volume, VolumeProjection } from '../../../api/core_v1.js';
import { claimNameOf, claimNamesOf, whyNotOfPod } from '../../../kinds/core/pod/claims.js';
import { isPodTerminal } from '../../../kinds/core/pod/status/phase.js';
import { ConfigMaps, PersistentVolumeClaims, Pods, Secrets } from '../../../kinds/index.js';
import type { FileTree } from '../../../kernel/files/tree.js';
import type { Reader } from '../../../machinery/client.js';
import { findInlineProblem } from '../../csi/inline-volume.js';
import { findAffinityProblem } from './volume-affinity.js';
import { findVolumeFaults } from './volume-faults.js';
import { findHostPathProblem } from './host-path-type.js';

const NO_FAILURES: readonly string[] = [];

/**
 * Why the pod's volumes cannot be mounted yet, in the words of FailedMount events. Models MountVolume.SetUp's errors.
 * `diskOf`: the files that a hostPath volume lies in; by default they are not looked at.
 */
export function findMountFailures(
  pod: Pod,
  read: Reader,
  diskOf: (volume: string) => FileTree | undefined = () => undefined,
): readonly string[] {
  const namespace = pod.metadata.namespace ?? '';
  let failures: string[] | undefined;
  for (const volume of pod.spec.volumes ?? []) {
    const problem =
      findSetUpProblem(volume, namespace, read) ??
      (volume.csi && findInlineProblem(volume.csi, pod.spec.nodeName ?? '', read)) ??
      findDiskProblem(volume, diskOf);
    if (problem) (failures ??= []).push(`MountVolume.SetUp failed for volume "${volume.name}" : ${problem}`);
    const claimProblem =
      findClaimProblem(volume, pod, read) ?? findAffinityProblem(volume, pod, read) ?? findOtherUser(volume, pod, read);
    if (claimProblem) (failures ??= []).push(claimProblem);
  }
  const faults = findVolumeFaults(pod, read);
  return failures ? [...failures, ...faults] : faults.length > 0 ? faults : NO_FAILURES;
}

function findDiskProblem(
  { name, hostPath }: Volume,
  diskOf: (volume: string) => FileTree | undefined,
): string | undefined {
  const disk = hostPath?.type ? diskOf(name) : undefined;
  return disk && findHostPathProblem(hostPath!, disk);
}

function findSetUpProblem(volume: Volume, namespace: string, read: Reader): string | undefined {
  const { configMap, secret, projected } = volume;
  if (configMap) return findConfigMapProblem(configMap, namespace, read);
  if (secret) return findSecretProblem({ ...secret, name: secret.secretName }, namespace, read);
  for (const source of projected?.sources ?? []) {
    const problem = findProjectionProblem(source, namespace, read);
    if (problem) return problem;
  }
  return undefined;
}

function findProjectionProblem(
  { configMap, secret }: VolumeProjection,
  namespace: string,
  read: Reader,
): string | undefined {
  if (configMap) return findConfigMapProblem(configMap, namespace, read);
  return secret && findSecretProblem(secret, namespace, read);
}

interface KeySource {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
}

function findConfigMapProblem(
  { name = '', items, optional }: KeySource,
  namespace: string,
  read: Reader,
): string | undefined {
  if (optional) return undefined;
  const found = read.get(ConfigMaps, { namespace, name });
  if (!found) return `configmap "${name}" not found`;
  const missing = findMissingKey({ ...found.data, ...found.binaryData }, items);
  return missing === undefined ? undefined : `configmap references non-existent config key: ${missing}`;
}

function findSecretProblem(
  { name = '', items, optional }: KeySource,
  namespace: string,
  read: Reader,
): string | undefined {
  if (optional) return undefined;
  const found = read.get(Secrets, { namespace, name });
  if (!found) return `secret "${name}" not found`;
  const missing = findMissingKey(found.data, items);
  return missing === undefined ? undefined : `references non-existent secret key: ${missing}`;
}

const findMissingKey = (
  data: Readonly<Record<string, string>> = {},
  items: readonly KeyToPath[] | undefined,
): string | undefined => items?.find(({ key }) => data[key] === undefined)?.key;

/** Models desiredStateOfWorldPopulator's getPVCExtractPV. */
function findClaimProblem(volume: Volume, pod: Pod, read: Reader): string | undefined {
  const { namespace = '' } = pod.metadata;
  const { name } = volume;
  const claim = claimNameOf(pod, volume);
  if (claim === undefined) return undefined;
  const unbound = whyNotBound(claim, namespace, read);
  const problem = unbound === undefined ? whyOfOther(volume, pod, claim, read) : processing(namespace, claim, unbound);
  return problem === undefined
    ? undefined
    : `Unable to attach or mount volumes: unmounted volumes=[${name}], unattached volumes=[], failed to process volumes=[${name}]: ${problem}`;
}

const processing = (namespace: string, claim: string, problem: string): string =>
  `error processing PVC ${namespace}/${claim}: ${problem}`;

/** A claim that was there already is not the one of an ephemeral volume. */
function whyOfOther(volume: Volume, pod: Pod, name: string, read: Reader): string | undefined {
  const claim = read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name });
  return volume.ephemeral && claim && whyNotOfPod(claim, pod);
}

const ONE_POD = 'ReadWriteOncePod';

/** A volume for one pod that another of the node has: the scheduler was gone past. Models GenerateMountVolumeFunc. */
function findOtherUser(volume: Volume, pod: Pod, read: Reader): string | undefined {
  const { namespace = '', uid } = pod.metadata;
  const name = claimNameOf(pod, volume);
  const claim = name === undefined ? undefined : read.get(PersistentVolumeClaims, { namespace, name });
  if (claim?.spec.accessModes?.join() !== ONE_POD || !pod.spec.nodeName) return undefined;
  const has = (other: Pod): boolean =>
    other.metadata.namespace === namespace &&
    other.metadata.uid !== uid &&
    hasBegun(other) &&
    claimNamesOf(other).some((one) => one === name);
  return read.byIndex(Pods, 'nodeName', pod.spec.nodeName).some(has)
    ? `MountVolume.SetUp failed for volume "${claim.spec.volumeName ?? ''}" : volume uses the ReadWriteOncePod access mode and is already in use by another pod`
    : undefined;
}

/** Its volumes are mounted, since a container of it was started, and not taken down. */
const hasBegun = (pod: Pod): boolean =>
  !isPodTerminal(pod) &&
  [...(pod.status.initContainerStatuses ?? []), ...(pod.status.containerStatuses ?? [])].some(
    ({ state, lastState }) => state?.running ?? state?.terminated ?? lastState?.terminated,
  );

function whyNotBound(name: string, namespace: string, read: Reader): string | undefined {
  const claim = read.get(PersistentVolumeClaims, { namespace, name });
  if (!claim) return `failed to fetch PVC from API server: persistentvolumeclaims "${name}" not found`;
  if (claim.metadata.deletionTimestamp) return 'PVC is being deleted';
  if (claim.status?.phase !== 'Bound') return 'PVC is not bound';
  return claim.spec.volumeName ? undefined : 'PVC has empty pvc.Spec.VolumeName';
}
