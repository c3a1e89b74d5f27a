/** Counts in workloads' statuses. Models ValidateDeploymentStatus and ValidateReplicaSetStatus of pkg/apis/apps. */
import { invalidValue, Path, type FieldError } from '../machinery/meta/field.js';
import { notNegative } from '../machinery/meta/validation.js';

const path = Path.of('status');

/**
 * `within`: the counts that cannot be greater than status.replicas. `ready`: upstream's name of readyReplicas in the
 * error of availableReplicas, which cannot be greater.
 */
export function validateStatusCounts(
  status: object,
  counts: readonly string[],
  within: readonly string[],
  ready?: string,
): FieldError[] {
  const of = (field: string): number => (status as Readonly<Record<string, number | undefined>>)[field] ?? 0;
  const errors = counts.flatMap((field) => notNegative(path.child(field), of(field)));
  for (const field of within)
    if (of(field) > of('replicas'))
      errors.push(invalidValue(path.child(field), of(field), 'cannot be greater than status.replicas'));
  if (ready && of('availableReplicas') > of('readyReplicas'))
    errors.push(
      invalidValue(path.child('availableReplicas'), of('availableReplicas'), `cannot be greater than ${ready}`),
    );
  return errors;
}
