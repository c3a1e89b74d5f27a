import { textOf } from '../../kernel/bytes.js';
import type { NodeNetwork } from '../../kinds/terrarium/noderuntime/kind.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { parsePrefix } from '../../machinery/net/netip.js';
import type { Disk } from './disk.js';
import { delegateOf } from './flannel/delegate.js';
import { CHAINED, findMistake, IPAM, MAIN, NETWORKS } from './plugins.js';
import { readRangeSet } from './range-set.js';

const NET_D = '/etc/cni/net.d';
const BIN = '/opt/cni/bin';
/** Written by calico/node when it runs. */
const CALICO_NODENAME = '/var/lib/calico/nodename';
const NOT_INITIALIZED: NodeNetwork = { error: 'cni plugin not initialized' };
/** Plug-ins of one list. */
const MAX_PLUGINS = 16;
/** A plug-in that calls the network of a file calls one of another file at most. */
const MAX_DELEGATES = 4;
/** Plug-ins of a node that are remembered. */
const MAX_BINARIES = 64;

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** As a kubelet says it of its node, and of pods. */
export const notReadyNetwork = (error: string): string =>
  'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady ' +
  `message:Network plugin returns error: ${error}`;

/**
 * What a container runtime makes of a node's network configuration; undefined when it is as kindnet writes it. Models
 * containerd/go-cni's loadFromConfDir and containernetworking/cni's libcni.
 */
export function readNetwork(disk: Disk, podCIDR: string | undefined, second?: string): NodeNetwork | undefined {
  const plugins = readList(disk);
  if (!plugins) return NOT_INITIALIZED;
  const network = evaluate(plugins, disk);
  const usual = podCIDR === undefined ? undefined : readRangeSet({ ranges: [[{ subnet: podCIDR }], ...setOf(second)] });
  const isUsual = usual && 'ranges' in usual && deepEqual(network, { plugin: 'ptp', ...usual });
  return isUsual ? undefined : network;
}

const setOf = (subnet: string | undefined): object[] => (subnet === undefined ? [] : [[{ subnet }]]);

/** The plug-ins of the first file; one that cannot be read leaves the runtime without a network. */
function readList(disk: Disk): readonly Fields[] | undefined {
  const file = [...disk.list(NET_D)].sort().find(isConfig);
  return file === undefined ? undefined : readFile(disk, file);
}

const isConfig = (name: string): boolean => /\.(?:conf|conflist|json)$/.test(name);

function readFile(disk: Disk, file: string): readonly Fields[] | undefined {
  const bytes = disk.read(`${NET_D}/${file}`);
  if (bytes === undefined) return undefined;
  const config = parse(textOf(bytes));
  if (typeof config['name'] !== 'string' || config['name'] === '') return undefined;
  const list = file.endsWith('.conflist') ? config['plugins'] : [config];
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const plugins = list.slice(0, MAX_PLUGINS).map(fieldsOf);
  return plugins.every(({ type }) => typeof type === 'string' && type !== '') ? plugins : undefined;
}

function parse(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** What comes of an ADD. */
function evaluate(plugins: readonly Fields[], disk: Disk, depth = 0): NodeNetwork {
  const failure = findMissing('loopback', disk) ?? chainFailure(plugins, disk);
  if (failure !== undefined) return { failure };
  const [main = {}] = plugins;
  const type = String(main['type']);
  const made = callsAnother(type) ? delegateToFile(main, disk, depth) : plugIn(main, disk);
  if ('error' in made) return { failure: failed(type, made.error ?? '') };
  if (made.multus) return { ...made, multus: { ...made.multus, ...nameOfPlugin(main) } };
  const hasPortMap = plugins.some((one) => one['type'] === 'portmap');
  return hasPortMap || callsAnother(type) ? made : { ...made, hasNoPortMap: true };
}

const callsAnother = (type: string): boolean => type === 'multus' || type === 'multus-shim';
const failed = (type: string, error: string): string => `plugin type="${type}" failed (add): ${error}`;

function findMissing(type: string, disk: Disk): string | undefined {
  return disk.has(`${BIN}/${type}`) ? undefined : failed(type, notFound(type));
}
const notFound = (type: string): string => `failed to find plugin "${type}" in path [${BIN}]`;

/** The first plug-in of the chain that does not do its part. */
function chainFailure(plugins: readonly Fields[], disk: Disk): string | undefined {
  for (const [i, config] of plugins.entries()) {
    const name = String(config['type']);
    const missing = findMissing(name, disk);
    if (missing !== undefined) return missing;
    if (CHAINED.includes(name) && i === 0) return failed(name, 'must be called as chained plugin');
    if (![...MAIN, ...CHAINED, ...NETWORKS].includes(name))
      return failed(name, `netplugin failed with no error message: fork/exec ${BIN}/${name}: exec format error`);
    const mistake = findMistake(name, config);
    if (mistake !== undefined) return failed(name, mistake);
  }
  return undefined;
}

/** What a plug-in that makes an interface makes of it; `error`: why it does not. */
function plugIn(config: Fields, disk: Disk): NodeNetwork {
  const plugin = String(config['type']);
  if (plugin === 'cilium-cni') return { plugin, ipam: 'cilium' };
  if (plugin === 'calico') return plugInCalico(config, disk);
  if (plugin !== 'flannel') {
    const given = giveAddresses(fieldsOf(config['ipam']), disk);
    return 'error' in given ? given : { plugin, ...given };
  }
  const handed = delegateOf(config, disk);
  if ('error' in handed) return handed;
  const type = String(handed.delegate['type']);
  if (!disk.has(`${BIN}/${type}`)) return { error: `failed to delegate add: ${notFound(type)}` };
  const made = plugIn(handed.delegate, disk);
  return 'error' in made
    ? { error: `failed to delegate add: ${made.error ?? ''}` }
    : { ...made, plugin, mtu: handed.subnet.mtu };
}

/** Models projectcalico/calico's cni-plugin/pkg/plugin cmdAdd. */
function plugInCalico(config: Fields, disk: Disk): NodeNetwork {
  const plugin = 'calico';
  if (!disk.has(CALICO_NODENAME))
    return {
      error:
        `stat ${CALICO_NODENAME}: no such file or directory: ` +
        'check that the calico/node container is running and has mounted /var/lib/calico/',
    };
  const ipam = fieldsOf(config['ipam']);
  const mtu = typeof config['mtu'] === 'number' && config['mtu'] > 0 ? { mtu: config['mtu'] } : {};
  if (ipam['type'] === 'calico-ipam')
    return disk.has(`${BIN}/calico-ipam`) ? { plugin, ipam: 'calico', ...mtu } : { error: notFound('calico-ipam') };
  if (ipam['subnet'] === 'usePodCidr') return { plugin, ...mtu };
  const given = giveAddresses(ipam, disk);
  return 'error' in given ? given : { plugin, ...given, ...mtu };
}

/** libcni names a plug-in of a file of its own by the file's name as well. */
const nameOfPlugin = ({ name }: Fields): { readonly name?: string } => (typeof name === 'string' ? { name } : {});

/** Multus calls the network of the next file for a pod's first interface, and then those that the pod asks for. */
function delegateToFile(config: Fields, disk: Disk, depth: number): NodeNetwork {
  const { kubeconfig } = config;
  const isShim = config['type'] === 'multus-shim';
  if (typeof kubeconfig === 'string' && !disk.has(kubeconfig))
    return {
      error:
        `Multus: error getting k8s client: GetK8sClient: failed to get context for the kubeconfig ${kubeconfig}: ` +
        `stat ${kubeconfig}: no such file or directory`,
    };
  const made = callDelegate(config, disk, depth);
  // Without a way to the API it does nothing else.
  if (made.network.error !== undefined || (!isShim && typeof kubeconfig !== 'string')) return made.network;
  const binaries = [...disk.list(BIN)].sort().slice(0, MAX_BINARIES);
  return { ...made.network, multus: { type: String(config['type']), network: made.name, binaries } };
}

function callDelegate(config: Fields, disk: Disk, depth: number): { network: NodeNetwork; name: string } {
  const [inline] = Array.isArray(config['delegates']) ? (config['delegates'] as unknown[]) : [];
  if (inline !== undefined) {
    const own = fieldsOf(inline);
    const list = Array.isArray(own['plugins']) ? (own['plugins'] as unknown[]).map(fieldsOf) : [own];
    const name = typeof own['name'] === 'string' ? own['name'] : '';
    return { name, network: nest(evaluate(list.slice(0, MAX_PLUGINS), disk, depth + 1)) };
  }
  const next = [...disk.list(NET_D)].sort().find((name) => isConfig(name) && !name.startsWith('00-multus'));
  const list = next === undefined || depth >= MAX_DELEGATES ? undefined : readFile(disk, next);
  if (!list || next === undefined) {
    const error = 'Multus: failed to find the primary network: no valid CNI configuration in /etc/cni/net.d';
    return { name: '', network: { error } };
  }
  const { name } = parse(textOf(disk.read(`${NET_D}/${next}`) ?? ''));
  return { name: String(name), network: nest(evaluate(list, disk, depth + 1)) };
}

const nest = ({ failure, ...network }: NodeNetwork): NodeNetwork =>
  failure === undefined ? network : { error: `[default network]: error adding container to network: ${failure}` };

function giveAddresses(ipam: Fields, disk: Disk): Pick<NodeNetwork, 'ranges' | 'range6' | 'address' | 'error'> {
  const type = typeof ipam['type'] === 'string' ? ipam['type'] : '';
  if (type === '') return { error: 'no plugin name provided' };
  if (!disk.has(`${BIN}/${type}`)) return { error: notFound(type) };
  if (type === 'dhcp')
    return { error: 'error dialing DHCP daemon: dial unix /run/cni/dhcp.sock: connect: no such file or directory' };
  if (type === 'static') return readStatic(ipam);
  if (!IPAM.includes(type))
    return { error: `netplugin failed with no error message: fork/exec ${BIN}/${type}: exec format error` };
  return readRangeSet(ipam);
}

/** The address that every pod has. Models plugins/ipam/static LoadIPAMConfig. */
function readStatic({ addresses }: Fields): Pick<NodeNetwork, 'address' | 'error'> {
  const [first] = Array.isArray(addresses) ? (addresses as unknown[]) : [];
  const text = fieldsOf(first)['address'];
  if (typeof text !== 'string') return { error: 'no IP addresses specified' };
  const prefix = parsePrefix(text);
  return prefix && text.includes('/')
    ? { address: text.slice(0, text.indexOf('/')) }
    : { error: `the 'address' field is expected to be in CIDR notation, got: '${text}'` };
}
