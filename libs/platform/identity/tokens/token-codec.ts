/** What stands in a token itself; the rest of it is in its row. */
export interface TokenClaims {
  readonly id: string;
  /** Real ms since the epoch, a whole number of seconds. */
  readonly expiresAt: number;
}

/** The claims in base64url. */
export const encodeToken = ({ id, expiresAt }: TokenClaims): string =>
  Buffer.from(JSON.stringify([id, expiresAt / 1_000])).toString('base64url');

/** The claims of a body that encodeToken has made: one whose signature has been verified. */
export function decodeToken(body: string): TokenClaims {
  const [id, seconds] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [string, number];
  return { id, expiresAt: seconds * 1_000 };
}
