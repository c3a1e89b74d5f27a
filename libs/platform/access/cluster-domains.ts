import type { Settings } from '../settings.js';

/** Never in DNS: clients name a cluster below it as TLS server name. */
const LOCAL_DOMAIN = 'clusters.local';
/** Browsers lead every name below `localhost` to their own machine, without DNS (RFC 6761). */
const LOOPBACK_DOMAIN = 'clusters.localhost';
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

type Domains = Pick<Settings, 'baseDomain'>;

/** The domains below which every cluster has a root, `<id>.<domain>`; the first one stands in kubeconfig files. */
export const clusterDomains = ({ baseDomain }: Domains): readonly [string, ...string[]] =>
  baseDomain === undefined ? [LOCAL_DOMAIN, LOOPBACK_DOMAIN] : [baseDomain, LOCAL_DOMAIN, LOOPBACK_DOMAIN];

/** The domain by which a browser finds clusters; undefined where no name leads it to this service. */
export function browserDomain({ baseDomain, publicUrl }: Domains & Pick<Settings, 'publicUrl'>): string | undefined {
  if (baseDomain !== undefined) return baseDomain;
  return LOOPBACK.test(new URL(publicUrl).hostname) ? LOOPBACK_DOMAIN : undefined;
}
