import type { VolumeAttributesClass } from '../../../api/storage_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { forbiddenField, Path, required } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { ageColumn, nameOrDefaultColumn, text } from '../../columns.js';
import { validateProvisioner } from '../provisioner.js';
import { validateParameters } from '../parameters.js';

/** Models pkg/registry/storage/volumeattributesclass. */
export const kind = defineKind<VolumeAttributesClass>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  singular: 'volumeattributesclass',
  shortNames: ['vac'],
  scope: 'Cluster',
  returnsDeleted: true,
  definition: 'io.k8s.api.storage.v1.VolumeAttributesClass',
  columns: [
    nameOrDefaultColumn(['volumeattributesclass.alpha.kubernetes.io/is-default-class']),
    text('DriverName', (c) => c.driverName),
    ageColumn,
  ],
  validate: (c) => [
    ...validateProvisioner(c.driverName, Path.of('driverName')),
    ...(Object.keys(c.parameters ?? {}).length
      ? validateParameters(c.parameters!, Path.of('parameters'))
      : [required(Path.of('parameters'), 'must contain at least one key/value pair')]),
  ],
  validateUpdate: (next, old) => [
    ...(next.driverName === old.driverName
      ? []
      : [forbiddenField(Path.of('driverName'), 'updates to driverName are forbidden.')]),
    ...(deepEqual(next.parameters, old.parameters)
      ? []
      : [forbiddenField(Path.of('parameters'), 'updates to parameters are forbidden.')]),
  ],
});
