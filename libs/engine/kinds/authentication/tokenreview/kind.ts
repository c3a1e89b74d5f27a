import type { TokenReview } from '../../../api/authentication_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { badRequest } from '../../../machinery/status.js';

/**
 * Models pkg/registry/authentication/tokenreview.
 * Left out: tokens of service accounts, which are not authenticated yet; every token is answered as unknown.
 */
export const kind = defineKind<TokenReview>({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  singular: 'tokenreview',
  scope: 'Cluster',
  definition: 'io.k8s.api.authentication.v1.TokenReview',
  verbs: ['create'],
  evaluate(review) {
    if (!review.spec.token) throw badRequest('token is required for TokenReview in authentication');
    return { ...review, status: { user: {}, error: 'invalid bearer token' } };
  },
});
