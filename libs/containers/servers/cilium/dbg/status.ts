import type { CiliumView } from '../../../../engine/node/cni/cilium/view.js';

const WIDTH = 25;
const APIS = [
  ...['EndpointSliceOrEndpoint', 'cilium/v2::CiliumCIDRGroup', 'cilium/v2::CiliumClusterwideNetworkPolicy'],
  ...['cilium/v2::CiliumEndpoint', 'cilium/v2::CiliumNetworkPolicy', 'cilium/v2::CiliumNode', 'core/v1::Pods'],
  ...['networking.k8s.io/v1::NetworkPolicy'],
];

/** Models pkg/client FormatStatusResponse. */
export function formatStatus(view: CiliumView, version: string, isVerbose: boolean): string {
  const { settings, range, endpoints, router, address, nodes } = view;
  const { replacesProxy, routing, masquerades, chaining } = settings;
  const size = 2 ** (32 - Number(range.split('/')[1] ?? '24')) - 2;
  const kubernetes = view.version.replace(/^v(\d+\.\d+).*/, '$1');
  const routes = routing === 'native' ? 'Native' : `Tunnel [${routing}]`;
  const lines: readonly (readonly [name: string, text: string])[] = [
    ['KVStore:', 'Disabled'],
    ['Kubernetes:', `Ok         ${kubernetes} (${view.version}) [linux/amd64]`],
    ['Kubernetes APIs:', `[${APIS.map((name) => `"${name}"`).join(', ')}]`],
    ['KubeProxyReplacement:', replacesProxy ? `True   [eth0   ${address} (Direct Routing)]` : 'False'],
    ['Host firewall:', 'Disabled'],
    ['SRv6:', 'Disabled'],
    ['CNI Chaining:', chaining],
    ['CNI Config file:', 'successfully wrote CNI configuration file to /host/etc/cni/net.d/05-cilium.conflist'],
    ['Cilium:', `Ok   ${version} (v${version})`],
    ['NodeMonitor:', 'Listening for events on 2 CPUs with 64x4096 of shared memory'],
    ['Cilium health daemon:', 'Ok'],
    // The router and the health endpoint have addresses, too.
    ['IPAM:', `IPv4: ${endpoints.length + 2}/${size} allocated from ${range},`],
    ['IPv4 BIG TCP:', 'Disabled'],
    ['IPv6 BIG TCP:', 'Disabled'],
    ['BandwidthManager:', 'Disabled'],
    ['Routing:', `Network: ${routes}   Host: Legacy`],
    ['Attach Mode:', 'TCX'],
    ['Device Mode:', 'veth'],
    ['Masquerading:', masquerades ? 'IPTables [IPv4: Enabled, IPv6: Disabled]' : 'Disabled'],
    ['Controller Status:', `${16 + endpoints.length * 4}/${16 + endpoints.length * 4} healthy`],
    ['Proxy Status:', `OK, ip ${router}, 0 redirects active on ports 10000-20000, Envoy: external`],
    ['Global Identity Range:', 'min 256, max 65535'],
    ['Hubble:', `Ok              Current/Max Flows: ${view.flows.length}/4095, Metrics: Disabled`],
    ['Encryption:', 'Disabled'],
    ['Cluster health:', `${nodes.length}/${nodes.length} reachable`],
    ['Modules Health:', 'Stopped(0) Degraded(0) OK(58)'],
  ];
  const text = lines.map(([name, value]) => `${name.padEnd(WIDTH)}${value}\n`).join('');
  return isVerbose && replacesProxy ? text + detailsOf(address) : text;
}

/** What --verbose adds of Services. */
const detailsOf = (address: string): string =>
  [
    'KubeProxyReplacement Details:',
    '  Status:                 True',
    '  Socket LB:              Enabled',
    '  Socket LB Coverage:     Full',
    `  Devices:                eth0   ${address} (Direct Routing)`,
    '  Mode:                   SNAT',
    '  Backend Selection:      Random',
    '  Session Affinity:       Enabled',
    '  Graceful Termination:   Enabled',
    '  NAT46/64 Support:       Disabled',
    '  XDP Acceleration:       Disabled',
    '  Services:',
    '  - ClusterIP:      Enabled',
    '  - NodePort:       Enabled (Range: 30000-32767)',
    '  - LoadBalancer:   Enabled',
    '  - externalIPs:    Enabled',
    '',
  ].join('\n');
