import type { Pod } from '../../../engine/api/core_v1.js';
import { Pods } from '../../../engine/kinds/index.js';
import type { Client } from '../../../engine/machinery/client.js';
import { deepEqual } from '../../../engine/machinery/meta/equal.js';
import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import { hash32 } from '../../../engine/machinery/random.js';
import type { Resource } from '../../../engine/machinery/resource.js';
import {
  BlockAffinities,
  blocksOf,
  IPAMBlocks,
  IPAMHandles,
  type IPAMAttribute,
  type IPAMBlock,
  type IPPool,
} from '../../../engine/node/cni/calico/objects.js';
import { isWithin, toNumber, toText } from '../../../engine/node/cni/fabric/fabric.js';
import { sandboxId } from '../../../engine/node/host/views/runtime-view.js';
import { poolsOf } from './pools.js';

const API = 'crd.projectcalico.org/v1';
/** Below so many free addresses a node claims another block, so that the next pods have some. */
const RESERVE = 4;
/** Blocks of one node. */
const MAX_BLOCKS = 20;

interface Stored extends KubeObject {
  readonly spec?: unknown;
}

/** Who has an address of a block. */
interface Owner {
  readonly ip: string;
  readonly handle: string;
  readonly secondary: Readonly<Record<string, string>>;
}

export type Tunnel = 'ipip' | 'vxlan' | undefined;
export const tunnelOf = (pool: IPPool | undefined): Tunnel => {
  const { ipipMode = 'Never', vxlanMode = 'Never' } = pool?.spec ?? {};
  return ipipMode !== 'Never' ? 'ipip' : vxlanMode !== 'Never' ? 'vxlan' : undefined;
};

/**
 * A node's part of the addresses: it claims a block, has its tunnel's address of it, and writes down who has the
 * others. Returns the tunnel's address. Models libcalico-go/lib/ipam: in life the plug-in writes a pod's address down.
 */
export function keepBlocks(api: Client, node: string): { readonly tunnel: Tunnel; readonly address?: string } {
  const [pool] = poolsOf(api, node);
  const tunnel = tunnelOf(pool);
  const pods = api.byIndex(Pods, 'nodeName', node).filter(isPlugged);
  for (const one of blocksOf(api, node).filter((block) => isUnused(block, pods))) releaseBlock(api, node, one);
  if (blocksOf(api, node).length === 0 && pool) claimBlock(api, node, pool);
  const blocks = blocksOf(api, node);
  const address = tunnel && tunnelAddress(blocks, node, tunnel);
  const owners = [
    ...(address === undefined || tunnel === undefined ? [] : [tunnelOwner(address, node, tunnel)]),
    ...pods.map((pod) => podOwner(pod, node)),
  ];
  let free = 0;
  for (const block of blocks) free += writeBlock(api, block, owners);
  keepHandles(api, node, blocks, owners);
  if (free < RESERVE && blocks.length < MAX_BLOCKS) poolsOf(api, node).some((one) => claimBlock(api, node, one));
  return { tunnel, ...(address === undefined ? {} : { address }) };
}

const isPlugged = ({ spec, status, metadata }: Pod): boolean =>
  spec.hostNetwork !== true &&
  status.podIP !== undefined &&
  status.phase !== 'Succeeded' &&
  status.phase !== 'Failed' &&
  metadata.name !== undefined;

/** Of a pool that is there no more, without a pod in it. */
function isUnused({ spec }: IPAMBlock, pods: readonly Pod[]): boolean {
  const { cidr = '' } = spec ?? {};
  return spec?.deleted === true && !pods.some(({ status }) => isWithin(status.podIP ?? '', cidr));
}

/** '10.244.1.0/26' as names have it. */
const dashed = (cidr: string): string => cidr.replace(/[./]/g, '-');

/** The first free range of a pool, from a place that the node's name leads to; false: there is none. */
function claimBlock(api: Client, node: string, pool: IPPool & { readonly cidr: string }): boolean {
  const [base = '', bits = '16'] = pool.cidr.split('/');
  const size = 2 ** (32 - (pool.spec?.blockSize ?? 26));
  const count = Math.max(1, 2 ** (32 - Number(bits)) / size);
  const taken = new Set(api.list(IPAMBlocks).map(({ spec }) => spec?.cidr));
  const start = hash32(node) % count;
  for (let i = 0; i < Math.min(count, taken.size + 1); i++) {
    const cidr = `${toText(toNumber(base) + ((start + i) % count) * size)}/${pool.spec?.blockSize ?? 26}`;
    if (taken.has(cidr)) continue;
    const name = dashed(cidr);
    put(api, BlockAffinities, 'BlockAffinity', `${node}-${name}`, { cidr, deleted: 'false', node, state: 'confirmed' });
    api.create(IPAMBlocks, {
      ...{ apiVersion: API, kind: 'IPAMBlock', metadata: { name } },
      spec: {
        affinity: `host:${node}`,
        allocations: Array.from({ length: size }, () => null),
        attributes: [],
        cidr,
        deleted: false,
        strictAffinity: false,
        unallocated: Array.from({ length: size }, (_, place) => place),
      },
    });
    return true;
  }
  return false;
}

export function releaseBlock(api: Client, node: string, { metadata }: IPAMBlock): void {
  const { name = '' } = metadata;
  api.delete(IPAMBlocks, { namespace: '', name });
  const affinity = { namespace: '', name: `${node}-${name}` };
  if (api.get(BlockAffinities, affinity)) api.delete(BlockAffinities, affinity);
}

function put(api: Client, resource: Resource, kind: string, name: string, spec: unknown): void {
  const known = api.get(resource as Resource<Stored>, { namespace: '', name });
  if (known && deepEqual(known.spec, spec)) return;
  if (known) api.update(resource as Resource<Stored>, { ...known, spec });
  else api.create(resource as Resource<Stored>, { ...{ apiVersion: API, kind, metadata: { name } }, spec });
}

const handleOfTunnel = (node: string, tunnel: 'ipip' | 'vxlan'): string => `${tunnel}-tunnel-addr-${node}`;

/** The one that it has, or the first that is free. */
function tunnelAddress(blocks: readonly IPAMBlock[], node: string, tunnel: 'ipip' | 'vxlan'): string | undefined {
  const handle = handleOfTunnel(node, tunnel);
  for (const { spec } of blocks) {
    const place = spec?.attributes?.findIndex(({ handle_id: id }) => id === handle) ?? -1;
    const at = place < 0 ? -1 : (spec?.allocations?.indexOf(place) ?? -1);
    if (at >= 0) return addressAt(spec?.cidr ?? '', at);
  }
  const [first] = blocks;
  const [place] = first?.spec?.unallocated ?? [];
  return place === undefined ? undefined : addressAt(first?.spec?.cidr ?? '', place);
}

const addressAt = (cidr: string, place: number): string => toText(toNumber(cidr.split('/')[0] ?? '') + place);

const tunnelOwner = (ip: string, node: string, tunnel: 'ipip' | 'vxlan'): Owner => ({
  ...{ ip, handle: handleOfTunnel(node, tunnel) },
  secondary: { node, type: `${tunnel}TunnelAddress` },
});

const podOwner = (pod: Pod, node: string): Owner => ({
  ip: pod.status.podIP ?? '',
  handle: `k8s-pod-network.${sandboxId(pod)}`,
  secondary: {
    namespace: pod.metadata.namespace ?? '',
    node,
    pod: pod.metadata.name ?? '',
    timestamp: `${(pod.status.startTime ?? '').replace('T', ' ').replace('Z', '')} +0000 UTC`,
  },
});

/** Writes down who has which address, and returns how many are free: who keeps one keeps its place in the list. */
function writeBlock(api: Client, block: IPAMBlock, owners: readonly Owner[]): number {
  const { cidr = '', allocations = [], unallocated = [], attributes = [] } = block.spec ?? {};
  const inside = new Map(owners.filter(({ ip }) => isWithin(ip, cidr)).map((owner) => [owner.handle, owner]));
  const base = toNumber(cidr.split('/')[0] ?? '');
  const kept = attributes.flatMap(({ handle_id: id = '' }) => inside.get(id) ?? []);
  const added = [...inside.values()].filter((owner) => !kept.includes(owner));
  const all = [...kept, ...added];
  const places = new Map(all.map(({ ip }, i) => [toNumber(ip) - base, i]));
  const released = allocations.flatMap((one, place) => (one !== null && !places.has(place) ? [place] : []));
  const spec = {
    ...block.spec,
    allocations: allocations.map((_, place) => places.get(place) ?? null),
    attributes: all.map(({ handle, secondary }): IPAMAttribute => ({ handle_id: handle, secondary })),
    unallocated: [...unallocated.filter((place) => !places.has(place)), ...released],
  };
  if (!deepEqual(spec, block.spec)) api.update(IPAMBlocks, { ...block, spec });
  return spec.unallocated.length;
}

/** One handle for each owner of an address of the node's blocks; the others of the node go. */
function keepHandles(api: Client, node: string, blocks: readonly IPAMBlock[], owners: readonly Owner[]): void {
  const wanted = new Map<string, unknown>();
  for (const { ip, handle } of owners) {
    const cidr = blocks.find(({ spec }) => isWithin(ip, spec?.cidr ?? ''))?.spec?.cidr;
    if (cidr !== undefined) wanted.set(handle, { block: { [cidr]: 1 }, deleted: false, handleID: handle });
  }
  const own = new Set(blocks.map(({ spec }) => spec?.cidr ?? ''));
  for (const { metadata, spec } of api.list(IPAMHandles) as readonly Stored[]) {
    const held = Object.keys((spec as { readonly block?: Readonly<Record<string, number>> } | undefined)?.block ?? {});
    const { name = '' } = metadata;
    if (!wanted.has(name) && held.some((cidr) => own.has(cidr))) api.delete(IPAMHandles, { namespace: '', name });
  }
  for (const [name, spec] of wanted) put(api, IPAMHandles, 'IPAMHandle', name, spec);
}
