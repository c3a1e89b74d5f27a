import type { Node } from '../../api/core_v1.js';
import type { VirtualServers } from '../../kernel/netfilter/index.js';
import type { Millis } from '../../machinery/time/time.js';
import { internalIPOf } from '../kubelet/nodestatus/internal-ip.js';
import { nodeRuleset, type ProxySettings, type ServiceTable } from '../proxy/index.js';

const ZONE = 'topology.kubernetes.io/zone';
/** Any of the endpoints is taken, as by `rr`. */
const SETTINGS: ProxySettings = { mode: 'ipvs', scheduler: 'rr', clusterCIDR: undefined, masqueradeAll: false };

/** What an agent that stands in for kube-proxy has for its node: the Services as they are, whoever else runs there. */
export class AgentServices {
  /** They look Services up when they are asked, so that they live as long as the node is the same. */
  private readonly known = new WeakMap<Node, VirtualServers>();

  constructor(private readonly services: ServiceTable) {}

  of(node: Node, at: Millis): VirtualServers | undefined {
    const known = at === Infinity ? this.known.get(node) : undefined;
    if (known) return known;
    const { name = '', labels = {} } = node.metadata;
    const own = { name, ip: internalIPOf(node), zone: labels[ZONE] ?? '' };
    const { ipvs } = nodeRuleset({ services: this.services, node: own, settings: SETTINGS, at });
    if (ipvs && at === Infinity) this.known.set(node, ipvs);
    return ipvs;
  }
}
