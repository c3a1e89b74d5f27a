import type { ConfigMap } from '../../../api/core_v1.js';
import { ConfigMaps } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';

const CONFIG = { namespace: 'kube-system', name: 'cilium-config' };

/** What agents and operator go by, as the chart writes it into cilium-config. */
export interface CiliumSettings {
  /** 'vxlan', 'geneve', or 'native': no tunnel. */
  readonly routing: 'vxlan' | 'geneve' | 'native';
  /** Nodes write routes to each other's ranges: all are of one network. */
  readonly hasDirectRoutes: boolean;
  /** Services are its own business: kube-proxy may go. */
  readonly replacesProxy: boolean;
  /** 'default', 'always' or 'never'. */
  readonly enforcement: string;
  readonly clusterName: string;
  /** Addresses of pods, of which each node gets a part. */
  readonly pools: readonly string[];
  readonly maskSize: number;
  /** Where addresses come from: 'cluster-pool', or 'kubernetes' (the nodes' podCIDRs). */
  readonly ipam: string;
  /** What the plug-in's configuration is called, and whether plug-ins beside it come after it. */
  readonly chaining: string;
  /** Networks of policies may be nodes, too. */
  readonly matchesNodes: boolean;
  readonly masquerades: boolean;
  /** Without a tunnel: what is reached by the nodes' own network, and not masqueraded. */
  readonly nativeCIDR: string;
}

export const ciliumConfig = (read: Reader): ConfigMap | undefined => read.get(ConfigMaps, CONFIG);

export function ciliumSettings(read: Reader): CiliumSettings {
  const data = ciliumConfig(read)?.data ?? {};
  const isOn = (name: string, otherwise: boolean): boolean => (data[name] ?? String(otherwise)) === 'true';
  const tunnel = data['tunnel-protocol'] === 'geneve' ? 'geneve' : 'vxlan';
  return {
    routing: data['routing-mode'] === 'native' ? 'native' : tunnel,
    hasDirectRoutes: isOn('auto-direct-node-routes', false),
    replacesProxy: ['true', 'strict'].includes(data['kube-proxy-replacement'] ?? 'false'),
    enforcement: data['enable-policy'] ?? 'default',
    clusterName: data['cluster-name'] ?? 'default',
    pools: (data['cluster-pool-ipv4-cidr'] ?? '10.0.0.0/8').split(/[\s,]+/).filter((text) => text !== ''),
    maskSize: Number(data['cluster-pool-ipv4-mask-size'] ?? '24') || 24,
    ipam: data['ipam'] ?? 'cluster-pool',
    chaining: data['cni-chaining-mode'] ?? 'none',
    matchesNodes: (data['policy-cidr-match-mode'] ?? '').split(/[\s,]+/).includes('nodes'),
    masquerades: isOn('enable-ipv4-masquerade', true),
    nativeCIDR: data['ipv4-native-routing-cidr'] ?? '',
  };
}
