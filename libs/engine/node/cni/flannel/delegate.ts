import { textOf } from '../../../kernel/bytes.js';
import type { Disk } from '../disk.js';

type Fields = Readonly<Record<string, unknown>>;

export const SUBNET_FILE = '/run/flannel/subnet.env';

/** What flanneld has written of its node's part of the network. */
export interface FlannelSubnet {
  /** '10.244.0.0/16' */
  readonly network: string;
  /** '10.244.1.1/24': the bridge's address. */
  readonly subnet: string;
  readonly mtu: number;
}

/** The configuration that flannel's plug-in hands on. Models flannel-io/cni-plugin's flannel.go cmdAdd. */
export function delegateOf(
  config: Fields,
  disk: Disk,
): { readonly delegate: Fields; readonly subnet: FlannelSubnet } | { readonly error: string } {
  const path = typeof config['subnetFile'] === 'string' ? config['subnetFile'] : SUBNET_FILE;
  const bytes = disk.read(path);
  if (bytes === undefined)
    return {
      error:
        `failed to load flannel 'subnet.env' file: open ${path}: no such file or directory. ` +
        'Check the flannel pod log for this node.',
    };
  const subnet = readSubnet(textOf(bytes));
  if ('error' in subnet) return subnet;
  const given = config['delegate'];
  const delegate = typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Fields) : {};
  return { subnet, delegate: { type: 'bridge', ...delegate, ipam: ipamOf(delegate, subnet) } };
}

/** host-local, with the node's own subnet. */
function ipamOf({ ipam }: Fields, { subnet }: FlannelSubnet): Fields {
  const own = typeof ipam === 'object' && ipam !== null && !Array.isArray(ipam) ? (ipam as Fields) : {};
  const [gateway = '', bits = '24'] = subnet.split('/');
  const network = `${gateway.slice(0, gateway.lastIndexOf('.'))}.0/${bits}`;
  return { type: 'host-local', ...own, ranges: [[{ subnet: network }]] };
}

function readSubnet(text: string): FlannelSubnet | { readonly error: string } {
  const values = new Map(text.split('\n').map((line) => [before(line), after(line)] as const));
  const missing = ['FLANNEL_NETWORK', 'FLANNEL_SUBNET', 'FLANNEL_MTU', 'FLANNEL_IPMASQ'].filter(
    (name) => !values.get(name),
  );
  if (missing.length > 0)
    return { error: `loadFlannelSubnetEnv failed: /run/flannel/subnet.env is missing ${missing.join(', ')}` };
  return {
    network: values.get('FLANNEL_NETWORK')!,
    subnet: values.get('FLANNEL_SUBNET')!,
    mtu: Number(values.get('FLANNEL_MTU')) || 1450,
  };
}

const before = (line: string): string => line.slice(0, Math.max(0, line.indexOf('=')));
const after = (line: string): string => line.slice(line.indexOf('=') + 1).trim();
