import crypto from 'node:crypto';

/** What a credential begins with tells where to look it up. */
export const KEY_PREFIX = 'tk_';
export const TOKEN_PREFIX = 'tc_';
export const OPERATOR_PREFIX = 'op_';
export const SESSION_PREFIX = 'ts_';
export const LINK_PREFIX = 'tl_';
const MAX_CHARACTERS = 500;
const KEY_BYTES = 24;

/** The store keeps this and not the key: SHA-256 is enough for 192 random bits. */
export const hashKey = (key: string): string => crypto.createHash('sha256').update(key).digest('hex');

/** A tenant's key. */
export const generateKey = (): string => KEY_PREFIX + crypto.randomBytes(KEY_BYTES).toString('base64url');
export const generateOperatorKey = (): string => OPERATOR_PREFIX + crypto.randomBytes(KEY_BYTES).toString('base64url');

/** What a browser keeps in a cookie, and what a link signs in with once. */
export const generateSession = (): string => SESSION_PREFIX + crypto.randomBytes(KEY_BYTES).toString('base64url');
export const generateLink = (): string => LINK_PREFIX + crypto.randomBytes(KEY_BYTES).toString('base64url');

/** The credential of an Authorization header; undefined without one, and for one that is too long to be ours. */
export function credentialOf(authorization: string | undefined): string | undefined {
  const credential = bearerToken(authorization);
  return credential && credential.length <= MAX_CHARACTERS ? credential : undefined;
}

/** What follows 'Bearer ' in an Authorization header. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined;

/** Compares secrets in a time that depends on neither of them. */
export function isEqualSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => crypto.createHash('sha256').update(text).digest();
  return crypto.timingSafeEqual(digest(a), digest(b));
}
