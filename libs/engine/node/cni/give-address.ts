import type { Node, Pod } from '../../api/core_v1.js';
import type { AddressRange, NodeNetwork } from '../../kinds/terrarium/noderuntime/kind.js';
import { Namespaces, Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import type { Addresses } from './addresses.js';
import { CALICO } from './agent-files.js';
import { blocksOf, IPPools, isCidr, type IPAMBlock } from './calico/objects.js';
import { ciliumRanges } from './cilium/objects.js';
import { isWithin, toNumber, toText } from './fabric/fabric.js';

/** The address of a pod's interface; else the ranges that are used up, as 'first-last', or the plug-in's words. */
export type GivenAddress = { readonly ip: string } | { readonly usedUp: string } | { readonly failure: string };

export interface AddressRequest {
  readonly read: Reader;
  readonly addresses: Addresses;
  readonly node: Node;
  readonly pod: Pod;
  readonly network: NodeNetwork | undefined;
}

/** Asks a node's IPAM plug-in for a pod's address. */
export function giveAddress(request: AddressRequest): GivenAddress {
  const { addresses, node, network, read } = request;
  if (network?.address !== undefined) return { ip: network.address };
  if (network?.ipam === 'calico') return giveCalicoAddress(request);
  if (network?.ipam !== 'cilium') return addresses.allocate(node, network?.ranges);
  const ranges = runsCilium(read, node) ? ciliumRanges(read, node.metadata.name ?? '') : [];
  if (ranges.length === 0) return { failure: `${failedBy('cilium-cni')}${NO_AGENT}` };
  const given = addresses.allocate(node, ranges);
  if ('ip' in given) return given;
  const why = '[POST /ipam][502] postIpamFailure  "range is full"';
  return { failure: `${failedBy('cilium-cni')}unable to allocate IP via local cilium agent: ${why}` };
}

/** What the plug-in says when it has waited for its node's agent. Models plugins/cilium-cni/cmd. */
const NO_AGENT =
  'unable to connect to Cilium agent: failed to create cilium agent client after 30.000000 seconds timeout: ' +
  'Get "http://localhost/v1/config": dial unix /var/run/cilium/cilium.sock: connect: no such file or directory\n' +
  'Is the agent running?';

const runsCilium = (read: Reader, { metadata }: Node): boolean =>
  read
    .byIndex(Pods, 'nodeName', metadata.name ?? '')
    .some(
      (pod) =>
        pod.metadata.labels?.['k8s-app'] === 'cilium' &&
        (pod.status.containerStatuses?.some(({ state }) => state?.running !== undefined) ?? false),
    );

const failedBy = (plugin: string): string => `plugin type="${plugin}" failed (add): `;
const OF_CALICO = 'cni.projectcalico.org/';

/** Models projectcalico/calico's cni-plugin/pkg/ipamplugin and libcalico-go/lib/ipam. */
function giveCalicoAddress({ read, addresses, node, pod }: AddressRequest): GivenAddress {
  const name = node.metadata.name ?? '';
  if (read.list(IPPools).every(({ spec }) => spec?.disabled === true || !isCidr(spec?.cidr)))
    return { failure: `${failedBy('calico')}no configured Calico pools for node ${name}` };
  const wanted = annotationOf(read, pod, 'ipAddrs');
  const blocks = blocksOf(read, name);
  if (wanted !== undefined) return giveWanted(read, wanted);
  const pools = wantedPools(read, pod);
  if (pools?.length === 0)
    return {
      failure: `${failedBy('calico')}error parsing IPPools: no such pool: ${annotationOf(read, pod, 'ipv4pools') ?? ''}`,
    };
  const inside = ({ spec }: IPAMBlock): boolean =>
    pools === undefined || pools.some((cidr) => isWithin(spec?.cidr?.split('/')[0] ?? '', cidr));
  const tunnel =
    node.metadata.annotations?.[`${CALICO}IPv4IPIPTunnelAddr`] ??
    node.metadata.annotations?.[`${CALICO}IPv4VXLANTunnelAddr`];
  const ranges = blocks.filter(inside).map(({ spec }) => rangeOf(spec?.cidr ?? '', tunnel ?? ''));
  const given = ranges.length > 0 ? addresses.allocate(node, ranges) : { usedUp: '' };
  if ('ip' in given) return given;
  return {
    failure: `${failedBy('calico')}failed to request IPv4 addresses: Assigned 0 out of 1 requested IPv4 addresses; No more free affine blocks and strict affinity not enabled`,
  };
}

/** All addresses of a block but that of the node's tunnel. */
function rangeOf(cidr: string, tunnel: string): AddressRange {
  const [base = '', bits = '26'] = cidr.split('/');
  const first = toNumber(base);
  return {
    first: base,
    last: toText(first + 2 ** (32 - Number(bits)) - 1),
    gateway: isWithin(tunnel, cidr) ? tunnel : '',
  };
}

/** Of the pod, else of its namespace. */
function annotationOf(read: Reader, { metadata }: Pod, name: string): string | undefined {
  const key = OF_CALICO + name;
  const namespace = read.get(Namespaces, { namespace: '', name: metadata.namespace ?? '' });
  return metadata.annotations?.[key] ?? (name === 'ipAddrs' ? undefined : namespace?.metadata.annotations?.[key]);
}

/** The ranges of the pools that are asked for by name or range; undefined: none is. */
function wantedPools(read: Reader, pod: Pod): readonly string[] | undefined {
  const names = readNames(annotationOf(read, pod, 'ipv4pools'));
  if (!names) return undefined;
  return read.list(IPPools).flatMap(({ metadata, spec }) => {
    const { cidr } = spec ?? {};
    return cidr !== undefined && (names.includes(metadata.name ?? '') || names.includes(cidr)) ? [cidr] : [];
  });
}

/** One address, if a pool has it. */
function giveWanted(read: Reader, text: string): GivenAddress {
  const [ip] = readNames(text) ?? [];
  if (ip === undefined) return { failure: `${failedBy('calico')}failed to parse IPs ${JSON.stringify(text)}` };
  const isPooled = read.list(IPPools).some(({ spec }) => isWithin(ip, spec?.cidr ?? ''));
  return isPooled
    ? { ip }
    : { failure: `${failedBy('calico')}unable to allocate IP ${ip}: the provided IP is not in a configured pool` };
}

function readNames(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}
