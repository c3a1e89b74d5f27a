import type { SelfSubjectAccessReview } from '../../../api/authorization_v1.js';
import { Path } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { decide, refuse, validateAttributes, validateNameless } from '../reviews.js';

/** `kubectl auth can-i`. Models pkg/registry/authorization/selfsubjectaccessreview. */
export const kind = defineKind<SelfSubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  singular: 'selfsubjectaccessreview',
  scope: 'Cluster',
  definition: 'io.k8s.api.authorization.v1.SelfSubjectAccessReview',
  verbs: ['create'],
  evaluate(review, _client, { auth, user }) {
    refuse([...validateAttributes(review.spec, Path.of('spec')), ...validateNameless(review.metadata)]);
    return { ...review, status: decide(user, review.spec, auth) };
  },
});
