import { ConfigMaps, Nodes } from '../../../engine/kinds/index.js';
import type { Client } from '../../../engine/machinery/client.js';
import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import type { Resource } from '../../../engine/machinery/resource.js';
import { IPPools, isCidr, type IPPool } from '../../../engine/node/cni/calico/objects.js';

const API = 'crd.projectcalico.org/v1';
const DEFAULT_POOL = 'default-ipv4-ippool';
/** Where nothing says what the cluster's range is. */
const DEFAULT_CIDR = '192.168.0.0/16';
const BLOCK_BITS = 26;

interface Settings extends KubeObject {
  readonly spec?: unknown;
}
const settings = (kind: string): Resource<Settings> => ({
  ...{ group: 'crd.projectcalico.org', version: 'v1', kind, plural: `${kind.toLowerCase()}s`, scope: 'Cluster' },
});
const ClusterInformations = settings('ClusterInformation');
const FelixConfigurations = settings('FelixConfiguration');

type Env = Readonly<Record<string, string>>;

/** What a pool may be told by the environment, or else by kubeadm. */
function cidrOf(api: Client, env: Env): string {
  const own = env['CALICO_IPV4POOL_CIDR'] ?? '';
  if (own !== '') return own;
  const kubeadm = api.get(ConfigMaps, { namespace: 'kube-system', name: 'kubeadm-config' });
  const text = kubeadm?.data?.['ClusterConfiguration'] ?? '';
  return /podSubnet:\s*"?([\d./]+)/.exec(text)?.[1] ?? DEFAULT_CIDR;
}

/** Why calico-node ends at once, in its own words; undefined: it runs. Models node/pkg/lifecycle/startup. */
export function findFault(env: Env): string | undefined {
  const cidr = env['CALICO_IPV4POOL_CIDR'] ?? '';
  if (cidr !== '' && cidr !== 'none' && !isCidr(cidr))
    return `Invalid CIDR specified in CALICO_IPV4POOL_CIDR '${cidr}' error=invalid CIDR address: ${cidr}`;
  for (const name of ['CALICO_IPV4POOL_IPIP', 'CALICO_IPV4POOL_VXLAN'])
    if (!['', 'off', 'never', 'always', 'cross-subnet', 'crosssubnet'].includes((env[name] ?? '').toLowerCase()))
      return `Unrecognized ${name.endsWith('IPIP') ? 'IPIP' : 'VXLAN'} mode specified in ${name}'${env[name]}'`;
  if (isOn(env['CALICO_IPV4POOL_IPIP']) && isOn(env['CALICO_IPV4POOL_VXLAN']))
    return 'CALICO_IPV4POOL_IPIP and CALICO_IPV4POOL_VXLAN should not be set at the same time';
  return undefined;
}

const isOn = (mode = ''): boolean => !['', 'off', 'never'].includes(mode.toLowerCase());

function modeOf(mode = ''): string {
  const text = mode.toLowerCase();
  if (text === 'always') return 'Always';
  return text === 'cross-subnet' || text === 'crosssubnet' ? 'CrossSubnet' : 'Never';
}

/** A cluster without a pool gets one, and what else the first agent stores. Models startup.go configureIPPools. */
export function ensureDefaults(api: Client, env: Env): void {
  const isKubeadm = api.get(ConfigMaps, { namespace: 'kube-system', name: 'kubeadm-config' }) !== undefined;
  const hasNone = (env['NO_DEFAULT_POOLS'] ?? '').toLowerCase() === 'true' || env['CALICO_IPV4POOL_CIDR'] === 'none';
  if (!hasNone && api.list(IPPools).length === 0)
    api.create(IPPools, {
      ...{ apiVersion: API, kind: 'IPPool', metadata: { name: DEFAULT_POOL } },
      spec: {
        allowedUses: ['Workload', 'Tunnel'],
        blockSize: Number(env['CALICO_IPV4POOL_BLOCK_SIZE'] ?? BLOCK_BITS) || BLOCK_BITS,
        cidr: cidrOf(api, env),
        ipipMode: modeOf(env['CALICO_IPV4POOL_IPIP']),
        natOutgoing: (env['CALICO_IPV4POOL_NAT_OUTGOING'] ?? 'true').toLowerCase() !== 'false',
        nodeSelector: env['CALICO_IPV4POOL_NODE_SELECTOR'] ?? 'all()',
        vxlanMode: modeOf(env['CALICO_IPV4POOL_VXLAN']),
      },
    });
  ensure(api, ClusterInformations, 'ClusterInformation', {
    calicoVersion: env['CALICO_VERSION'] ?? 'v3.31.0',
    clusterType: [env['CLUSTER_TYPE'] ?? 'k8s', ...(isKubeadm ? ['kubeadm'] : []), 'kdd'].join(','),
    datastoreReady: true,
  });
  ensure(api, FelixConfigurations, 'FelixConfiguration', {
    ...{ bpfLogLevel: '', floatingIPs: 'Disabled', logSeverityScreen: 'Info', reportingInterval: '0s' },
  });
}

function ensure(api: Client, resource: Resource<Settings>, kind: string, spec: unknown): void {
  if (api.kindFor(API, kind) === undefined || api.get(resource, { namespace: '', name: 'default' })) return;
  api.create(resource, { ...{ apiVersion: API, kind, metadata: { name: 'default' } }, spec });
}

/** Pools that a node may have blocks of, in the order of their names. */
export function poolsOf(api: Client, node: string): readonly (IPPool & { readonly cidr: string })[] {
  const labels = api.get(Nodes, { namespace: '', name: node })?.metadata.labels ?? {};
  return api.list(IPPools).flatMap((pool) => {
    const { cidr, disabled, nodeSelector = 'all()' } = pool.spec ?? {};
    return disabled !== true && isCidr(cidr) && selectsNode(nodeSelector, labels) ? [{ ...pool, cidr }] : [];
  });
}

/** `all()`, `!all()`, `KEY == "VALUE"` and `has(KEY)`, as pools are told apart; others select nothing. */
function selectsNode(selector: string, labels: Readonly<Record<string, string>>): boolean {
  const text = selector.trim();
  if (text === '' || text === 'all()') return true;
  const [, key = '', isNot = '', value = ''] = /^([\w./-]+)\s*(=|!)=\s*["']([^"']*)["']$/.exec(text) ?? [];
  if (key !== '') return (labels[key] === value) === (isNot === '=');
  const [, name] = /^has\(([\w./-]+)\)$/.exec(text) ?? [];
  return name !== undefined && labels[name] !== undefined;
}
