import type { CSIStorageCapacity } from '../../../api/storage_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { invalidValue, Path, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { quantityFault, quantityValue } from '../../../machinery/quantity/quantity.js';
import {
  immutable,
  invalidEach,
  isDNS1123Subdomain,
  NOT_NEGATIVE,
  validateLabelSelector,
} from '../../../machinery/meta/validation.js';
import { createdAtColumn, nameColumn } from '../../columns.js';

/** Models pkg/registry/storage/csistoragecapacity. */
export const kind = defineKind<CSIStorageCapacity>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  singular: 'csistoragecapacity',
  scope: 'Namespaced',
  needsVersion: true,
  definition: 'io.k8s.api.storage.v1.CSIStorageCapacity',
  columns: [nameColumn, createdAtColumn],
  validate: (c) => [
    ...validateLabelSelector(c.nodeTopology, Path.of('nodeTopology')),
    ...validateClass(c.storageClassName, Path.of('storageClassName')),
    ...validateQuantity(c.capacity, Path.of('capacity')),
  ],
  validateUpdate: (next, old) => [
    ...immutable(Path.of('nodeTopology'), next.nodeTopology, deepEqual(next.nodeTopology, old.nodeTopology)),
    ...immutable(Path.of('storageClassName'), next.storageClassName, next.storageClassName === old.storageClassName),
  ],
});

const validateClass = (name: string | undefined, path: Path): FieldError[] =>
  invalidEach(path, name ?? '', isDNS1123Subdomain(name ?? ''));

function validateQuantity(quantity: string | undefined, path: Path): FieldError[] {
  if (quantity === undefined) return [];
  const fault = quantityFault(quantity);
  if (fault !== undefined) return [invalidValue(path, quantity, fault)];
  return quantityValue(quantity) < 0 ? [invalidValue(path, quantity, NOT_NEGATIVE)] : [];
}
