import type { Device, ResourceSlice } from '../../api/resource_v1.js';

/** A device of a pool that a node reaches. */
export interface PoolDevice {
  readonly driver: string;
  readonly pool: string;
  readonly device: Device;
  readonly slice: ResourceSlice;
  /** 'driver/pool/device' */
  readonly id: string;
}
