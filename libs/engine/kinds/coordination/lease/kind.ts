import type { Lease } from '../../../api/coordination_v1.js';
import { forbiddenField, invalidValue, notSupported, Path, type FieldError } from '../../../machinery/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { invalidEach, isQualifiedName, notNegative } from '../../../machinery/validation.js';
import { ageColumn, nameColumn, text } from '../../columns.js';
import { renewed } from './renewal.js';

const STRATEGIES = ['OldestEmulationVersion'];

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
  asOf: renewed,
  validate: validateLease,
});

/** Models pkg/apis/coordination/validation ValidateLeaseSpec. */
function validateLease({ spec }: Lease): FieldError[] {
  const path = Path.of('spec');
  const { leaseDurationSeconds: seconds, strategy, preferredHolder } = spec;
  const errors = seconds !== undefined && seconds <= 0 ? [invalidValue(path.child('leaseDurationSeconds'), seconds, 'must be greater than 0')] : [];
  errors.push(...notNegative(path.child('leaseTransitions'), spec.leaseTransitions));
  const at = path.child('strategy', 'strategy');
  if (strategy?.includes('/')) errors.push(...invalidEach(at, strategy, isQualifiedName(strategy)));
  else if (strategy !== undefined && !STRATEGIES.includes(strategy)) errors.push(notSupported(at, strategy, STRATEGIES));
  if (preferredHolder && !strategy) errors.push(forbiddenField(path.child('preferredHolder'), 'may only be specified if `strategy` is defined'));
  return errors;
}
