import type { CSINode, CSINodeDriver } from '../../../api/storage_v1.js';
import { duplicate, invalidValue, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { defineKind } from '../../../machinery/kind.js';
import { immutable, invalidEach, isQualifiedName, notNegative } from '../../../machinery/meta/validation.js';
import { validateEach } from '../../field-validation.js';
import { ageColumn, column, nameColumn } from '../../columns.js';
import { validateCSIDriverName } from '../../csi-driver-name.js';
import { asInternal, type Struct } from '../../internal.js';

const MAX_NODE_ID = 256;
const DRIVER: Struct = { Name: '', NodeID: '', TopologyKeys: null, Allocatable: null };

/** Models pkg/registry/storage/csinode. */
export const kind = defineKind<CSINode>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  singular: 'csinode',
  scope: 'Cluster',
  returnsDeleted: true,
  needsVersion: true,
  definition: 'io.k8s.api.storage.v1.CSINode',
  columns: [nameColumn, column('Drivers', 'integer', (n) => n.spec.drivers?.length ?? 0), ageColumn],
  validate: ({ spec }) => validateDrivers(spec.drivers ?? [], Path.of('spec', 'drivers')),
  validateUpdate: (next, old) =>
    (old.spec.drivers ?? []).flatMap((before) =>
      (next.spec.drivers ?? [])
        .filter((d) => d.name === before.name)
        .flatMap((driver) => {
          const [was, is] = [before, driver].map((d) => asInternal(DRIVER, { ...d, allocatable: null }));
          return immutable(Path.of('spec', 'drivers'), is, deepEqual(is, was));
        }),
    ),
});

function validateDrivers(drivers: readonly CSINodeDriver[], path: Path): FieldError[] {
  const seen = new Set<string>();
  return validateEach(drivers, path, (driver, at) => {
    const errors = [
      ...validateCSIDriverName(at.child('name'), driver.name),
      ...validateNodeID(driver.nodeID, at.child('nodeID')),
    ];
    errors.push(...notNegative(at.child('allocatable', 'count'), driver.allocatable?.count));
    if (seen.has(driver.name)) errors.push(duplicate(at.child('name'), driver.name));
    seen.add(driver.name);
    return [...errors, ...validateTopologyKeys(driver.topologyKeys, at)];
  });
}

function validateNodeID(id: string | undefined, path: Path): FieldError[] {
  if (!id) return [required(path)];
  return id.length > MAX_NODE_ID ? [invalidValue(path, id, `must be ${MAX_NODE_ID} characters or less`)] : [];
}

function validateTopologyKeys(keys: readonly string[] | undefined, path: Path): FieldError[] {
  const seen = new Set<string>();
  return (keys ?? []).flatMap((key) => {
    const repeated = seen.has(key) ? [duplicate(path, key)] : [];
    seen.add(key);
    return [...(key ? [] : [required(path)]), ...repeated, ...invalidEach(path, key, isQualifiedName(key))];
  });
}
