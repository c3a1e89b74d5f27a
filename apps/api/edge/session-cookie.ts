import type { IncomingMessage } from 'node:http';
import type { Settings } from '@terrarium/platform';

/** A header that no form, link, image or frame can send, and no page of another origin without a preflight. */
export const PAGE_HEADER = 'x-terrarium-console';

/** How the cookie of the console's session is called and sent. */
export interface SessionCookie {
  readonly name: string;
  readonly isSecure: boolean;
}

/** Cookies know no ports: services on ports of one host have names of their own. */
export function sessionCookie({ publicUrl }: Pick<Settings, 'publicUrl'>): SessionCookie {
  const { protocol, port } = new URL(publicUrl);
  return { name: `terrarium_session${port && `_${port}`}`, isSecure: protocol === 'https:' };
}

/** The value of Set-Cookie; without a secret the cookie ends. */
export function writeCookie({ name, isSecure }: SessionCookie, secret: string | undefined, seconds: number): string {
  const age = secret === undefined ? 0 : seconds;
  const flags = `Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return `${name}=${secret ?? ''}; ${flags}`;
}

/**
 * A request of our own page is its session's: from here on it is as if it had sent the session in its Authorization
 * header, so that no edge needs to know of cookies. Any other request has no session, and what it asks of a cluster
 * carries the cookie no further.
 */
export function takeSession(raw: Pick<IncomingMessage, 'headers'>, { name }: SessionCookie): void {
  const { headers } = raw;
  const { cookie } = headers;
  if (cookie === undefined || !cookie.includes(name)) return;
  const pairs = cookie.split(';').map((pair) => pair.trim());
  const own = pairs.find((pair) => pair.startsWith(`${name}=`));
  if (own === undefined) return;
  const others = pairs.filter((pair) => pair !== own);
  if (others.length > 0) headers.cookie = others.join('; ');
  else delete headers.cookie;
  if (headers.authorization === undefined && isOwnPage(headers))
    headers.authorization = `Bearer ${own.slice(name.length + 1)}`;
}

/** A page may set the header of a fetch, but none of a WebSocket: there its Origin must be ours. */
function isOwnPage(headers: IncomingMessage['headers']): boolean {
  const { origin, host } = headers;
  const isOurs = origin !== undefined && URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
  if (headers.upgrade !== undefined) return isOurs;
  return headers[PAGE_HEADER] !== undefined && (origin === undefined || isOurs);
}
