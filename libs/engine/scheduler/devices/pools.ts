import type { Node } from '../../api/core_v1.js';
import type { Device, ResourceSlice } from '../../api/resource_v1.js';
import { matchesNodeSelectorTerms } from '../../machinery/scheduling/node-affinity.js';

/** A device of a pool that a node reaches. */
export interface PoolDevice {
  readonly driver: string;
  readonly pool: string;
  readonly device: Device;
  readonly slice: ResourceSlice;
  /** 'driver/pool/device' */
  readonly id: string;
}

export interface Pool {
  readonly driver: string;
  readonly name: string;
  /** Slices of its newest generation are missing: what it has is not known. */
  readonly isIncomplete: boolean;
  readonly devices: readonly PoolDevice[];
}

/** The pools whose devices a node reaches, of their newest generation. Models structured GatherPools. */
export function gatherPools(slices: readonly ResourceSlice[], node: Node): Pool[] {
  const found = new Map<string, ResourceSlice[]>();
  for (const slice of slices) {
    const { driver, pool } = slice.spec;
    const key = `${driver}/${pool.name}`;
    const known = found.get(key);
    const newest = known?.[0]?.spec.pool.generation ?? -1;
    if (!known || pool.generation > newest) found.set(key, [slice]);
    else if (pool.generation === newest) known.push(slice);
  }
  const pools: Pool[] = [];
  for (const own of found.values()) {
    const { driver, pool } = own[0]!.spec;
    const devices = own.flatMap((slice) => devicesOf(slice, node));
    if (devices.length > 0)
      pools.push({ driver, name: pool.name, isIncomplete: own.length !== pool.resourceSliceCount, devices });
  }
  return pools;
}

function devicesOf(slice: ResourceSlice, node: Node): PoolDevice[] {
  const { spec } = slice;
  const { driver, pool, devices = [] } = spec;
  if (spec.perDeviceNodeSelection !== true && !reaches(spec, node)) return [];
  return devices
    .filter((device) => spec.perDeviceNodeSelection !== true || reaches(device, node))
    .map((device) => ({ driver, pool: pool.name, device, slice, id: `${driver}/${pool.name}/${device.name}` }));
}

type Place = Pick<Device, 'allNodes' | 'nodeName' | 'nodeSelector'>;

/** Whether a node reaches devices of such a place. */
function reaches({ allNodes, nodeName, nodeSelector }: Place, node: Node): boolean {
  if (nodeName) return nodeName === node.metadata.name;
  return nodeSelector ? matchesNodeSelectorTerms(node, nodeSelector.nodeSelectorTerms) : allNodes === true;
}

/** From where a device is reached. */
export const placeOf = ({ slice: { spec }, device }: PoolDevice): Place =>
  spec.perDeviceNodeSelection === true ? device : spec;
