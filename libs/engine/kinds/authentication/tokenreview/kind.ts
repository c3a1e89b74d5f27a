import type { TokenReview } from '../../../api/authentication_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { badRequest } from '../../../machinery/meta/status.js';
import { ISSUER } from '../../../machinery/requests/auth.js';
import { userInfo } from '../userinfo.js';

/** Whose token is this? Models pkg/registry/authentication/tokenreview. */
export const kind = defineKind<TokenReview>({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  singular: 'tokenreview',
  scope: 'Cluster',
  definition: 'io.k8s.api.authentication.v1.TokenReview',
  verbs: ['create'],
  evaluate(review, _client, { auth }) {
    const { token, audiences } = review.spec;
    if (!token) throw badRequest('token is required for TokenReview in authentication');
    const found = auth.authenticateToken(token, audiences?.length ? audiences : [ISSUER]);
    if (typeof found === 'string')
      return { ...review, status: { user: {}, error: found === UNKNOWN ? UNKNOWN : `[${UNKNOWN}, ${found}]` } };
    return { ...review, status: { authenticated: true, user: userInfo(found.user), audiences: [...found.audiences] } };
  },
});

const UNKNOWN = 'invalid bearer token';
