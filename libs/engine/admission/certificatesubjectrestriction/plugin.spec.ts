import { expect, test } from '@jest/globals';
import { kind as Requests } from '../../kinds/certificates/certificatesigningrequest/kind.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import { REQUESTS } from '../../machinery/crypto/x509/testing.js';
import { createRequest, objectOf, refusalOf } from '../testing.js';
import { plugin } from './plugin.js';

/** CN eve, O system:masters. */
const SUPERUSER = `-----BEGIN CERTIFICATE REQUEST-----
MIHhMIGJAgEAMCcxDDAKBgNVBAMMA2V2ZTEXMBUGA1UECgwOc3lzdGVtOm1hc3Rl
cnMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR6dxSdUeerbc3IAB9mvS/8NPkQ
v2XPVW20Yz40YQfWYrs+oot6j7rTTNRmK28T5muLlGwEzcHYNkNFFKEEdY/PoAAw
CgYIKoZIzj0EAwIDRwAwRAIgFGECEwJOMwSTduFk1lSYPPjOCwDjO4TShVY+SGxp
DZgCIEazG0WRJNH4uwtKCtxKyrYQOweq/KhM2Z9Y3HkaqHS4
-----END CERTIFICATE REQUEST-----
`;
const API_CLIENT = 'kubernetes.io/kube-apiserver-client';

test.each<[string, string, string, string | undefined]>([
  [
    'a superuser',
    SUPERUSER,
    API_CLIENT,
    'use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
  ],
  ['a superuser by another signer', SUPERUSER, 'example.com/client', undefined],
  ['another group', REQUESTS.p256, API_CLIENT, undefined],
])('a certificate of %s', (_, pem, signerName, message) =>
  expect(
    refusalOf(
      plugin,
      createRequest(Requests, { object: objectOf(Requests, { spec: { signerName, request: encodeBase64(pem) } }) }),
    ),
  ).toBe(message && `certificatesigningrequests.certificates.k8s.io "a" is forbidden: ${message}`),
);

test('a request that cannot be read', () =>
  expect(
    refusalOf(
      plugin,
      createRequest(Requests, { object: objectOf(Requests, { spec: { signerName: API_CLIENT, request: 'eA==' } }) }),
    ),
  ).toMatch(/^certificatesigningrequests.certificates.k8s.io "a" is forbidden: failed to parse CSR: /));

test('an update is not looked at', () => {
  const object = objectOf(Requests, { spec: { signerName: API_CLIENT, request: encodeBase64(SUPERUSER) } });
  expect(refusalOf(plugin, createRequest(Requests, { object, old: object }))).toBeUndefined();
});
