import { toArray, type Bytes } from '../../../../../engine/kernel/bytes.js';
import { hex, sha256 } from '../../../../../engine/machinery/crypto/sha256.js';
import { certificatesOf } from '../../../openssl/verify.js';

/**
 * The pin of an authority's key, as --discovery-token-ca-cert-hash takes it: SHA-256 of its SubjectPublicKeyInfo.
 * Models cmd/kubeadm/app/util/pubkeypin. Of what is no certificate, of its text.
 */
export function pinOf(authority: Bytes): string {
  const key = certificatesOf(authority)[0]?.publicKey.whole ?? toArray(authority);
  return `sha256:${hex(sha256(key))}`;
}
