import type { SelfSubjectRulesReview } from '../../../api/authorization_v1.js';
import { Path, required } from '../../../machinery/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { rulesFor } from '../authorizer.js';

/** `kubectl auth can-i --list`. Models pkg/registry/authorization/selfsubjectrulesreview. */
export const kind = defineKind<SelfSubjectRulesReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
  singular: 'selfsubjectrulesreview',
  scope: 'Cluster',
  definition: 'io.k8s.api.authorization.v1.SelfSubjectRulesReview',
  verbs: ['create'],
  validate: ({ spec }) => (spec.namespace ? [] : [required(Path.of('spec', 'namespace'), 'no namespace on request')]),
  evaluate: (review, client, { user }) => ({ ...review, status: { ...rulesFor(user, review.spec.namespace ?? '', client), incomplete: false } }),
});
