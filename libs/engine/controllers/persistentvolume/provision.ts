import type { PersistentVolume, PersistentVolumeClaim } from '../../api/core_v1.js';
import type { StorageClass } from '../../api/storage_v1.js';
import { Events, PersistentVolumeClaims, PersistentVolumes } from '../../kinds/index.js';
import { activeEffects } from '../../kinds/terrarium/fault/active.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';
import type { Context, Result } from '../../runtime/controller.js';
import { restUntilRetry } from '../retry-by-events.js';
import { findProvisioner } from './provisioners.js';

export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
const PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
const LOCAL_PATH = '/var/local-path-provisioner';
/** Models sig-storage-lib-external-provisioner's rate limiter. */
const BACK_OFF = { first: 15 * SECOND, longest: 1_000 * SECOND };
const FAILED = 'ProvisioningFailed';

/** Says it once: a reconcile of what has not changed writes nothing. */
export function recordEventOnce(
  context: Context,
  claim: PersistentVolumeClaim,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): void {
  const said = context.client.byIndex(Events, 'involvedUid', claim.metadata.uid!).some((e) => e.reason === reason);
  if (!said) context.event(claim, type, reason, message);
}

/** Whether a fault keeps volumes from being made. */
const isKept = ({ client }: Context, { metadata }: PersistentVolumeClaim, className: string): boolean =>
  activeEffects(client, 'volume').some(
    ({ fault, claims, storageClasses }) =>
      fault === 'provisioning' &&
      (!storageClasses || storageClasses.includes(className)) &&
      (!claims || claims.includes(metadata.name ?? '') || claims.includes(`${metadata.namespace}/${metadata.name}`)),
  );

const TIMED_OUT = 'rpc error: code = Internal desc = could not create volume: timed out waiting for the condition';

const ON_ONE_NODE = 'rancher.io/local-path';
const MODES_OF_ONE_NODE = ['ReadWriteOnce', 'ReadWriteOncePod'];

/** What the library of provisioners does not ask one for. Models its canProvision. */
const inabilityOf = (provisioner: string, { spec }: PersistentVolumeClaim): string | undefined =>
  provisioner === ON_ONE_NODE && spec.volumeMode === 'Block'
    ? `${provisioner} does not support block volume provisioning`
    : undefined;

/** What a provisioner of folders of one node refuses. Models local-path-provisioner's provisionFor. */
function refusalOf(provisioner: string, { spec }: PersistentVolumeClaim): string | undefined {
  if (provisioner !== ON_ONE_NODE) return undefined;
  if (spec.selector) return 'claim.Spec.Selector is not supported';
  return spec.accessModes?.some((mode) => !MODES_OF_ONE_NODE.includes(mode))
    ? 'NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes'
    : undefined;
}

/**
 * Asks a provisioner for a claim's volume. One that runs makes it; for one that nobody runs, the claim waits until it
 * does. Models provisionClaimOperationExternal, and the library of external provisioners.
 */
export function provisionClaim(
  context: Context,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  provisioner: string,
): Result | void {
  const { client } = context;
  const className = storageClass.metadata.name ?? '';
  const asked = askFor(context, claim, provisioner);
  const waiting = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
  recordEventOnce(context, asked, 'Normal', 'ExternalProvisioning', waiting);
  const served = findProvisioner(client, provisioner);
  if (served === undefined) return;
  const source = { source: { component: `${provisioner}_${served}` } };
  const rest = (): Millis => restUntilRetry(context, asked, FAILED, BACK_OFF, source.source.component);
  const before = rest();
  if (before > 0) return { requeueAfter: before };
  const fail = (message: string): Result => {
    context.event(asked, 'Warning', FAILED, message, source);
    return { requeueAfter: rest() };
  };
  const unable = inabilityOf(provisioner, claim);
  if (unable !== undefined) return fail(unable);
  const { namespace, name } = claim.metadata;
  const beginning = `External provisioner is provisioning volume for claim "${namespace}/${name}"`;
  context.event(asked, 'Normal', 'Provisioning', beginning, source);
  const failure = refusalOf(provisioner, claim) ?? (isKept(context, claim, className) ? TIMED_OUT : undefined);
  if (failure !== undefined) return fail(`failed to provision volume with StorageClass "${className}": ${failure}`);
  const volume = newVolume(claim, asked, storageClass, provisioner);
  client.create(PersistentVolumes, volume);
  const provisioned = `Successfully provisioned volume ${volume.metadata.name}`;
  context.event(asked, 'Normal', 'ProvisioningSucceeded', provisioned, source);
}

/** A folder of the node that the claim's pod was scheduled to. `asked`: the claim as it is stored by now. */
function newVolume(
  { metadata, spec }: PersistentVolumeClaim,
  asked: PersistentVolumeClaim,
  { reclaimPolicy, metadata: { name: storageClassName } }: StorageClass,
  provisioner: string,
): PersistentVolume {
  const volumeName = `pvc-${metadata.uid}`;
  const node = metadata.annotations?.[SELECTED_NODE];
  const path = `${LOCAL_PATH}/${volumeName}_${metadata.namespace}_${metadata.name}`;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volumeName, annotations: { [PROVISIONED_BY]: provisioner } },
    spec: {
      accessModes: spec.accessModes,
      capacity: { storage: spec.resources?.requests?.['storage'] ?? '0' },
      claimRef: claimRef(asked),
      hostPath: { path, type: 'DirectoryOrCreate' },
      ...(node ? { nodeAffinity: { required: { nodeSelectorTerms: [onNode(node)] } } } : {}),
      persistentVolumeReclaimPolicy: reclaimPolicy ?? 'Delete',
      storageClassName,
      volumeMode: spec.volumeMode,
    },
    status: {},
  };
}

const onNode = (node: string) => ({
  matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }],
});

/** The claim with the name of who is asked. */
function askFor({ client }: Context, claim: PersistentVolumeClaim, provisioner: string): PersistentVolumeClaim {
  const { annotations } = claim.metadata;
  if (annotations?.[PROVISIONER] === provisioner) return claim;
  const names = { [`volume.beta.${PROVISIONER.slice(7)}`]: provisioner, [PROVISIONER]: provisioner };
  const metadata = { ...claim.metadata, annotations: { ...annotations, ...names } };
  return client.update(PersistentVolumeClaims, { ...claim, metadata });
}

export const claimRef = ({ metadata: { name, namespace, uid, resourceVersion } }: PersistentVolumeClaim) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  name,
  namespace,
  uid,
  resourceVersion,
});
