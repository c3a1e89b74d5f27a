import type { Millis } from '../../machinery/time/time.js';
import type { ServiceTable } from './service-table.js';
import type { ProxySettings } from './settings.js';
import type { ProxyNode } from './topology.js';

/** What a proxy on a node has to write its rules from. */
export interface ProxyView {
  /** Undefined: it has never synced. */
  readonly services: ServiceTable | undefined;
  readonly node: ProxyNode;
  readonly settings: ProxySettings;
  /** Endpoints that became ready later are left out. */
  readonly at: Millis;
  /** The ranges of cluster IPs. */
  readonly serviceCIDRs?: readonly string[];
  /** It writes those of IPv6. */
  readonly isSixth?: true;
}
