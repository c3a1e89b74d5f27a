import type { Ingress } from '../../../../../engine/api/networking_v1.js';
import { annotation, isOn, listOf, numberOf } from '../config/annotations.js';

const METHODS = 'GET, PUT, POST, DELETE, PATCH, OPTIONS';
const HEADERS =
  'DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization';
const MAX_AGE = 1_728_000;

/** The headers of a page that others may ask for; undefined when the client's origin is not one of these. */
export function corsHeaders(ingress: Ingress, origin: string | undefined): Record<string, string> | undefined {
  if (!isOn(ingress, 'enable-cors')) return undefined;
  const origins = listOf(ingress, 'cors-allow-origin');
  const isAny = origins.length === 0 || origins.includes('*');
  if (!isAny && !(origin !== undefined && origins.some((one) => isOrigin(one, origin)))) return undefined;
  const exposed = annotation(ingress, 'cors-expose-headers');
  return {
    'access-control-allow-origin': isAny ? '*' : origin!,
    ...(annotation(ingress, 'cors-allow-credentials') === 'false'
      ? {}
      : { 'access-control-allow-credentials': 'true' }),
    'access-control-allow-methods': annotation(ingress, 'cors-allow-methods') ?? METHODS,
    'access-control-allow-headers': annotation(ingress, 'cors-allow-headers') ?? HEADERS,
    ...(exposed === undefined ? {} : { 'access-control-expose-headers': exposed }),
    'access-control-max-age': String(numberOf(ingress, 'cors-max-age') ?? MAX_AGE),
  };
}

/** 'https://*.example.com' stands for one more label. */
function isOrigin(allowed: string, origin: string): boolean {
  const star = allowed.indexOf('*.');
  if (star < 0) return allowed.toLowerCase() === origin.toLowerCase();
  const [before, after] = [allowed.slice(0, star), allowed.slice(star + 1)];
  const label = origin.slice(before.length, origin.length - after.length);
  return origin.startsWith(before) && origin.endsWith(after) && /^[a-z0-9-]+$/i.test(label);
}
