import { describe, expect, test } from '@jest/globals';
import crypto from 'node:crypto';
import { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { der, oid, sequence, set, TAG } from '../../machinery/crypto/x509/der.js';
import { EXTENSION, writeExtension } from '../../machinery/crypto/x509/extensions.js';
import { encodeUtf8 } from '../../machinery/text/utf8.js';
import { DAY, type Millis } from '../../machinery/time/time.js';
import { authenticateCertificate } from './certificates.js';

const NOW: Millis = Date.UTC(2026, 0, 2);
const { authority } = new ClusterKeys('a secret');
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const UID = '1.3.6.1.4.1.57683.2';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const ANY = '2.5.29.37.0';

const attribute = (type: string, text: string): Uint8Array => sequence(oid(type), der(TAG.utf8, encodeUtf8(text)));
const nameOf = (attributes: Record<string, string[]>): Uint8Array =>
  sequence(...Object.entries(attributes).map(([type, texts]) => set(...texts.map((text) => attribute(type, text)))));

const issue = (subject: Record<string, string[]>, usages: string[] = [], from = authority): Uint8Array =>
  from.issue({
    subject: nameOf(subject),
    serial: Uint8Array.of(1),
    notBefore: NOW - DAY,
    notAfter: NOW + DAY,
    publicKey: from.publicKey,
    extensions: usages.length ? [writeExtension(EXTENSION.extendedKeyUsage, false, sequence(...usages.map(oid)))] : [],
  });
const JANE = { [COMMON_NAME]: ['jane'] };

describe('the user', () => {
  test('is the common name, with the organizations as groups', () => {
    const bytes = issue({ ...JANE, [ORGANIZATION]: ['dev', 'ops', 'dev'], [UID]: ['7'] });
    const hash = crypto.createHash('sha256').update(bytes).digest('hex');
    expect(authenticateCertificate(authority, bytes, NOW)).toEqual({
      name: 'jane',
      uid: '7',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${hash}`] },
    });
  });

  test('needs a common name', () =>
    expect(authenticateCertificate(authority, issue({ [ORGANIZATION]: ['dev'] }), NOW)).toBeUndefined());

  test.each([[[]], [[CLIENT_AUTH]], [[SERVER_AUTH, CLIENT_AUTH]], [[ANY]]])('may have the usages %j', (usages) =>
    expect(authenticateCertificate(authority, issue(JANE, usages), NOW)).toMatchObject({ name: 'jane' }),
  );
});

describe('a certificate is refused', () => {
  test.each<[string, Uint8Array, Millis, string]>([
    ['after its end', issue(JANE), NOW + DAY + 1, 'x509: certificate has expired or is not yet valid'],
    ['before its beginning', issue(JANE), NOW - DAY - 1, 'x509: certificate has expired or is not yet valid'],
    ['for servers', issue(JANE, [SERVER_AUTH]), NOW, 'x509: certificate specifies an incompatible key usage'],
    ['that is too long', new Uint8Array(65_537), NOW, 'x509: malformed certificate'],
  ])('%s', (_, bytes, now, reason) => expect(authenticateCertificate(authority, bytes, now)).toBe(reason));

  test('of another authority', () =>
    expect(authenticateCertificate(authority, issue(JANE, [], new ClusterKeys('another').authority), NOW)).toBe(
      'x509: ECDSA verification failure',
    ));

  test('that cannot be read', () =>
    expect(authenticateCertificate(authority, Uint8Array.of(1, 2, 3), NOW)).toBe('asn1: syntax error: data truncated'));
});
