import { textOf } from '../../kernel/bytes.js';
import type { AddressRange, NodeNetwork } from '../../kinds/terrarium/noderuntime/kind.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { readRangeSet } from './range-set.js';

const NET_D = '/etc/cni/net.d';
const BIN = '/opt/cni/bin';
const NOT_INITIALIZED: NodeNetwork = { error: 'cni plugin not initialized' };
/** Plug-ins of one list. */
const MAX_PLUGINS = 16;
/** Those that make an interface, those that change one that is there, and those that give addresses. */
const MAIN: readonly string[] = ['ptp', 'bridge', 'ipvlan', 'macvlan'];
const CHAINED: readonly string[] = ['portmap', 'bandwidth', 'firewall', 'tuning'];
const IPAM: readonly string[] = ['host-local', 'dhcp'];

/** A node's disk, as its services read it. */
interface Disk {
  read(path: string): Parameters<typeof textOf>[0] | undefined;
  has(path: string): boolean;
  list(path: string): readonly string[];
}

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
export function readNetwork(disk: Disk, podCIDR: string | undefined): NodeNetwork | undefined {
  const plugins = readList(disk);
  if (!plugins) return NOT_INITIALIZED;
  const network = evaluate(plugins, disk);
  const usual = podCIDR === undefined ? undefined : readRangeSet({ ranges: [[{ subnet: podCIDR }]] });
  const isUsual = usual && 'ranges' in usual && deepEqual(network, { plugin: 'ptp', ranges: usual.ranges });
  return isUsual ? undefined : network;
}

/** The plug-ins of the first file; one that cannot be read leaves the runtime without a network. */
function readList(disk: Disk): readonly Fields[] | undefined {
  const file = [...disk.list(NET_D)].sort().find((name) => /\.(?:conf|conflist|json)$/.test(name));
  const bytes = file === undefined ? undefined : disk.read(`${NET_D}/${file}`);
  if (file === undefined || bytes === undefined) return undefined;
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
function evaluate(plugins: readonly Fields[], disk: Disk): NodeNetwork {
  const failure = findMissing('loopback', disk) ?? chainFailure(plugins, disk);
  if (failure !== undefined) return { failure };
  const [main = {}] = plugins;
  const plugin = String(main['type']);
  const given = giveAddresses(fieldsOf(main['ipam']), disk);
  if ('error' in given) return { failure: failed(plugin, given.error) };
  const hasPortMap = plugins.some(({ type }) => type === 'portmap');
  return { plugin, ranges: given.ranges, ...(hasPortMap ? {} : { hasNoPortMap: true }) };
}

const failed = (type: string, error: string): string => `plugin type="${type}" failed (add): ${error}`;

function findMissing(type: string, disk: Disk): string | undefined {
  return disk.has(`${BIN}/${type}`) ? undefined : failed(type, notFound(type));
}
const notFound = (type: string): string => `failed to find plugin "${type}" in path [${BIN}]`;

/** The first plug-in of the chain that does not do its part. */
function chainFailure(plugins: readonly Fields[], disk: Disk): string | undefined {
  for (const [i, { type }] of plugins.entries()) {
    const name = String(type);
    const missing = findMissing(name, disk);
    if (missing !== undefined) return missing;
    if (CHAINED.includes(name) && i === 0) return failed(name, 'must be called as chained plugin');
    if (!MAIN.includes(name) && !CHAINED.includes(name))
      return failed(name, `netplugin failed with no error message: fork/exec ${BIN}/${name}: exec format error`);
  }
  return undefined;
}

function giveAddresses(ipam: Fields, disk: Disk): { readonly ranges: AddressRange[] } | { readonly error: string } {
  const type = typeof ipam['type'] === 'string' ? ipam['type'] : '';
  if (type === '') return { error: 'no plugin name provided' };
  if (!disk.has(`${BIN}/${type}`)) return { error: notFound(type) };
  if (type === 'dhcp')
    return { error: 'error dialing DHCP daemon: dial unix /run/cni/dhcp.sock: connect: no such file or directory' };
  if (!IPAM.includes(type))
    return { error: `netplugin failed with no error message: fork/exec ${BIN}/${type}: exec format error` };
  return readRangeSet(ipam);
}
