import type { Pod, PodSpec } from '../../../../api/core_v1.js';
import { forbiddenField, Path, type FieldError } from '../../../../machinery/meta/field.js';
import { validatePodAnnotations } from './annotations.js';
import { validateTrimmed } from './container/containers.js';
import { validateSpec } from './spec.js';

const SPEC = Path.of('spec');

/** The errors of a pod, new or stored. Models ValidatePodCreate of pkg/apis/core/validation. */
export function validatePod(pod: Pod): FieldError[] {
  const { spec, metadata } = pod;
  const errors = validatePodAnnotations(metadata.annotations, spec, Path.of('metadata', 'annotations'));
  validateSpec(spec, SPEC, errors, metadata.name ?? '');
  if (!spec.serviceAccountName) forbidServiceAccountTokens(spec, errors);
  for (const field of ['containers', 'initContainers'] as const)
    spec[field]?.forEach((container, i) => validateTrimmed(container, SPEC.child(field).index(i), errors));
  if (metadata.resourceVersion !== undefined) return errors;
  if (spec.ephemeralContainers?.length)
    errors.push(forbiddenField(SPEC.child('ephemeralContainers'), 'cannot be set on create'));
  if (spec.nodeName && spec.schedulingGates?.length)
    errors.push(forbiddenField(SPEC.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'));
  return errors;
}

function forbidServiceAccountTokens({ volumes }: PodSpec, errors: FieldError[]): void {
  volumes?.forEach(({ projected }, i) =>
    projected?.sources?.forEach((source, j) => {
      if (source.serviceAccountToken)
        errors.push(
          forbiddenField(
            SPEC.child('volumes').index(i).child('projected', 'sources').index(j).child('serviceAccountToken'),
            'must not be specified when serviceAccountName is not set',
          ),
        );
    }),
  );
}
