import type { IncomingHttpHeaders } from 'node:http';

/** In the query it is the token that the cookie of the same name is made from. */
export const TOKEN_NAME = 'terrarium_token';
/** Tokens of this service. Any other credentials are for who is called. */
const OWN = /^bearer\s+(?:tk_|tc_)/i;
const TOKEN = /^[\w.~+/=-]{1,4096}$/;

/** What a request to a host of a cluster brings along: for this service, and for the server that it is for. */
export interface OutsideAccess {
  /** As in an Authorization header; undefined: the client is nobody. */
  readonly credential: string | undefined;
  /** The Authorization header for the server. */
  readonly passed: string | undefined;
  /** The cookies for the server. */
  readonly cookie: string | undefined;
}

export function outsideAccess({ authorization, cookie }: IncomingHttpHeaders, query: string): OutsideAccess {
  const isOwn = authorization !== undefined && OWN.test(authorization);
  const cookies = (cookie ?? '').split(';').map((one) => one.trim());
  const prefix = `${TOKEN_NAME}=`;
  const kept = cookies.find((one) => one.startsWith(prefix))?.slice(prefix.length);
  const token = tokenOfQuery(query) ?? (isOwn ? undefined : kept);
  const others = cookies.filter((one) => one !== '' && !one.startsWith(prefix)).join('; ');
  return {
    credential: token !== undefined && TOKEN.test(token) ? `Bearer ${token}` : isOwn ? authorization : undefined,
    passed: isOwn ? undefined : authorization,
    cookie: others === '' ? undefined : others,
  };
}

export const tokenOfQuery = (query: string): string | undefined =>
  query.includes(TOKEN_NAME) ? (new URLSearchParams(query).get(TOKEN_NAME) ?? undefined) : undefined;

/** Where a browser goes on that has brought its token in the query: to the same page, with a cookie. */
export function keepToken(path: string, query: string, isTls: boolean): { location: string; 'set-cookie': string } {
  const params = new URLSearchParams(query);
  const token = params.get(TOKEN_NAME) ?? '';
  params.delete(TOKEN_NAME);
  const rest = params.toString();
  // Two slashes would begin another host.
  const location = `/${path.replace(/^\/+/, '')}${rest && `?${rest}`}`;
  const secure = isTls ? '; Secure' : '';
  return { location, 'set-cookie': `${TOKEN_NAME}=${token}; Path=/; HttpOnly; SameSite=Lax${secure}` };
}
