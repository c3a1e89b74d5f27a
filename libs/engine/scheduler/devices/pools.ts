import type { Node } from '../../api/core_v1.js';
import type { Device, ResourceSlice } from '../../api/resource_v1.js';
import { matchesNodeSelectorTerms } from '../../machinery/scheduling/node-affinity.js';
import { Matcher } from './matcher.js';
import type { PoolDevice } from './pool-device.js';

export interface Pool {
  readonly driver: string;
  readonly name: string;
  /** Slices of its newest generation are missing: what it has is not known. */
  readonly isIncomplete: boolean;
  readonly devices: readonly PoolDevice[];
}

/** The devices that are published, in one scheduling cycle. Models structured GatherPools. */
export class PublishedDevices {
  readonly matcher = new Matcher();
  /** Of each pool the slices of its newest generation. */
  private readonly newest = new Map<string, ResourceSlice[]>();

  constructor(slices: readonly ResourceSlice[]) {
    for (const slice of slices) {
      const { driver, pool } = slice.spec;
      const key = `${driver}/${pool.name}`;
      const known = this.newest.get(key);
      const generation = known?.[0]?.spec.pool.generation ?? -1;
      if (!known || pool.generation > generation) this.newest.set(key, [slice]);
      else if (pool.generation === generation) known.push(slice);
    }
  }

  /** The pools whose devices a node reaches. */
  poolsOf(node: Node): Pool[] {
    const pools: Pool[] = [];
    for (const own of this.newest.values()) {
      const { driver, pool } = own[0]!.spec;
      const devices = own.flatMap((slice) => devicesOf(slice, node));
      if (devices.length > 0)
        pools.push({ driver, name: pool.name, isIncomplete: own.length !== pool.resourceSliceCount, devices });
    }
    return pools;
  }
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
