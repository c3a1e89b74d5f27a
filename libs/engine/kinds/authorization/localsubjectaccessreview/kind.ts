import type { LocalSubjectAccessReview } from '../../../api/authorization_v1.js';
import { invalidValue, Path, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { asGo, decide, refuse, subjectOf, validateAttributes, validateNameless, validateSubject } from '../reviews.js';

/** Models pkg/registry/authorization/localsubjectaccessreview. */
export const kind = defineKind<LocalSubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'LocalSubjectAccessReview',
  plural: 'localsubjectaccessreviews',
  singular: 'localsubjectaccessreview',
  scope: 'Namespaced',
  definition: 'io.k8s.api.authorization.v1.LocalSubjectAccessReview',
  verbs: ['create'],
  evaluate(review, _client, { auth }) {
    refuse([
      ...validateAttributes(review.spec, Path.of('spec')),
      ...validateSubject(review.spec, Path.of('spec')),
      ...validateNameless(review.metadata, 'namespace'),
      ...validateNamespace(review),
    ]);
    return { ...review, status: decide(subjectOf(review.spec), review.spec, auth) };
  },
});

function validateNamespace({ metadata, spec }: LocalSubjectAccessReview): FieldError[] {
  const path = Path.of('spec');
  const errors: FieldError[] = [];
  const namespace = spec.resourceAttributes?.namespace ?? '';
  if (spec.resourceAttributes && namespace !== (metadata.namespace ?? '')) {
    errors.push(
      invalidValue(path.child('resourceAttributes', 'namespace'), namespace, 'must match metadata.namespace'),
    );
  }
  if (spec.nonResourceAttributes)
    errors.push(
      invalidValue(
        path.child('nonResourceAttributes'),
        asGo(spec.nonResourceAttributes),
        'disallowed on this kind of request',
      ),
    );
  return errors;
}
