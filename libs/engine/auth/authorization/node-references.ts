import type { Container, Pod } from '../../api/core_v1.js';
import { claimNamesOf } from '../../kinds/core/pod/claims.js';
import type { Reader } from '../../machinery/client.js';
import { kind as PersistentVolumeClaims } from '../../kinds/core/persistentvolumeclaim/kind.js';

/**
 * The names of the objects of one resource that a pod refers to; '' stands for references that are not set. Models
 * plugin/pkg/auth/authorizer/node/graph.go.
 */
export type References = (pod: Pod, read: Reader) => readonly string[];

const containersOf = ({ spec }: Pod): Container[] => [...(spec.initContainers ?? []), ...spec.containers];

export const serviceAccountsOf: References = (pod) => [pod.spec.serviceAccountName ?? ''];

export const secretsOf: References = (pod) => [
  ...(pod.spec.imagePullSecrets ?? []).map((secret) => secret.name ?? ''),
  ...(pod.spec.volumes ?? []).flatMap((volume) => [
    volume.secret?.secretName ?? '',
    ...(volume.projected?.sources ?? []).map((source) => source.secret?.name ?? ''),
  ]),
  ...containersOf(pod).flatMap((container) => [
    ...(container.envFrom ?? []).map((source) => source.secretRef?.name ?? ''),
    ...(container.env ?? []).map((variable) => variable.valueFrom?.secretKeyRef?.name ?? ''),
  ]),
];

export const configMapsOf: References = (pod) => [
  ...(pod.spec.volumes ?? []).flatMap((volume) => [
    volume.configMap?.name ?? '',
    ...(volume.projected?.sources ?? []).map((source) => source.configMap?.name ?? ''),
  ]),
  ...containersOf(pod).flatMap((container) => [
    ...(container.envFrom ?? []).map((source) => source.configMapRef?.name ?? ''),
    ...(container.env ?? []).map((variable) => variable.valueFrom?.configMapKeyRef?.name ?? ''),
  ]),
];

export const persistentVolumeClaimsOf: References = (pod) => claimNamesOf(pod);

/** The volumes that the pod's claims are bound to. */
export const persistentVolumesOf: References = (pod, read) =>
  persistentVolumeClaimsOf(pod, read).map((name) => {
    const claim = read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name });
    return claim?.spec.volumeName ?? '';
  });

export const resourceClaimsOf: References = (pod) => [
  ...(pod.status?.resourceClaimStatuses ?? []).map((status) => status.resourceClaimName ?? ''),
  ...(pod.spec.resourceClaims ?? []).map((claim) => claim.resourceClaimName ?? ''),
];
