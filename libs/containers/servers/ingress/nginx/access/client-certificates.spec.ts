import { expect, test } from '@jest/globals';
import type { KubeObject } from '@terrarium/engine';
import { encodeBase64 } from '../../../../../engine/machinery/text/base64.js';
import { deriveKey, SigningKey } from '../../../../../engine/machinery/crypto/signing-key.js';
import { Authority } from '../../../../../engine/machinery/crypto/x509/authority.js';
import { commonName } from '../../../../../engine/machinery/crypto/x509/name.js';
import { NOW } from '../../../../../engine/node/kubelet/testing.js';
import { ask, ingress, shop, tell } from '../testing.js';

const WEB = '10.244.1.1:8080 /';
const authority = (name: string): Authority => new Authority(new SigningKey(deriveKey(name, 'ca')), name);
const [OURS, THEIRS] = [authority('ours'), authority('theirs')];
const issuedBy = (one: Authority, notAfter = NOW + 1_000_000): string =>
  encodeBase64(
    one.issue({
      ...{ subject: commonName('ann'), serial: Uint8Array.of(1), notBefore: NOW - 1_000_000, notAfter, extensions: [] },
      publicKey: new SigningKey(deriveKey('ann', 'key')).publicKey,
    }),
  );
const secret = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'ca', namespace: 'shop' } },
  data: { 'ca.crt': btoa(OURS.pem) },
} as never as KubeObject;

test.each<[string, Record<string, string>, string, string | undefined, string]>([
  ['no certificate', {}, 'https', undefined, '400'],
  ['the right one', {}, 'https', issuedBy(OURS), WEB],
  ['one of another authority', {}, 'https', issuedBy(THEIRS), '400'],
  ['one that is over', {}, 'https', issuedBy(OURS, NOW - 1), '400'],
  ['nonsense', {}, 'https', 'AAAA', '400'],
  ['none where none is needed', { 'auth-tls-verify-client': 'optional' }, 'https', undefined, WEB],
  ['a wrong one where none is needed', { 'auth-tls-verify-client': 'optional' }, 'https', issuedBy(THEIRS), '400'],
  [
    'a page for who has none',
    { 'auth-tls-error-page': 'http://a.test/no' },
    'https',
    undefined,
    '302 http://a.test/no',
  ],
  ['a Secret that is missing', { 'auth-tls-secret': 'shop/none' }, 'https', issuedBy(OURS), '403'],
  ['plain HTTP', {}, 'http', undefined, WEB],
])('%s', (_case, annotations, scheme, certificate, expected) => {
  const one = ingress('one', [{ host: 'a.test' }], { 'auth-tls-secret': 'shop/ca', ...annotations });
  const step = ask(shop(one, secret), `${scheme}://a.test/`, certificate === undefined ? {} : { certificate });
  expect(tell(step)).toBe(expected);
});

test('what the backend hears of it', () => {
  const annotations = { 'auth-tls-secret': 'shop/ca', 'auth-tls-pass-certificate-to-upstream': 'true' };
  const look = shop(ingress('one', [{ host: 'a.test' }], annotations), secret);
  const step = ask(look, 'https://a.test/', { certificate: issuedBy(OURS) });
  expect('forward' in step && step.forward.headers).toMatchObject({
    ...{ 'ssl-client-verify': 'SUCCESS', 'ssl-client-subject-dn': 'CN=ann', 'ssl-client-issuer-dn': 'CN=ours' },
    'ssl-client-cert': expect.stringContaining('BEGIN%20CERTIFICATE'),
  });
});
