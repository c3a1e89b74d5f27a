import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/core_v1.js';
import { Nodes, PersistentVolumes, Pods, StorageClasses } from '../../kinds/index.js';
import { compareQuantity } from '../../machinery/quantity/quantity.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import type { WhyFinding } from '../../machinery/questions/why.js';
import { explainMissing } from '../missing.js';
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

const MAX_USERS = 3;
const HOSTNAME = 'kubernetes.io/hostname';
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

const mounts = (pod: Pod, claim: string): boolean =>
  Boolean(pod.spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim));

const usersOf = ({ read }: World, { metadata }: PersistentVolumeClaim): Pod[] =>
  read.list(Pods, metadata.namespace).filter((pod) => mounts(pod, metadata.name ?? ''));

/** Why a claim has no volume. */
export const claimTopic: Topic<PersistentVolumeClaim> = (world, claim, depth) => {
  const { phase } = claim.status ?? {};
  const { storageClassName, volumeName } = claim.spec;
  if (phase === 'Bound') return [...resizing(claim), ...placeFindings(world, volumeName)];
  const className = storageClassName ?? '';
  const storageClass = className && world.read.get(StorageClasses, { namespace: '', name: className });
  const event = lastEvent(world, claim, REASONS);
  if (className && !storageClass && !volumeName)
    return [
      findingOf(claim, 'ProvisioningFailed', `storageclass.storage.k8s.io "${className}" not found`, {
        details: volumesOfClass(world, claim),
      }),
    ];
  if (storageClass && storageClass.volumeBindingMode === 'WaitForFirstConsumer') {
    const users = usersOf(world, claim);
    if (users.length === 0)
      return [findingOf(claim, 'WaitForFirstConsumer', `no pod uses it yet, and class "${className}" waits for one`)];
    if (!event || WAITS.has(event.reason ?? '')) return waitFindings(world, claim, users, depth);
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

const WAITS = new Set(['WaitForFirstConsumer', 'WaitForPodScheduled']);
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

/** A claim that waits for its pods' node: why they have none, or who has gone past the scheduler. */
function waitFindings(world: World, claim: PersistentVolumeClaim, users: readonly Pod[], depth: number): WhyFinding[] {
  const placed = users.filter(({ spec }) => spec.nodeName);
  if (placed.length > 0 && claim.metadata.annotations?.[SELECTED_NODE] === undefined) {
    const [pod] = placed;
    const message =
      `${refOf(pod!)} was put on ${pod!.spec.nodeName} past the scheduler (spec.nodeName), which would have told the ` +
      'claim for which node a volume is to be made: nobody does';
    return [findingOf(claim, 'WaitForFirstConsumer', message)];
  }
  const message = `its pods have no node yet: ${users.map(refOf).join(', ')}`;
  const own = findingOf(claim, 'WaitForPodScheduled', message);
  const reasons = users.slice(0, MAX_USERS).flatMap((pod) => world.explain('pods', pod, depth + 1));
  return depth === 0 ? [own, ...reasons] : [own];
}

/** Nodes that a volume's affinity asks for, of which none is there. */
function placeFindings(world: World, volumeName = ''): WhyFinding[] {
  const volume = world.read.get(PersistentVolumes, { namespace: '', name: volumeName });
  const terms = volume?.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  if (!volume || terms.length === 0) return [];
  const nodes = world.read.list(Nodes);
  const wants = terms.flatMap(({ matchExpressions = [] }) => matchExpressions);
  const isThere = nodes.some(({ metadata }) =>
    terms.some(({ matchExpressions = [] }) => matchesLabelSelector({ matchExpressions }, metadata.labels)),
  );
  if (isThere) return [];
  const lost = wants
    .filter(({ key }) => key === HOSTNAME)
    .flatMap(({ values = [] }) => values)
    .filter((name) => !world.read.get(Nodes, { namespace: '', name }));
  return [
    findingOf(volume, 'NodeAffinity', `it can be reached from nodes of ${placesOf(volume)} alone, and none is there`),
    ...lost.slice(0, MAX_USERS).map((name) => explainMissing(world, Nodes, '', name).finding),
  ];
}

/** Volumes of a class that is only a name: why the claim gets none of them. */
function volumesOfClass(world: World, claim: PersistentVolumeClaim): string[] {
  const isOfClass = ({ spec }: PersistentVolume): boolean => spec.storageClassName === claim.spec.storageClassName;
  return world.read.list(PersistentVolumes).some(isOfClass) ? misfits(world, claim) : [];
}

/** From where a volume can be reached: 'kubernetes.io/hostname In worker-1'. */
export const placesOf = ({ spec }: PersistentVolume): string =>
  (spec.nodeAffinity?.required?.nodeSelectorTerms ?? [])
    .flatMap(({ matchExpressions = [] }) => matchExpressions)
    .map(({ key, operator, values = [] }) => `${key} ${operator} ${values.join(', ')}`.trim())
    .join(' and ');

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
        ...(claimRef && !isOwn ? [takenText(volume, `${claimRef.namespace}/${claimRef.name}`)] : []),
        ...(storageClassName === (spec.storageClassName ?? '') ? [] : [`its class is "${storageClassName}"`]),
        ...(compareQuantity(has, wants) < 0 ? [`it has ${has}, and the claim asks for ${wants}`] : []),
        ...(modes.length > 0 ? [`it does not have the access mode ${modes.join(', ')}`] : []),
        ...(spec.selector && !matchesLabelSelector(spec.selector, volume.metadata.labels)
          ? ['its labels are not those of the claim’s selector']
          : []),
      ];
      return `${refOf(volume)}: ${reasons.join(', ') || 'it fits'}`;
    });

/** Whose a volume is, or was. */
const takenText = ({ status, spec }: PersistentVolume, claim: string): string =>
  status?.phase === 'Released'
    ? `its claim ${claim} is gone, and its policy ${spec.persistentVolumeReclaimPolicy} keeps it from others (Released)`
    : `it is bound to ${claim}`;

const resizing = (claim: PersistentVolumeClaim) =>
  (claim.status?.conditions ?? [])
    .filter(({ status }) => status === 'True')
    .map(({ type, message }) => findingOf(claim, type, message ?? `the claim is ${type}`));

/** Why a volume cannot be claimed. */
export const volumeTopic: Topic<PersistentVolume> = (world, volume) => {
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
  if (phase === 'Failed') return [findingOf(volume, 'Failed', message ?? 'it could not be reclaimed')];
  return placeFindings(world, volume.metadata.name);
};
