import type { Toleration } from '../../../api/core_v1.js';
import type { RuntimeClass } from '../../../api/node_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { duplicate, invalidValue, Path, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { quantityFault, quantityValue } from '../../../machinery/quantity/quantity.js';
import {
  invalidEach,
  isDNS1123Label,
  isQualifiedName,
  NOT_NEGATIVE,
  validateLabels,
} from '../../../machinery/meta/validation.js';
import { validateRequiredText, validateImmutableField } from '../../field-validation.js';
import { validateTolerations } from '../../core/pod/kind.js';
import { ageColumn, nameColumn, text } from '../../columns.js';

/** Models pkg/registry/node/runtimeclass. */
export const kind = defineKind<RuntimeClass>({
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  singular: 'runtimeclass',
  scope: 'Cluster',
  needsVersion: true,
  definition: 'io.k8s.api.node.v1.RuntimeClass',
  columns: [nameColumn, text('Handler', (c) => c.handler), ageColumn],
  validate: (c) => [
    ...validateRequiredText(Path.of('handler'), c.handler, isDNS1123Label),
    ...validateOverhead(c.overhead?.podFixed, Path.of('overhead', 'limits')),
    ...validateLabels(c.scheduling?.nodeSelector, Path.of('scheduling', 'nodeSelector')),
    ...tolerationErrors(c.scheduling?.tolerations ?? []),
  ],
  validateUpdate: (next, old) => validateImmutableField(Path.of('handler'), next.handler, old.handler),
});

/** No two tolerations may be the same. */
function tolerationErrors(tolerations: readonly Toleration[]): FieldError[] {
  const path = Path.of('scheduling', 'tolerations');
  const errors: FieldError[] = [];
  validateTolerations(tolerations, path, errors);
  tolerations.forEach((toleration, i) => {
    if (tolerations.slice(0, i).some((earlier) => deepEqual(earlier, toleration)))
      errors.push(duplicate(path.index(i), toleration));
  });
  return errors;
}

/** Upstream reuses the rules of a container's limits, and their path. */
function validateOverhead(podFixed: Readonly<Record<string, string>> | undefined, path: Path): FieldError[] {
  return Object.entries(podFixed ?? {}).flatMap(([resource, quantity]) => {
    const at = path.key(resource);
    const fault = quantityFault(quantity);
    if (fault !== undefined) return [invalidValue(at, quantity, fault)];
    const negative = quantityValue(quantity) < 0 ? [invalidValue(at, quantity, NOT_NEGATIVE)] : [];
    return [...invalidEach(at, resource, isQualifiedName(resource)), ...negative];
  });
}
