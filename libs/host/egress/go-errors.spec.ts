import { expect, test } from '@jest/globals';
import { goErrorMessage, joinHostPort } from './go-errors.js';

const URL = 'https://hook.example.com/do';
const CERTIFICATE = 'tls: failed to verify certificate: x509: ';

test.each<[object, string]>([
  [{ name: 'TimeoutError' }, 'context deadline exceeded'],
  [{ name: 'AbortError' }, 'context deadline exceeded'],
  [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, `${CERTIFICATE}certificate signed by unknown authority`],
  [{ code: 'CERT_HAS_EXPIRED' }, `${CERTIFICATE}certificate has expired or is not yet valid`],
  [
    { code: 'ERR_TLS_CERT_ALTNAME_INVALID', cert: { subjectaltname: 'DNS:a.io, IP Address:10.0.0.1' } },
    `${CERTIFICATE}certificate is valid for a.io, 10.0.0.1, not hook.example.com`,
  ],
  [{ code: 'ECONNREFUSED', address: '10.0.0.1', port: 8443 }, 'dial tcp 10.0.0.1:8443: connect: connection refused'],
  [{ code: 'EHOSTUNREACH', address: '2001:db8::1' }, 'dial tcp [2001:db8::1]:443: connect: no route to host'],
  [{ code: 'ENOTFOUND' }, 'dial tcp: lookup hook.example.com: no such host'],
  [{ code: 'EAI_AGAIN' }, 'dial tcp: lookup hook.example.com: server misbehaving'],
  [{ code: 'ECONNRESET' }, 'EOF'],
  [{ code: 'EPROTO', message: 'wrong version number' }, 'http: server gave HTTP response to HTTPS client'],
  [{ code: 'EPROTO' }, 'remote error: tls: handshake failure'],
  [{ message: 'dial tcp 10.0.0.1:443: switched off' }, 'dial tcp 10.0.0.1:443: switched off'],
])('%j is %s', (error, expected) => {
  expect(goErrorMessage(Object.assign(new Error(), error), URL)).toBe(expected);
});

test.each([
  ['10.0.0.1', 443, '10.0.0.1:443'],
  ['::1', '8443', '[::1]:8443'],
])('%s and %s are joined to %s', (host, port, expected) => expect(joinHostPort(host, port)).toBe(expected));
