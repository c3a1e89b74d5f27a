import { ISSUER } from '../../machinery/requests/auth.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import type { BodyResponse } from '../../machinery/requests/http.js';

const cacheableResponse = (type: string, value: unknown): BodyResponse => ({
  type: 'body',
  status: 200,
  headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' },
  body: JSON.stringify(value),
});

/**
 * /.well-known/openid-configuration: where relying parties find the keys that service account tokens are signed with.
 * `server`: host and port of the API. Models pkg/serviceaccount/openidmetadata.go.
 */
export const openIdConfiguration = (server: string): BodyResponse =>
  cacheableResponse('application/json', {
    issuer: ISSUER,
    jwks_uri: `https://${server}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  });

/** /openid/v1/jwks. */
export const keySet = (keys: ClusterKeys): BodyResponse =>
  cacheableResponse('application/jwk-set+json', { keys: [keys.tokens.jwk] });
