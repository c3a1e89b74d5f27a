import type { Node, Pod } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { hash32 } from '../../../machinery/random.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { macOf as macOnNode } from '../fabric/fabric.js';
import { CHAINED, findMistake, MAIN } from '../plugins.js';
import { ipOf, type Attachment } from './attachment.js';
import type { Delegate } from './definition.js';
import { giveAddresses, type GivenAddresses } from './ipam.js';
import type { Selection } from './selection.js';

type Fields = Readonly<Record<string, unknown>>;

export interface InterfaceWish {
  readonly read: Reader;
  readonly pod: Pod;
  readonly node: Node;
  readonly delegate: Delegate;
  readonly selection: Selection;
  /** 'net1' */
  readonly name: string;
  /** What is in the node's /opt/cni/bin. */
  readonly binaries: readonly string[];
  readonly given: readonly Attachment[];
  /** Attachments of the other pods of the node. */
  readonly others: readonly Attachment[];
}

const IPAM: readonly string[] = ['host-local', 'static', 'dhcp', 'whereabouts'];
/** Where a node's devices are. */
const LINK = 'eth0';
const NODE_MAC = '02:42';
const MTU = 1_500;
const NO_LINK = 'Link not found';
const PATH = '[/opt/cni/bin /opt/cni/bin]';

/** What comes of the plug-ins of one network; `error`: in the words of the first that fails. */
export function addInterface(wish: InterfaceWish): Attachment | { readonly error: string } {
  const { delegate, binaries } = wish;
  const [main = {}, ...chained] = delegate.plugins;
  const type = textOf(main, 'type');
  const failed = (name: string, why: string): { readonly error: string } => ({
    error: delegate.isList ? `plugin type=${JSON.stringify(name)} failed (add): ${why}` : why,
  });
  if (!binaries.includes(type)) return failed(type, missing(type));
  const mistake = mistakeOf(type, main);
  if (mistake !== undefined) return failed(type, mistake);
  const made = plugIn(wish, type, main);
  if ('error' in made) return failed(type, made.error);
  for (const config of chained) {
    const name = textOf(config, 'type');
    if (!binaries.includes(name)) return failed(name, missing(name));
    if (!CHAINED.includes(name)) return failed(name, 'is not simulated as a chained plugin');
  }
  return chained.reduce<Attachment>(tune, made);
}

const missing = (type: string): string => `failed to find plugin ${JSON.stringify(type)} in path ${PATH}`;

function mistakeOf(type: string, config: Fields): string | undefined {
  if (!MAIN.includes(type))
    return CHAINED.includes(type) ? 'must be called as chained plugin' : 'is not simulated as a further network';
  return findMistake(type, config) ?? findMissingMaster(type, config);
}

/** Nodes have one device. */
function findMissingMaster(type: string, config: Fields): string | undefined {
  if (type === 'host-device') {
    const device = textOf(config, 'device');
    if (device === '') return 'failed to find host device: failed to find physical interface';
    // In life the node would be cut off.
    return device === LINK
      ? `failed to move link moving ${LINK}, the node's only device, is not simulated`
      : `failed to find host device: ${NO_LINK}`;
  }
  const master = textOf(config, 'master');
  if (!['macvlan', 'ipvlan', 'vlan'].includes(type) || master === '' || master === LINK) return undefined;
  return type === 'ipvlan' ? `failed to lookup master ${JSON.stringify(master)}: ${NO_LINK}` : NO_LINK;
}

function plugIn(wish: InterfaceWish, plugin: string, config: Fields): Attachment | { readonly error: string } {
  const { node, name, selection, others } = wish;
  const host = node.metadata.name ?? '';
  const mtu = numberOf(config, 'mtu');
  if (mtu > MTU && plugin !== 'bridge' && plugin !== 'ptp')
    return { error: `invalid MTU ${mtu}, must be [0, master MTU(${MTU})]` };
  const segment = segmentOf(wish, plugin, config);
  if (plugin === 'vlan' && others.some((one) => one.plugin === 'vlan' && one.segment === segment))
    return { error: 'failed to create vlan: file exists' };
  if (others.some((one) => clash(plugin, one.plugin)))
    return { error: `failed to create ${plugin}: device or resource busy` };
  const ipam = fieldsOf(config['ipam']);
  const given = textOf(ipam, 'type') === '' ? withoutAddress(plugin) : ask(wish, ipam);
  if ('error' in given) return given;
  const { addresses, gateway, pool, routes } = given;
  const isDefault = config['isDefaultGateway'] === true;
  const hasHostEnd = plugin === 'ptp' || isDefault || config['isGateway'] === true;
  return {
    ...{ name, network: `${selection.namespace}/${selection.name}`, plugin, node: host, segment, addresses },
    ...(plugin === 'macvlan' ? { mode: textOf(config, 'mode') || 'bridge' } : {}),
    ...(pool === undefined ? {} : { pool }),
    mac:
      plugin === 'ipvlan'
        ? macOnNode(internalIPOf(node), NODE_MAC)
        : (selection.mac?.toLowerCase().replaceAll('-', ':') ?? macOf(wish)),
    mtu: mtu > 0 ? mtu : MTU,
    ...(hasHostEnd && gateway !== undefined ? { hostAddress: gateway } : {}),
    ...(config['ipMasq'] === true ? { isMasqueraded: true } : {}),
    routes: isDefault && gateway !== undefined ? [...routes, { destination: '0.0.0.0/0', gateway }] : routes,
  };
}

/** One device carries interfaces of one of both kinds. */
const clash = (plugin: string, other: string): boolean =>
  (plugin === 'macvlan' && other === 'ipvlan') || (plugin === 'ipvlan' && other === 'macvlan');

function ask(wish: InterfaceWish, ipam: Fields): GivenAddresses | { readonly error: string } {
  const { read, node, delegate, selection, binaries, given } = wish;
  const type = textOf(ipam, 'type');
  if (!binaries.includes(type)) return { error: missing(type) };
  if (!IPAM.includes(type)) return { error: `IPAM by ${type} is not simulated for a further network` };
  const found = giveAddresses({
    ...{ read, node: node.metadata.name ?? '', network: delegate.name, ipam, ips: selection.ips ?? [], given },
  });
  if ('error' in found) return found;
  const { addresses } = found;
  const taken = given.flatMap((one) => one.addresses.map(ipOf));
  return addresses.some((one) => taken.includes(ipOf(one))) ? { error: 'failed to add IP addr: file exists' } : found;
}

/** An interface of layer 2 alone, where the plug-in makes such. */
const withoutAddress = (plugin: string): GivenAddresses | { readonly error: string } =>
  ['macvlan', 'bridge', 'host-device'].includes(plugin)
    ? { addresses: [], routes: [] }
    : { error: 'no plugin name provided' };

/** Who hears each other's frames. */
function segmentOf({ node, pod, name }: InterfaceWish, plugin: string, config: Fields): string {
  const host = node.metadata.name ?? '';
  switch (plugin) {
    case 'macvlan':
      return LINK;
    case 'ipvlan':
      return ['', 'l2'].includes(textOf(config, 'mode')) ? LINK : `${host} ipvlan`;
    case 'vlan':
      return `${LINK}.${numberOf(config, 'vlanId')}`;
    case 'bridge':
      return `${host} bridge ${textOf(config, 'bridge') || 'cni0'} ${numberOf(config, 'vlan')}`;
    case 'ptp':
      return `${host} ptp`;
    default:
      return `${pod.metadata.uid} ${name}`;
  }
}

/** Chained plug-ins that show: tuning sets the address and the size of frames. */
function tune(made: Attachment, config: Fields): Attachment {
  if (textOf(config, 'type') !== 'tuning') return made;
  const [mac, mtu] = [textOf(config, 'mac'), numberOf(config, 'mtu')];
  return { ...made, ...(mac === '' ? {} : { mac }), ...(mtu > 0 ? { mtu } : {}) };
}

/** Local, as the kernel draws it. */
function macOf({ pod, name }: InterfaceWish): string {
  const [a, b] = [hash32(pod.metadata.uid ?? '', name.length), hash32(`${pod.metadata.uid ?? ''}/${name}`)];
  const bytes = [(a & 0xfc) | 2, (a >>> 8) & 255, b & 255, (b >>> 8) & 255, (b >>> 16) & 255, (b >>> 24) & 255];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}

const textOf = (config: Fields, name: string): string => (typeof config[name] === 'string' ? config[name] : '');
const numberOf = (config: Fields, name: string): number => (typeof config[name] === 'number' ? config[name] : 0);
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
