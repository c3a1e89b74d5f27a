import type { User } from '../../machinery/client.js';
import { hex, sha256 } from '../../machinery/crypto/sha256.js';
import type { Millis } from '../../machinery/time/time.js';
import type { Authority } from '../../machinery/crypto/x509/authority.js';
import { DerError } from '../../machinery/crypto/x509/der.js';

/** clientAuth and anyExtendedKeyUsage. */
const CLIENT_USAGES = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0'];
/** The attribute of a distinguished name that Kubernetes has registered for the user's uid. */
const UID_ATTRIBUTE = '1.3.6.1.4.1.57683.2';
const MAX_BYTES = 65_536;

/**
 * The user of a client certificate (DER), whose key the client has proved to hold in TLS: its common name, with its
 * organizations as groups. Otherwise the reason why the certificate is refused, or undefined when it has no common
 * name. Models apiserver/pkg/authentication/request/x509.
 */
export function authenticateCertificate(
  authority: Authority,
  bytes: Uint8Array,
  now: Millis,
): User | string | undefined {
  const id = hex(sha256(bytes));
  const certificate =
    bytes.length > MAX_BYTES ? 'x509: malformed certificate' : verifyCertificate(authority, bytes, id);
  if (typeof certificate === 'string') return certificate;
  const { subject, notBefore, notAfter, extendedKeyUsages } = certificate;
  if (now < notBefore || now > notAfter) return 'x509: certificate has expired or is not yet valid';
  if (extendedKeyUsages && !extendedKeyUsages.some((usage) => CLIENT_USAGES.includes(usage)))
    return 'x509: certificate specifies an incompatible key usage';
  if (subject.commonName === '') return undefined;
  const [uid] = subject.attributes.get(UID_ATTRIBUTE) ?? [];
  return {
    name: subject.commonName,
    ...(uid ? { uid } : {}),
    groups: [...new Set([...subject.organizations, 'system:authenticated'])],
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${id}`] },
  };
}

function verifyCertificate(authority: Authority, bytes: Uint8Array, id: string): ReturnType<Authority['verify']> {
  try {
    return authority.verify(bytes, id);
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}
