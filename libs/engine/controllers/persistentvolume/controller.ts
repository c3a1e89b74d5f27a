import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/core_v1.js';
import type { StorageClass } from '../../api/storage_v1.js';
import { Faults, PersistentVolumeClaims, PersistentVolumes, Pods, StorageClasses } from '../../kinds/index.js';
import { keyOf } from '../../machinery/meta/object.js';
import { changesEffects } from '../../kinds/terrarium/fault/active.js';
import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import { findVolume, isVolumeBoundToClaim } from '../../kinds/core/persistentvolume/matching.js';
import type { Key } from '../../machinery/meta/object.js';
import type { Reader } from '../../machinery/client.js';
import { storageClassOf } from '../../kinds/core/persistentvolumeclaim/kind.js';
import { defineController, watch, type Context, type Result } from '../../runtime/controller.js';
import { claimRef, PROVISIONED_BY, provisionClaim, recordEventOnce, SELECTED_NODE } from './provision.js';
import { isProvisionerPod, provisionerOf } from './provisioners.js';

const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';

/**
 * Binds claims to volumes, makes volumes for claims of classes with a provisioner, and reclaims them.
 * Models pkg/controller/volume/persistentvolume and the local-path provisioner. Left out: data sources,
 * Recycle.
 */
export const controller = defineController({
  name: 'persistentvolume',
  actor: 'system:serviceaccount:kube-system:persistent-volume-binder',
  eventSource: 'persistentvolume-controller',
  // After those that make claims, before the scheduler: a claim is seen to wait for its first consumer.
  for: PersistentVolumeClaims,
  watches: [
    watch<PersistentVolume>({
      kind: PersistentVolumes,
      *keys(volume, reader) {
        yield keyOf(volume);
        const ref = volume.spec.claimRef;
        if (ref) yield { namespace: ref.namespace!, name: ref.name! };
        else
          for (const claim of reader.list(PersistentVolumeClaims))
            if (!claim.spec.volumeName && storageClassOf(claim) === storageClassOf(volume)) yield keyOf(claim);
      },
    }),
    watch<PersistentVolumeClaim>({
      kind: PersistentVolumeClaims,
      when: (claim) => Boolean(claim.spec.volumeName),
      keys: (claim) => [{ namespace: '', name: claim.spec.volumeName! }],
    }),
    watch<Fault>({
      kind: Faults,
      when: (fault, old) => changesEffects(fault, old, 'volume'),
      keys: (_fault, reader) => unboundClaims(reader),
    }),
    watch<Pod>({
      kind: Pods,
      when: (pod, old) => isProvisionerPod(pod) && !isProvisionerPod(old),
      keys: (_pod, reader) => unboundClaims(reader),
    }),
    watch<StorageClass>({
      kind: StorageClasses,
      keys: (c, reader) =>
        reader
          .list(PersistentVolumeClaims)
          .filter((claim) => !claim.spec.volumeName && storageClassOf(claim) === c.metadata.name)
          .map(keyOf),
    }),
  ],
  reconcile(context, key) {
    if (key.namespace === '') return syncVolume(context, key.name);
    const claim = context.client.get(PersistentVolumeClaims, key);
    if (!claim || claim.metadata.deletionTimestamp !== undefined) return;
    if (claim.spec.volumeName) syncBoundClaim(context, claim, claim.spec.volumeName);
    else return syncUnboundClaim(context, claim);
  },
});

const unboundClaims = (reader: Reader): Key[] =>
  reader
    .list(PersistentVolumeClaims)
    .filter(({ spec }) => !spec.volumeName)
    .map(keyOf);

/** The claim names its volume: bind them if they are each other's. */
function syncBoundClaim(context: Context, claim: PersistentVolumeClaim, name: string): void {
  const volume = context.client.get(PersistentVolumes, { namespace: '', name });
  const wasBound = claim.metadata.annotations?.[BIND_COMPLETED] !== undefined;
  if (volume && (!volume.spec.claimRef || isVolumeBoundToClaim(volume, claim)))
    return bindVolumeToClaim(context, claim, volume, false);
  if (!wasBound || claim.status.phase === 'Lost') return;
  const message = volume
    ? 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!'
    : 'Bound claim has lost its PersistentVolume. Data on the volume is lost!';
  context.client.updateStatus(PersistentVolumeClaims, { ...claim, status: { phase: 'Lost' } });
  context.event(claim, 'Warning', volume ? 'ClaimMisbound' : 'ClaimLost', message);
}

function syncUnboundClaim(context: Context, claim: PersistentVolumeClaim): Result | void {
  const { client } = context;
  const className = storageClassOf(claim);
  const storageClass = className ? client.get(StorageClasses, { namespace: '', name: className }) : undefined;
  const volumes = client.list(PersistentVolumes);
  const waits =
    storageClass?.volumeBindingMode === 'WaitForFirstConsumer' && !claim.metadata.annotations?.[SELECTED_NODE];
  if (waits && !volumes.some((volume) => isVolumeBoundToClaim(volume, claim))) {
    return recordEventOnce(
      context,
      claim,
      'Normal',
      'WaitForFirstConsumer',
      'waiting for first consumer to be created before binding',
    );
  }
  const volume = findVolume(claim, volumes);
  if (volume) return bindVolumeToClaim(context, claim, volume, true);
  if (!className)
    return recordEventOnce(
      context,
      claim,
      'Normal',
      'FailedBinding',
      'no persistent volumes available for this claim and no storage class is set',
    );
  if (!storageClass)
    return recordEventOnce(
      context,
      claim,
      'Warning',
      'ProvisioningFailed',
      `storageclass.storage.k8s.io "${className}" not found`,
    );
  const provisioner = provisionerOf(storageClass.provisioner);
  if (provisioner !== undefined) return provisionClaim(context, claim, storageClass, provisioner);
  return recordEventOnce(
    context,
    claim,
    'Warning',
    'ProvisioningFailed',
    `no volume plugin matched name: ${storageClass.provisioner}`,
  );
}

/** Each names the other, then both are Bound. */
function bindVolumeToClaim(
  { client }: Context,
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
  chosen: boolean,
): void {
  let pv = volume;
  if (pv.spec.claimRef?.uid !== claim.metadata.uid) {
    const annotations = pv.spec.claimRef
      ? pv.metadata.annotations
      : { ...pv.metadata.annotations, [BOUND_BY_CONTROLLER]: 'yes' };
    pv = client.update(PersistentVolumes, {
      ...pv,
      metadata: { ...pv.metadata, ...(annotations ? { annotations } : {}) },
      spec: { ...pv.spec, claimRef: claimRef(claim) },
    });
  }
  if (pv.status.phase !== 'Bound')
    pv = client.updateStatus(PersistentVolumes, { ...pv, status: { ...pv.status, phase: 'Bound' } });
  let pvc = claim;
  if (!pvc.spec.volumeName || !pvc.metadata.annotations?.[BIND_COMPLETED]) {
    const annotations = {
      ...pvc.metadata.annotations,
      [BIND_COMPLETED]: 'yes',
      ...(chosen ? { [BOUND_BY_CONTROLLER]: 'yes' } : {}),
    };
    pvc = client.update(PersistentVolumeClaims, {
      ...pvc,
      metadata: { ...pvc.metadata, annotations },
      spec: { ...pvc.spec, volumeName: pv.metadata.name },
    });
  }
  if (pvc.status.phase !== 'Bound') {
    client.updateStatus(PersistentVolumeClaims, {
      ...pvc,
      status: { ...pvc.status, phase: 'Bound', accessModes: pv.spec.accessModes, capacity: pv.spec.capacity },
    });
  }
}

/** A volume whose claim has gone is released, and deleted where its policy says so. */
function syncVolume(context: Context, name: string): void {
  const { client } = context;
  const volume = client.get(PersistentVolumes, { namespace: '', name });
  if (!volume) return;
  const phase = volumePhase(volume, client);
  if (phase !== volume.status.phase)
    client.updateStatus(PersistentVolumes, { ...volume, status: { ...volume.status, phase } });
  if (phase !== 'Released' || volume.spec.persistentVolumeReclaimPolicy !== 'Delete') return;
  const problem = deletionProblem(volume);
  if (problem === undefined) return;
  if (problem === '') return client.delete(PersistentVolumes, { namespace: '', name });
  const released = client.get(PersistentVolumes, { namespace: '', name })!;
  const status = { ...released.status, phase: 'Failed', message: problem };
  client.updateStatus(PersistentVolumes, { ...released, status });
  context.event(volume, 'Warning', 'VolumeFailedDelete', problem);
}

/**
 * Why a released volume cannot be deleted; '' when it can, undefined when that is a driver's matter. Models
 * findDeletablePlugin and hostPath's deleter.
 */
function deletionProblem({ metadata, spec }: PersistentVolume): string | undefined {
  if (metadata.annotations?.[PROVISIONED_BY] !== undefined) return '';
  if (spec.hostPath) {
    const { path } = spec.hostPath;
    return /\/tmp\/./.test(path) ? '' : `host_path deleter only supports /tmp/.+ but received provided ${path}`;
  }
  return spec.nfs || spec.local
    ? `error getting deleter volume plugin for volume "${metadata.name}": no deletable volume plugin matched`
    : undefined;
}

function volumePhase(volume: PersistentVolume, client: Context['client']): string {
  const ref = volume.spec.claimRef;
  if (!ref?.uid) return 'Available';
  const claim = client.get(PersistentVolumeClaims, { namespace: ref.namespace ?? '', name: ref.name ?? '' });
  if (claim?.metadata.uid !== ref.uid) return volume.status.phase === 'Failed' ? 'Failed' : 'Released';
  return volume.status.phase === 'Pending' ? 'Available' : (volume.status.phase ?? 'Available');
}
