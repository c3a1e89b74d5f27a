import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

/** The address of a request's client, from its headers and the address of its connection. */
export type ReadClientAddress = (headers: IncomingHttpHeaders, connected: string) => string;

/**
 * Behind proxies the connection is theirs: X-Forwarded-For is believed as far back as each address in it is one of
 * theirs. `proxies` are addresses, networks ('10.0.0.0/8') or 'loopback', 'linklocal', 'uniquelocal'. Throws a
 * TypeError for what is none of these.
 */
export function trustProxies(proxies: readonly string[]): ReadClientAddress {
  if (proxies.length === 0) return (_headers, connected) => connected;
  const isTrusted = proxyAddress.compile([...proxies]);
  return (headers, connected) => {
    if (headers['x-forwarded-for'] === undefined) return connected;
    return proxyAddress({ headers, socket: { remoteAddress: connected } } as IncomingMessage, isTrusted);
  };
}
