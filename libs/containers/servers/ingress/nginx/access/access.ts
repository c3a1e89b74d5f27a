import type { Reader } from '@terrarium/engine';
import type { Ingress } from '../../../../../engine/api/networking_v1.js';
import type { Bytes } from '../../../../../engine/kernel/bytes.js';
import { Secrets } from '../../../../../engine/kinds/index.js';
import type { AnswerParts } from '../../../../../engine/node/cni/http-bytes.js';
import type { ProxyRequest } from '../../../proxy/proxy.js';
import { textOfSecret } from '../../secrets.js';
import { annotation, isInRanges, listOf } from '../config/annotations.js';
import { page } from '../pages.js';
import { isPassword } from './passwords.js';

/** Who may not come by the client's address: 403. */
export function refuseSource(ingress: Ingress, { client }: ProxyRequest): AnswerParts | undefined {
  const denied = listOf(ingress, 'denylist-source-range');
  if (isInRanges(client, denied)) return page(403);
  const allowed = [...listOf(ingress, 'whitelist-source-range'), ...listOf(ingress, 'allowlist-source-range')];
  return allowed.length > 0 && !isInRanges(client, allowed) ? page(403) : undefined;
}

/** auth-type basic: 401 without a user's password; 500 for a hash that the system's crypt does not know. */
export function refuseUser(read: Reader, ingress: Ingress, { headers }: ProxyRequest): AnswerParts | undefined {
  if (annotation(ingress, 'auth-type') !== 'basic') return undefined;
  const challenge = page(401, { 'www-authenticate': `Basic realm="${annotation(ingress, 'auth-realm') ?? ''}"` });
  const [user, password] = credentialsOf(headers) ?? [];
  if (user === undefined || password === undefined) return challenge;
  const hash = hashOf(read, ingress, user);
  if (hash === undefined) return challenge;
  const isRight = isPassword(password, hash);
  if (isRight === undefined) return page(500);
  return isRight ? undefined : challenge;
}

/** The user's name and password of a request, in bytes. */
export function credentialsOf(headers: ProxyRequest['headers']): readonly [user: string, password: Bytes] | undefined {
  const [, encoded] = /^basic\s+([A-Za-z0-9+/=]{1,4096})$/i.exec(headers['authorization'] ?? '') ?? [];
  if (encoded === undefined) return undefined;
  try {
    const text = atob(encoded);
    const colon = text.indexOf(':');
    return colon < 0 ? undefined : [text.slice(0, colon), text.slice(colon + 1)];
  } catch {
    // No base64: nobody has asked.
    return undefined;
  }
}

/** Of auth-secret: a file with lines of names and hashes in its key `auth`, or a key for each user (auth-map). */
function hashOf(read: Reader, ingress: Ingress, user: string): string | undefined {
  const [first = '', second] = (annotation(ingress, 'auth-secret') ?? '').split('/');
  const namespace = ingress.metadata.namespace ?? '';
  const data = read.get(Secrets, { namespace, name: second ?? first })?.data ?? {};
  if (annotation(ingress, 'auth-secret-type') === 'auth-map') return textOfSecret(data[user])?.trim();
  const line = (textOfSecret(data['auth']) ?? '').split('\n').find((one) => one.startsWith(`${user}:`));
  return line
    ?.slice(user.length + 1)
    .split(':', 1)[0]
    ?.trim();
}
