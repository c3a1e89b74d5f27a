import type { ControllerRevision, StatefulSet } from '../../api/apps_v1.js';
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, Volume } from '../../api/core_v1.js';
import type { OwnerReference } from '../../machinery/meta/object.js';
import { getPodFromTemplate } from '../pods.js';

export const REVISION_LABEL = 'controller-revision-hash';
export const HASH_LABEL = 'controller.kubernetes.io/hash';
const POD_NAME_LABEL = 'statefulset.kubernetes.io/pod-name';
const INDEX_LABEL = 'apps.kubernetes.io/pod-index';

export const startOrdinal = (set: StatefulSet): number => set.spec.ordinals?.start ?? 0;
export const podName = (set: StatefulSet, ordinal: number): string => `${set.metadata.name}-${ordinal}`;
export const revisionOf = (pod: Pod): string => pod.metadata.labels?.[REVISION_LABEL] ?? '';

/** The pod's place in the set; undefined for a pod that is not named like one of its. */
export function ordinalOf(set: StatefulSet, pod: Pod): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const name = pod.metadata.name ?? '';
  const rest = name.slice(prefix.length);
  return name.startsWith(prefix) && /^\d+$/.test(rest) ? Number(rest) : undefined;
}

const claimName = (template: PersistentVolumeClaim, set: StatefulSet, ordinal: number): string =>
  `${template.metadata.name}-${podName(set, ordinal)}`;

/** The template as it was at a revision. */
export function templateAt(revision: ControllerRevision): PodTemplateSpec {
  const { $patch: _, ...template } = (revision.data as { spec: { template: PodTemplateSpec & { $patch?: string } } })
    .spec.template;
  return template;
}

/** Models stateful_set_utils.go newStatefulSetPod: identity, network name and storage. */
export function newStatefulSetPod(
  set: StatefulSet,
  revision: ControllerRevision,
  ordinal: number,
  owner: OwnerReference,
): Pod {
  const pod = getPodFromTemplate(templateAt(revision), set, owner);
  const name = podName(set, ordinal);
  pod.metadata.name = name;
  pod.metadata.labels = {
    ...pod.metadata.labels,
    [POD_NAME_LABEL]: name,
    [INDEX_LABEL]: String(ordinal),
    [REVISION_LABEL]: revision.metadata.name!,
  };
  const templates = set.spec.volumeClaimTemplates ?? [];
  const claims = templates.map((t): Volume => ({
    name: t.metadata.name!,
    persistentVolumeClaim: { claimName: claimName(t, set, ordinal) },
  }));
  const others = (pod.spec.volumes ?? []).filter((v) => !claims.some((c) => c.name === v.name));
  pod.spec = {
    ...pod.spec,
    hostname: name,
    ...(set.spec.serviceName ? { subdomain: set.spec.serviceName } : {}),
    ...(claims.length + others.length ? { volumes: [...claims, ...others] } : {}),
  };
  return pod;
}

/** The volume claims of one ordinal. */
export function claimsFor(set: StatefulSet, ordinal: number, owner: OwnerReference): PersistentVolumeClaim[] {
  const owned = set.spec.persistentVolumeClaimRetentionPolicy?.whenDeleted === 'Delete';
  return (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: claimName(template, set, ordinal),
      namespace: set.metadata.namespace,
      labels: { ...template.metadata.labels, ...set.spec.selector.matchLabels },
      ...(template.metadata.annotations ? { annotations: template.metadata.annotations } : {}),
      ...(owned ? { ownerReferences: [owner] } : {}),
    },
    spec: template.spec,
    status: {},
  }));
}
