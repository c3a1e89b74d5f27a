/**
 * What the page may show. Signed in, the browser sends a cookie that no script reads. An embedded view has a token of
 * one cluster, in this module and nowhere else.
 */
let token: string | undefined;

export const setToken = (given: string | undefined): void => void (token = given);
export const hasToken = (): boolean => token !== undefined;

/** Of every request of this page: without the header the cookie counts for nothing. */
export const requestHeaders = (): Record<string, string> => ({
  'x-terrarium-console': '1',
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
});

export const connectionParams = (): Record<string, unknown> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** The protocols of a WebSocket other than GraphQL's, such as a terminal's. */
export function socketProtocols(own: string): string[] {
  if (token === undefined) return [own];
  const text = btoa(token).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return [own, `base64url.bearer.authorization.k8s.io.${text}`];
}
