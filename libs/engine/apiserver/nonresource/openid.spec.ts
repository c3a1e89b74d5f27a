import { expect, test } from '@jest/globals';
import crypto from 'node:crypto';
import { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { keySet, openIdConfiguration } from './openid.js';

const CACHE = 'public, max-age=3600';

test('the configuration leads to the keys', () => {
  const { headers, body } = openIdConfiguration('172.18.0.2:6443');
  expect(headers).toEqual({ 'content-type': 'application/json', 'cache-control': CACHE });
  expect(JSON.parse(String(body))).toEqual({
    issuer: 'https://kubernetes.default.svc.cluster.local',
    jwks_uri: 'https://172.18.0.2:6443/openid/v1/jwks',
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  });
});

test('the keys verify tokens', () => {
  const keys = new ClusterKeys('a secret');
  const { headers, body } = keySet(keys);
  expect(headers).toEqual({ 'content-type': 'application/jwk-set+json', 'cache-control': CACHE });
  const [jwk] = JSON.parse(String(body)).keys;
  expect(jwk).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
  const [header, claims, signature] = keys.tokens.sign({ sub: 'a' }).split('.');
  const key = crypto.createPublicKey({ key: jwk, format: 'jwk' });
  const verified = crypto.verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature!, 'base64url'),
  );
  expect(verified).toBe(true);
});
