import type { Lease } from '../../../api/coordination_v1.js';
import { invalidValue, Path, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { notNegative } from '../../../machinery/meta/validation.js';
import { ageColumn, nameColumn, text } from '../../columns.js';
import { renewLease } from './renewal.js';

/** Models pkg/registry/coordination/lease. */
export const kind = defineKind<Lease>({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  singular: 'lease',
  scope: 'Namespaced',
  needsVersion: true,
  createOnUpdate: true,
  definition: 'io.k8s.api.coordination.v1.Lease',
  columns: [nameColumn, text('Holder', (l) => l.spec.holderIdentity ?? ''), ageColumn],
  asOf: renewLease,
  prepareForCreate: dropDisabled,
  prepareForUpdate: dropDisabled,
  validate: validateLease,
});

/** CoordinatedLeaderElection is off in 1.36. */
function dropDisabled(draft: Lease): void {
  if (draft.spec.strategy === undefined && draft.spec.preferredHolder === undefined) return;
  const { strategy: _strategy, preferredHolder: _holder, ...spec } = draft.spec;
  draft.spec = spec;
}

/** Models pkg/apis/coordination/validation ValidateLeaseSpec. */
function validateLease({ spec }: Lease): FieldError[] {
  const path = Path.of('spec');
  const seconds = spec.leaseDurationSeconds;
  const errors =
    seconds !== undefined && seconds <= 0
      ? [invalidValue(path.child('leaseDurationSeconds'), seconds, 'must be greater than 0')]
      : [];
  errors.push(...notNegative(path.child('leaseTransitions'), spec.leaseTransitions));
  return errors;
}
