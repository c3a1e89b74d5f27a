import type { Settings } from '../settings.js';

/** Never in DNS: clients name a cluster below it as TLS server name. */
const LOCAL_DOMAIN = 'clusters.local';

/** The domains below which every cluster has a root, `<id>.<domain>`; the first one stands in kubeconfig files. */
export const clusterDomains = ({ baseDomain }: Pick<Settings, 'baseDomain'>): readonly [string, ...string[]] =>
  baseDomain === undefined ? [LOCAL_DOMAIN] : [baseDomain, LOCAL_DOMAIN];
