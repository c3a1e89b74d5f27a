type Fields = Readonly<Record<string, unknown>>;

/** An object as calicoctl shows it (projectcalico.org/v3). */
export interface CalicoObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Fields & { readonly name: string; readonly namespace?: string };
  readonly spec: Fields;
}

/** A kind of calicoctl's: its names, its columns, and what is in them. */
export interface CalicoKind {
  readonly kind: string;
  /** Of its definition; absent: it is made of Kubernetes' objects. */
  readonly plural?: string;
  readonly isNamespaced: boolean;
  readonly aliases: readonly string[];
  readonly columns: readonly string[];
  readonly wide: readonly string[];
  cell(column: string, object: CalicoObject, asNumber: string): string;
}

/** As Go's templates print a field. */
const shown = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : `${value as string}`;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const joined = (value: unknown): string => (Array.isArray(value) ? value.map(shown).join(',') : '');

/** A map as `key=value`, by its keys. */
const pairs = (value: unknown): string =>
  Object.entries(fieldsOf(value))
    .map(([key, one]) => `${key}=${shown(one)}`)
    .sort()
    .join(',');

const MAX_CELL = 80;
const truncated = (text: string): string => (text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 3)}...` : text);

type Cells = Readonly<Record<string, (spec: Fields, object: CalicoObject, asNumber: string) => string>>;

const define = (
  kind: string,
  plural: string | undefined,
  isNamespaced: boolean,
  [aliases, columns, wide]: readonly [string, string, string],
  cells: Cells = {},
): CalicoKind => ({
  ...{ kind, isNamespaced, aliases: aliases.split(' '), columns: columns.split(' '), wide: wide.split(' ') },
  ...(plural === undefined ? {} : { plural }),
  cell(column, object, asNumber) {
    if (column === 'NAME') return object.metadata.name;
    if (column === 'NAMESPACE') return object.metadata.namespace ?? '';
    return cells[column]?.(object.spec, object, asNumber) ?? '';
  },
});

const POLICY: Cells = {
  ORDER: ({ order }) => (order === undefined ? '<nil>' : shown(order)),
  SELECTOR: ({ selector }) => shown(selector),
  TIER: ({ tier }) => shown(tier ?? 'default'),
};

/** Models calicoctl/resourcemgr. */
export const KINDS: readonly CalicoKind[] = [
  define('Node', undefined, false, ['node nodes no nos', 'NAME', 'NAME ASN IPV4 IPV6'], {
    ASN: ({ bgp }, _object, asNumber) => shown(fieldsOf(bgp)['asNumber'] ?? `(${asNumber})`),
    IPV4: ({ bgp }) => shown(fieldsOf(bgp)['ipv4Address']),
    IPV6: ({ bgp }) => shown(fieldsOf(bgp)['ipv6Address']),
  }),
  define(
    ...(['IPPool', 'ippools', false] as const),
    [
      'ippool ippools ipp ipps pool pools',
      'NAME CIDR SELECTOR',
      'NAME CIDR NAT IPIPMODE VXLANMODE DISABLED DISABLEBGPEXPORT SELECTOR',
    ],
    {
      CIDR: ({ cidr }) => shown(cidr),
      NAT: ({ natOutgoing = false }) => shown(natOutgoing),
      IPIPMODE: ({ ipipMode = 'Never' }) => shown(ipipMode),
      VXLANMODE: ({ vxlanMode = 'Never' }) => shown(vxlanMode),
      DISABLED: ({ disabled = false }) => shown(disabled),
      DISABLEBGPEXPORT: ({ disableBGPExport = false }) => shown(disableBGPExport),
      SELECTOR: ({ nodeSelector = 'all()' }) => shown(nodeSelector),
    },
  ),
  define(
    ...(['WorkloadEndpoint', undefined, true] as const),
    [
      'workloadendpoint workloadendpoints wep weps',
      'WORKLOAD NODE NETWORKS INTERFACE',
      'NAME WORKLOAD NODE NETWORKS INTERFACE PROFILES NATS',
    ],
    {
      WORKLOAD: ({ pod }) => shown(pod),
      NODE: ({ node }) => shown(node),
      NETWORKS: ({ ipNetworks }) => joined(ipNetworks),
      INTERFACE: ({ interfaceName }) => shown(interfaceName),
      PROFILES: ({ profiles }) => joined(profiles),
    },
  ),
  define(
    ...(['NetworkPolicy', 'networkpolicies', true] as const),
    ['networkpolicy networkpolicies policy np policies pol pols', 'NAME', 'NAME ORDER SELECTOR'],
    POLICY,
  ),
  define(
    ...(['GlobalNetworkPolicy', 'globalnetworkpolicies', false] as const),
    ['globalnetworkpolicy globalnetworkpolicies gnp gnps', 'NAME', 'NAME ORDER SELECTOR'],
    POLICY,
  ),
  define('Profile', undefined, false, ['profile profiles pro pros', 'NAME', 'NAME LABELS'], {
    LABELS: ({ labelsToApply }) => pairs(labelsToApply),
  }),
  define(
    ...(['BGPPeer', 'bgppeers', false] as const),
    ['bgppeer bgppeers bgpp bgpps bp bps', 'NAME PEERIP NODE ASN', 'NAME PEERIP NODE ASN'],
    {
      PEERIP: ({ peerIP }) => shown(peerIP),
      NODE: ({ node, nodeSelector }) => shown(node) || shown(nodeSelector) || '(global)',
      ASN: ({ asNumber = 0 }) => shown(asNumber),
    },
  ),
  define(
    ...(['BGPConfiguration', 'bgpconfigurations', false] as const),
    [
      'bgpconfiguration bgpconfigurations bgpconfig bgpconfigs',
      'NAME LOGSEVERITY MESHENABLED ASNUMBER',
      'NAME LOGSEVERITY MESHENABLED ASNUMBER',
    ],
    {
      LOGSEVERITY: ({ logSeverityScreen }) => shown(logSeverityScreen),
      MESHENABLED: ({ nodeToNodeMeshEnabled }) => shown(nodeToNodeMeshEnabled ?? '-'),
      ASNUMBER: ({ asNumber }) => shown(asNumber ?? '-'),
    },
  ),
  define(...(['FelixConfiguration', 'felixconfigurations', false] as const), [
    'felixconfiguration felixconfigurations felixconfig felixconfigs',
    'NAME',
    'NAME',
  ]),
  define(
    ...(['HostEndpoint', 'hostendpoints', false] as const),
    ['hostendpoint hostendpoints hep heps', 'NAME NODE', 'NAME NODE INTERFACE IPS PROFILES'],
    {
      NODE: ({ node }) => shown(node),
      INTERFACE: ({ interfaceName }) => shown(interfaceName),
      IPS: ({ expectedIPs }) => joined(expectedIPs),
      PROFILES: ({ profiles }) => joined(profiles),
    },
  ),
  define(...(['NetworkSet', 'networksets', true] as const), ['networkset networksets netsets', 'NAME', 'NAME NETS'], {
    NETS: ({ nets }) => truncated(joined(nets)),
  }),
  define(
    ...(['GlobalNetworkSet', 'globalnetworksets', false] as const),
    ['globalnetworkset globalnetworksets gnetsets', 'NAME', 'NAME NETS'],
    { NETS: ({ nets }) => truncated(joined(nets)) },
  ),
  define('Tier', 'tiers', false, ['tier tiers', 'NAME ORDER', 'NAME ORDER'], {
    ORDER: ({ order }) => (order === undefined ? '<nil>' : shown(order)),
  }),
  define(
    ...(['ClusterInformation', 'clusterinformations', false] as const),
    [
      'clusterinformation clusterinformations clusterinfo clusterinfos',
      'NAME CLUSTERGUID CLUSTERTYPE CALICOVERSION DATASTOREREADY',
      'NAME CLUSTERGUID CLUSTERTYPE CALICOVERSION DATASTOREREADY',
    ],
    {
      CLUSTERGUID: ({ clusterGUID }) => shown(clusterGUID),
      CLUSTERTYPE: ({ clusterType }) => shown(clusterType),
      CALICOVERSION: ({ calicoVersion }) => shown(calicoVersion),
      DATASTOREREADY: ({ datastoreReady }) => shown(datastoreReady),
    },
  ),
];

/** The kind that a word of a command line means, whatever its case. */
export const findKind = (word: string): CalicoKind | undefined =>
  KINDS.find(({ aliases, kind }) => aliases.includes(word.toLowerCase()) || kind.toLowerCase() === word.toLowerCase());
