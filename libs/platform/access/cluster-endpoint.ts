import { clusterDomains } from './cluster-domains.js';
import { Refusal } from '../refusal.js';
import type { Settings } from '../settings.js';

/** What says which cluster a request is for: the path of the URL, its host, or the server name in TLS (SNI). */
export type Root = 'path' | 'host' | 'sni';

export interface EndpointSettings extends Pick<Settings, 'publicUrl' | 'baseDomain'> {
  /** The API itself ends TLS, also where the public URL says http. */
  readonly servesTls: boolean;
}

export interface Endpoint {
  readonly server: string;
  /** Sent in TLS in place of the server's host name. */
  readonly tlsServerName?: string;
}

const HTTP_PORT = 80;

/** Where clients find a cluster. Throws Refusal 400 when the service has no such roots. */
export function clusterEndpoint(root: Root, id: string, settings: EndpointSettings): Endpoint {
  const { baseDomain, servesTls } = settings;
  const { protocol, hostname, port, path } = publicAddress(settings);
  const tlsServerName = `${id}.${clusterDomains(settings)[0]}`;
  if (root === 'path') {
    const server = `${protocol}//${hostname}${port}${path}/clusters/${id}`;
    // The name leads `kubectl proxy` there, which drops the path; clients that do not know it have the path.
    return servesTls && path === '' ? { server, tlsServerName } : { server };
  }
  if (root === 'host') {
    if (baseDomain === undefined)
      throw new Refusal(400, 'root: clusters have no host names here: BASE_DOMAIN is not set');
    return { server: `${protocol}//${id}.${baseDomain}${port}` };
  }
  if (!servesTls) throw new Refusal(400, 'root: a proxy ends TLS here, and the server name with it: use path or host');
  return { server: `${protocol}//${hostname}${port}`, tlsServerName };
}

/** The public URL in parts, `port` with its colon; TLS is served on the same port as http. */
function publicAddress({ publicUrl, servesTls }: EndpointSettings) {
  const { protocol, hostname, port, pathname } = new URL(publicUrl);
  const path = pathname === '/' ? '' : pathname;
  if (!servesTls) return { protocol, hostname, port: port && `:${port}`, path };
  return { protocol: 'https:', hostname, port: `:${port || HTTP_PORT}`, path };
}
