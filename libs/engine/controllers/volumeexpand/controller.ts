import type { PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimStatus } from '../../api/core_v1.js';
import { Events, PersistentVolumeClaims, PersistentVolumes } from '../../kinds/index.js';
import { isResize, resizedStatus } from '../../kinds/core/persistentvolumeclaim/resize.js';
import { compareQuantity } from '../../machinery/quantity/quantity.js';
import { timestamp, type Millis } from '../../machinery/time/time.js';
import { defineController, watch, type Context } from '../../runtime/controller.js';

const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
/** A directory of a node cannot grow: its provisioner has no resizer. */
const WITHOUT_RESIZER = 'rancher.io/local-path';
const PENDING = 'Waiting for user to (re-)start a pod to finish file system resize of volume on node.';

/**
 * Makes the volume of a claim that asks for more as large as it asks; the kubelet then grows its file system. Models
 * pkg/controller/volume/expand, and the external-resizer of a provisioner's driver. Left out: recovery from a
 * failure, which no driver here has.
 */
export const controller = defineController({
  name: 'volumeexpand',
  actor: 'system:serviceaccount:kube-system:expand-controller',
  eventSource: 'volume_expand',
  for: PersistentVolumeClaims,
  watches: [
    watch<PersistentVolume>({
      kind: PersistentVolumes,
      when: ({ spec }) => spec.claimRef !== undefined,
      keys: ({ spec: { claimRef } }) => [{ namespace: claimRef!.namespace ?? '', name: claimRef!.name ?? '' }],
    }),
  ],
  reconcile(context, key) {
    const { client } = context;
    const claim = client.get(PersistentVolumeClaims, key);
    if (claim?.status.phase !== 'Bound' || !claim.spec.volumeName) return;
    const [asked, has] = [
      claim.spec.resources?.requests?.['storage'] ?? '0',
      claim.status.capacity?.['storage'] ?? '0',
    ];
    if (compareQuantity(asked, has) <= 0) return;
    const volume = client.get(PersistentVolumes, { namespace: '', name: claim.spec.volumeName });
    const provisioner = volume?.metadata.annotations?.[PROVISIONED_BY];
    // Only volumes that were provisioned can grow.
    if (!volume || !provisioner) return;
    sayWhoExpands(context, claim);
    if (provisioner === WITHOUT_RESIZER || compareQuantity(asked, volume.spec.capacity?.['storage'] ?? '0') <= 0)
      return;
    resize(context, { claim, volume, asked, source: { component: `external-resizer ${provisioner}` } });
  },
});

/** Once for a claim: a reconcile of what has not changed writes nothing. */
function sayWhoExpands(context: Context, claim: PersistentVolumeClaim): void {
  const events = context.client.byIndex(Events, 'involvedUid', claim.metadata.uid!);
  if (events.some(({ reason }) => reason === 'ExternalExpanding')) return;
  context.event(claim, 'Normal', 'ExternalExpanding', 'waiting for an external controller to expand this PVC');
}

interface Resize {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
  readonly asked: string;
  readonly source: { readonly component: string };
}

function resize(context: Context, { claim, volume, asked, source }: Resize): void {
  const { client, now } = context;
  const { name } = volume.metadata;
  const begun = client.updateStatus(PersistentVolumeClaims, {
    ...claim,
    status: {
      ...claim.status,
      allocatedResources: { ...claim.status.allocatedResources, storage: asked },
      allocatedResourceStatuses: { ...claim.status.allocatedResourceStatuses, storage: 'ControllerResizeInProgress' },
      conditions: conditionsWith(claim.status, { type: 'Resizing' }, now),
    },
  });
  context.event(begun, 'Normal', 'Resizing', `External resizer is resizing volume ${name}`, { source });
  const capacity = { ...volume.spec.capacity, storage: asked };
  client.update(PersistentVolumes, { ...volume, spec: { ...volume.spec, capacity } });
  if (claim.spec.volumeMode === 'Block') {
    client.updateStatus(PersistentVolumeClaims, { ...begun, status: resizedStatus(begun.status, asked) });
    return context.event(begun, 'Normal', 'VolumeResizeSuccessful', 'Resize volume succeeded', { source });
  }
  client.updateStatus(PersistentVolumeClaims, {
    ...begun,
    status: {
      ...begun.status,
      allocatedResourceStatuses: { ...begun.status.allocatedResourceStatuses, storage: 'NodeResizePending' },
      conditions: conditionsWith(begun.status, { type: 'FileSystemResizePending', message: PENDING }, now),
    },
  });
  context.event(begun, 'Normal', 'FileSystemResizeRequired', 'Require file system resize of volume on node', {
    source,
  });
}

/** The conditions that are no resize's, and this one. */
const conditionsWith = (
  { conditions = [] }: PersistentVolumeClaimStatus,
  condition: { readonly type: string; readonly message?: string },
  now: Millis,
) => [
  ...conditions.filter(({ type }) => !isResize(type)),
  { ...condition, status: 'True', lastTransitionTime: timestamp(now) },
];
