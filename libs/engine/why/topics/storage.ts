import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/core_v1.js';
import { PersistentVolumes, Pods, StorageClasses } from '../../kinds/index.js';
import { compareQuantity } from '../../machinery/quantity/quantity.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import { findingOf, lastEvent, MAX_DETAILS, refOf, revisionOf, type Topic, type World } from '../world.js';

const REASONS = [
  'ProvisioningFailed',
  'FailedBinding',
  'WaitForFirstConsumer',
  'ExternalProvisioning',
  'ClaimLost',
  'ClaimMisbound',
  'VolumeMismatch',
];

const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

const mounts = (pod: Pod, claim: string): boolean =>
  Boolean(pod.spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim));

const usersOf = ({ read }: World, { metadata }: PersistentVolumeClaim): Pod[] =>
  read.list(Pods, metadata.namespace).filter((pod) => mounts(pod, metadata.name ?? ''));

/** Why a claim has no volume. */
export const claimTopic: Topic<PersistentVolumeClaim> = (world, claim) => {
  const { phase } = claim.status ?? {};
  const { storageClassName, volumeName } = claim.spec;
  if (phase === 'Bound') return resizing(claim);
  const className = storageClassName ?? '';
  const storageClass = className && world.read.get(StorageClasses, { namespace: '', name: className });
  const event = lastEvent(world, claim, REASONS);
  if (className && !storageClass && !volumeName)
    return [findingOf(claim, 'ProvisioningFailed', `storageclass.storage.k8s.io "${className}" not found`)];
  if (storageClass && storageClass.volumeBindingMode === 'WaitForFirstConsumer') {
    const users = usersOf(world, claim);
    if (users.length === 0)
      return [findingOf(claim, 'WaitForFirstConsumer', `no pod uses it yet, and class "${className}" waits for one`)];
    if (!event || event.reason === 'WaitForFirstConsumer')
      return [
        findingOf(claim, 'WaitForPodScheduled', `its pods have no node yet: ${users.map(refOf).join(', ')}`, {
          details: users.slice(0, MAX_DETAILS).map(refOf),
        }),
      ];
  }
  const details = storageClass && storageClass.provisioner !== NO_PROVISIONER ? [] : misfits(world, claim);
  if (event)
    return [findingOf(claim, event.reason ?? '', event.message ?? '', { revision: revisionOf(event), details })];
  if (phase === 'Lost') return [findingOf(claim, 'ClaimLost', `its volume "${volumeName}" is gone`)];
  const why = className
    ? `class "${className}" has not made a volume yet`
    : 'no volume fits it, and it has no storage class that would make one';
  return [findingOf(claim, 'FailedBinding', why, { details })];
};

/** What keeps each volume that is there from the claim. */
const misfits = ({ read }: World, { metadata, spec }: PersistentVolumeClaim): string[] =>
  read
    .list(PersistentVolumes)
    .slice(0, MAX_DETAILS)
    .map((volume) => {
      const { capacity = {}, accessModes = [], storageClassName = '', claimRef } = volume.spec;
      const wants = spec.resources?.requests?.['storage'] ?? '0';
      const has = capacity['storage'] ?? '0';
      const modes = (spec.accessModes ?? []).filter((mode) => !accessModes.includes(mode));
      const isOwn = claimRef?.namespace === metadata.namespace && claimRef?.name === metadata.name;
      const reasons = [
        ...(claimRef && !isOwn ? [`it is bound to ${claimRef.namespace}/${claimRef.name}`] : []),
        ...(storageClassName === (spec.storageClassName ?? '') ? [] : [`its class is "${storageClassName}"`]),
        ...(compareQuantity(has, wants) < 0 ? [`it has ${has}, and the claim asks for ${wants}`] : []),
        ...(modes.length > 0 ? [`it does not have the access mode ${modes.join(', ')}`] : []),
        ...(spec.selector && !matchesLabelSelector(spec.selector, volume.metadata.labels)
          ? ['its labels are not those of the claim’s selector']
          : []),
      ];
      return `${refOf(volume)}: ${reasons.join(', ') || 'it fits'}`;
    });

const resizing = (claim: PersistentVolumeClaim) =>
  (claim.status?.conditions ?? [])
    .filter(({ status }) => status === 'True')
    .map(({ type, message }) => findingOf(claim, type, message ?? `the claim is ${type}`));

/** Why a volume cannot be claimed. */
export const volumeTopic: Topic<PersistentVolume> = (_world, volume) => {
  const { phase, message } = volume.status ?? {};
  const { claimRef, persistentVolumeReclaimPolicy } = volume.spec;
  const owner = claimRef ? `${claimRef.namespace}/${claimRef.name}` : '';
  if (phase === 'Released')
    return [
      findingOf(
        volume,
        'Released',
        `its claim ${owner} is gone, and its policy ${persistentVolumeReclaimPolicy} keeps it from others`,
      ),
    ];
  return phase === 'Failed' ? [findingOf(volume, 'Failed', message ?? 'it could not be reclaimed')] : [];
};
