import { createHmac } from 'node:crypto';

/** The header that receivers check. */
export const SIGNATURE_HEADER = 'terrarium-signature';

/** 't=1764003600,v1=HEX': HMAC-SHA256, by the webhook's secret, of '1764003600.BODY'. `at`: real ms. */
export function signResults(secret: string, body: string, at: number): string {
  const seconds = Math.floor(at / 1_000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
