import type { TokenReview } from '../../../api/authentication_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { badRequest } from '../../../machinery/meta/status.js';
import { authenticateToken, ISSUER } from '../tokens.js';
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
  evaluate(review, client, { keys, now }) {
    const { token, audiences } = review.spec;
    if (!token) throw badRequest('token is required for TokenReview in authentication');
    const found = authenticateToken(keys?.tokens, token, audiences?.length ? audiences : [ISSUER], client, now);
    if (typeof found === 'string') return { ...review, status: { user: {}, error: found === UNKNOWN ? UNKNOWN : `[${UNKNOWN}, ${found}]` } };
    return { ...review, status: { authenticated: true, user: userInfo(found.user), audiences: [...found.audiences] } };
  },
});

const UNKNOWN = 'invalid bearer token';
