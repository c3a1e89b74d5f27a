import type { Pod, Volume } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { ConfigMaps, PersistentVolumeClaims, Secrets } from '../../../kinds/index.js';

export interface MountFailure {
  readonly reason: 'FailedMount';
  readonly message: string;
}

const setUp = (volume: string, why: string): MountFailure => ({
  reason: 'FailedMount',
  message: `MountVolume.SetUp failed for volume "${volume}" : ${why}`,
});

type Items = readonly { readonly key: string }[] | undefined;
const missingKey = (data: Readonly<Record<string, string>> | undefined, items: Items): boolean =>
  Boolean(items?.some((i) => data?.[i.key] === undefined));

function configMapProblem(
  read: Reader,
  namespace: string,
  name: string,
  items: Items,
  optional: boolean | undefined,
): string | undefined {
  const found = read.get(ConfigMaps, { namespace, name });
  if (!found) return optional ? undefined : `configmap "${name}" not found`;
  return !optional && missingKey({ ...found.data, ...found.binaryData }, items)
    ? 'configmap references non-existent config key: ' + items!.find((i) => found.data?.[i.key] === undefined)!.key
    : undefined;
}

function secretProblem(
  read: Reader,
  namespace: string,
  name: string,
  items: Items,
  optional: boolean | undefined,
): string | undefined {
  const found = read.get(Secrets, { namespace, name });
  if (!found) return optional ? undefined : `secret "${name}" not found`;
  return !optional && missingKey(found.data, items)
    ? 'references non-existent secret key: ' + items!.find((i) => found.data?.[i.key] === undefined)!.key
    : undefined;
}

function problem(v: Volume, namespace: string, read: Reader): string | undefined {
  if (v.configMap)
    return configMapProblem(read, namespace, v.configMap.name ?? '', v.configMap.items, v.configMap.optional);
  if (v.secret) return secretProblem(read, namespace, v.secret.secretName ?? '', v.secret.items, v.secret.optional);
  for (const source of v.projected?.sources ?? []) {
    const own = source.configMap
      ? // A cluster's trust bundle is published a moment after its namespace is made.
        configMapProblem(
          read,
          namespace,
          source.configMap.name ?? '',
          source.configMap.items,
          source.configMap.optional,
        )
      : source.secret &&
        secretProblem(read, namespace, source.secret.name ?? '', source.secret.items, source.secret.optional);
    if (own) return own;
  }
  return undefined;
}

/** What cannot be mounted yet. Models the volume manager's MountVolume.SetUp errors. */
export function mountFailures(pod: Pod, read: Reader): readonly MountFailure[] {
  let failures: MountFailure[] | undefined;
  for (const volume of pod.spec.volumes ?? []) {
    const why = problem(volume, pod.metadata.namespace ?? '', read);
    if (why) (failures ??= []).push(setUp(volume.name, why));
    const claim = volume.persistentVolumeClaim?.claimName;
    if (
      claim !== undefined &&
      !read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name: claim })
    ) {
      (failures ??= []).push({
        reason: 'FailedMount',
        message: `Unable to attach or mount volumes: unmounted volumes=[${volume.name}], unattached volumes=[], failed to process volumes=[${volume.name}]: error processing PVC ${pod.metadata.namespace}/${claim}: failed to fetch PVC from API server: persistentvolumeclaims "${claim}" not found`,
      });
    }
  }
  return failures ?? NONE;
}
const NONE: readonly MountFailure[] = [];
