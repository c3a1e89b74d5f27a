import type { CSINode, CSINodeDriver } from '../../../api/storage_v1.js';
import { duplicate, invalidValue, Path, required, type FieldError } from '../../../machinery/field.js';
import { deepEqual } from '../../../machinery/equal.js';
import { defineKind } from '../../../machinery/kind.js';
import { isQualifiedName, invalidEach, notNegative } from '../../../machinery/validation.js';
import { each } from '../../checks.js';
import { ageColumn, column, nameColumn } from '../../columns.js';
import { validateDriverName } from '../../drivers.js';

const MAX_NODE_ID = 192;

/** Models pkg/registry/storage/csinode. */
export const kind = defineKind<CSINode>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  singular: 'csinode',
  scope: 'Cluster',
  needsVersion: true,
  definition: 'io.k8s.api.storage.v1.CSINode',
  columns: [nameColumn, column('Drivers', 'integer', (n) => n.spec.drivers?.length ?? 0), ageColumn],
  validate: ({ spec }) => validateDrivers(spec.drivers ?? [], Path.of('spec', 'drivers')),
  validateUpdate: (next, old) =>
    (next.spec.drivers ?? []).flatMap((driver) => {
      const before = old.spec.drivers?.find((d) => d.name === driver.name);
      const same = !before || deepEqual({ ...before, allocatable: undefined }, { ...driver, allocatable: undefined });
      return same ? [] : [invalidValue(Path.of('CSINodeDriver'), driver, 'field is immutable')];
    }),
});

function validateDrivers(drivers: readonly CSINodeDriver[], path: Path): FieldError[] {
  const seen = new Set<string>();
  return each(drivers, path, (driver, at) => {
    const errors = [...validateDriverName(at.child('name'), driver.name), ...validateNodeID(driver.nodeID, at.child('nodeID'))];
    errors.push(...notNegative(at.child('allocatable', 'count'), driver.allocatable?.count));
    if (seen.has(driver.name)) errors.push(duplicate(at.child('name'), driver.name));
    seen.add(driver.name);
    return [...errors, ...validateTopologyKeys(driver.topologyKeys, at.child('topologyKeys'))];
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
    return key ? [...repeated, ...invalidEach(path, key, isQualifiedName(key))] : [required(path)];
  });
}
