import type { SubjectAccessReview } from '../../../api/authorization_v1.js';
import { Path } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { decide, refuse, subjectOf, validateAttributes, validateNameless, validateSubject } from '../reviews.js';

/** Models pkg/registry/authorization/subjectaccessreview. */
export const kind = defineKind<SubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  singular: 'subjectaccessreview',
  scope: 'Cluster',
  definition: 'io.k8s.api.authorization.v1.SubjectAccessReview',
  verbs: ['create'],
  evaluate(review, _client, { auth }) {
    refuse([
      ...validateAttributes(review.spec, Path.of('spec')),
      ...validateSubject(review.spec, Path.of('spec')),
      ...validateNameless(review.metadata),
    ]);
    return { ...review, status: decide(subjectOf(review.spec), review.spec, auth) };
  },
});
