import { growingCache } from '../cache.js';
import { decodeBase64Url, encodeBase64Url } from '../text/base64.js';
import { sha256 } from './sha256.js';
import type { SigningKey } from './signing-key.js';
import { decodeUtf8Lossy, encodeUtf8 } from '../text/utf8.js';

const MAX_TOKEN = 16_384;
const MAX_CACHED_TOKENS = 1_000;

export type Claims = Readonly<Record<string, unknown>>;

/** Signs JSON Web Tokens (RFC 7515, ES256) and knows its own again. */
export class TokenKey {
  /** Names the key, as upstream does: the hash of its public part. */
  readonly id: string;
  private readonly header: string;
  /** The claims of valid tokens: checking a signature takes a millisecond. */
  private readonly valid = growingCache<Claims>(MAX_CACHED_TOKENS);

  constructor(private readonly key: SigningKey) {
    this.id = encodeBase64Url(sha256(key.publicKey));
    this.header = encodeBase64Url(JSON.stringify({ alg: 'ES256', kid: this.id }));
  }

  sign(claims: Claims): string {
    const body = `${this.header}.${encodeBase64Url(JSON.stringify(claims))}`;
    return `${body}.${encodeBase64Url(this.key.sign(encodeUtf8(body), 'compact'))}`;
  }

  /** The claims of a token that this key has signed. */
  verify(token: string): Claims | undefined {
    const cached = this.valid.get(token);
    if (cached) return cached;
    const [header, body, signature, ...more] = token.length > MAX_TOKEN ? [] : token.split('.');
    if (header !== this.header || !body || !signature || more.length > 0) return undefined;
    if (!this.key.verify(encodeUtf8(`${header}.${body}`), decodeBase64Url(signature))) return undefined;
    const claims = JSON.parse(decodeUtf8Lossy(decodeBase64Url(body))) as Claims;
    this.valid.set(token, claims);
    return claims;
  }

  /** The public key as a JSON Web Key (RFC 7517). */
  get jwk(): {
    readonly use: 'sig';
    readonly kty: 'EC';
    readonly kid: string;
    readonly crv: 'P-256';
    readonly alg: 'ES256';
    readonly x: string;
    readonly y: string;
  } {
    const { point } = this.key;
    return {
      use: 'sig',
      kty: 'EC',
      kid: this.id,
      crv: 'P-256',
      alg: 'ES256',
      x: encodeBase64Url(point.subarray(1, 33)),
      y: encodeBase64Url(point.subarray(33)),
    };
  }
}
