import type { SelfSubjectRulesReview } from '../../../api/authorization_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { badRequest } from '../../../machinery/meta/status.js';

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
  evaluate(review, _client, { auth, user }) {
    const { namespace } = review.spec;
    if (!namespace) throw badRequest('no namespace on request');
    // Upstream's answer does not repeat the question.
    return { ...review, metadata: {}, spec: {}, status: auth.rulesFor(user, namespace) };
  },
});
