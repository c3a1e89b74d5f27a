import type { BootstrapToken } from '../../kinds/core/secret/bootstrap-token.js';
import { hmac } from '../../machinery/crypto/sha256.js';
import { encodeBase64Url } from '../../machinery/text/base64.js';

/**
 * A JSON Web Signature (HS256) of a text without the text: `header..signature`. Models cluster-bootstrap/token/jws
 * ComputeDetachedSignature.
 */
export function signDetached(content: string, { id, secret }: Pick<BootstrapToken, 'id' | 'secret'>): string {
  const header = encodeBase64Url(JSON.stringify({ alg: 'HS256', kid: id }));
  return `${header}..${encodeBase64Url(hmac(secret, `${header}.${encodeBase64Url(content)}`))}`;
}
