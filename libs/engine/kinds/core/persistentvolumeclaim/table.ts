import type { PersistentVolumeClaim } from '../../../api/core_v1.js';
import { ageColumn, column, nameColumn, wide } from '../../../machinery/meta/columns.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { Column } from '../../../machinery/meta/table.js';

const SHORT: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];
const UNSET = '<unset>';

/** 'RWO,ROX', in upstream's order. */
export const accessModesText = (modes: readonly string[] | undefined): string =>
  SHORT.filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');

/** The class's name; the old annotation wins, as upstream. '' when there is none. */
export const storageClassOf = (
  object: KubeObject & { readonly spec: { readonly storageClassName?: string } },
): string =>
  object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? object.spec.storageClassName ?? '';

const isBound = (claim: PersistentVolumeClaim): boolean => Boolean(claim.spec.volumeName);

export const columns: readonly Column<PersistentVolumeClaim>[] = [
  nameColumn,
  column('Status', 'Phase of the claim.', (c) =>
    c.metadata.deletionTimestamp === undefined ? (c.status.phase ?? '') : 'Terminating',
  ),
  column('Volume', 'Volume that the claim is bound to.', (c) => c.spec.volumeName ?? ''),
  column('Capacity', 'Size of the volume.', (c) => (isBound(c) ? (c.status.capacity?.['storage'] ?? '0') : '')),
  column('Access Modes', 'How the volume may be mounted.', (c) =>
    isBound(c) ? accessModesText(c.status.accessModes) : '',
  ),
  column('StorageClass', 'Storage class of the claim.', storageClassOf),
  column('VolumeAttributesClass', 'Attributes class of the claim.', (c) => c.spec.volumeAttributesClassName ?? UNSET),
  ageColumn,
  wide('VolumeMode', 'Filesystem or Block.', (c) => c.spec.volumeMode ?? UNSET),
];
