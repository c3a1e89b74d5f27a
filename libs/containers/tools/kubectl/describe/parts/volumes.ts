import type { Toleration, Volume } from '../../../../../engine/api/core_v1.js';
import type { Details } from './details.js';

type Row = readonly [name: string, value: string | number | boolean];

/** Models k8s.io/kubectl/pkg/describe describeVolumes. */
export function describeVolumes(details: Details, volumes: readonly Volume[] | undefined, indent: string): void {
  if (!volumes || volumes.length === 0) return details.line(0, `${indent}Volumes:\t<none>`);
  details.line(0, `${indent}Volumes:`);
  for (const volume of volumes) {
    details.line(1, `${indent === '' ? '' : ' '}${volume.name}:`);
    const rows = rowsOf(volume);
    if (rows.length === 0) details.line(1, '<unknown>');
    for (const [name, value] of rows) details.field(2, name, value);
  }
}

const itemsText = (items: readonly { readonly key: string; readonly path: string }[] | undefined): Row[] =>
  (items ?? []).map(({ key, path }) => ['Items', `${key} -> ${path}`]);

function rowsOf(volume: Volume): Row[] {
  const { hostPath, emptyDir, secret, configMap, nfs, persistentVolumeClaim, projected, downwardAPI, csi } = volume;
  if (hostPath)
    return [
      ['Type', 'HostPath (bare host directory volume)'],
      ['Path', hostPath.path],
      ['HostPathType', hostPath.type ?? ''],
    ];
  if (emptyDir)
    return [
      ['Type', "EmptyDir (a temporary directory that shares a pod's lifetime)"],
      ['Medium', emptyDir.medium ?? ''],
      ['SizeLimit', emptyDir.sizeLimit ?? '<unset>'],
    ];
  if (secret)
    return [
      ['Type', 'Secret (a volume populated by a Secret)'],
      ['SecretName', secret.secretName ?? ''],
      ['Optional', secret.optional ?? false],
    ];
  if (configMap)
    return [
      ['Type', 'ConfigMap (a volume populated by a ConfigMap)'],
      ['Name', configMap.name ?? ''],
      ['Optional', configMap.optional ?? false],
    ];
  if (nfs)
    return [
      ['Type', 'NFS (an NFS mount that lasts the lifetime of a pod)'],
      ['Server', nfs.server],
      ['Path', nfs.path],
      ['ReadOnly', nfs.readOnly ?? false],
    ];
  if (persistentVolumeClaim)
    return [
      ['Type', 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)'],
      ['ClaimName', persistentVolumeClaim.claimName],
      ['ReadOnly', persistentVolumeClaim.readOnly ?? false],
    ];
  if (projected)
    return [
      ['Type', 'Projected (a volume that contains injected data from multiple sources)'],
      ...(projected.sources ?? []).flatMap((source): Row[] => {
        if (source.secret)
          return [
            ['SecretName', source.secret.name ?? ''],
            ['Optional', source.secret.optional ?? false],
          ];
        if (source.downwardAPI) return [['DownwardAPI', true]];
        if (source.configMap)
          return [
            ['ConfigMapName', source.configMap.name ?? ''],
            ['Optional', source.configMap.optional ?? false],
          ];
        if (source.serviceAccountToken)
          return [['TokenExpirationSeconds', source.serviceAccountToken.expirationSeconds ?? 3_600]];
        return [];
      }),
    ];
  if (downwardAPI)
    return [
      ['Type', 'DownwardAPI (a volume populated by information about the pod)'],
      ...itemsText(
        (downwardAPI.items ?? []).map(({ fieldRef, resourceFieldRef, path }) => ({
          key: fieldRef?.fieldPath ?? resourceFieldRef?.resource ?? '',
          path,
        })),
      ),
    ];
  if (csi)
    return [
      ['Type', 'CSI (a Container Storage Interface (CSI) volume source)'],
      ['Driver', csi.driver],
      ['FSType', csi.fsType ?? ''],
      ['ReadOnly', csi.readOnly ?? false],
    ];
  return [];
}

/** Models printTolerationsMultiline. */
export function describeTolerations(
  details: Details,
  tolerations: readonly Toleration[] | undefined,
  indent = '',
): void {
  details.write(0, `${indent}Tolerations:\t`);
  if (!tolerations || tolerations.length === 0) return details.write(0, '<none>\n');
  const sorted = [...tolerations].sort((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
  sorted.forEach((one, at) => {
    const { key = '', value = '', effect = '', operator = '', tolerationSeconds } = one;
    const keyed = `${key}${value === '' ? '' : `=${value}`}${effect === '' ? '' : `:${effect}`}`;
    const exists = operator === 'Exists' && value === '' ? `${key === '' && effect === '' ? '' : ' '}op=Exists` : '';
    const seconds = tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`;
    details.write(0, `${at > 0 ? `${indent}\t` : ''}${keyed}${exists}${seconds}\n`);
  });
}
