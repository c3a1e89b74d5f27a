/** Plain objects of resource.k8s.io for specs. */
import type { Device } from '../../api/resource_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';

export const object = (kind: string, name: string, fields: object): KubeObject =>
  ({
    apiVersion: 'resource.k8s.io/v1',
    kind,
    metadata: { name, ...(kind === 'ResourceClaim' ? { namespace: 'default' } : {}) },
    ...fields,
  }) as unknown as KubeObject;

export const deviceClass = (name: string, ...expressions: string[]): KubeObject =>
  object('DeviceClass', name, { spec: { selectors: expressions.map((expression) => ({ cel: { expression } })) } });

/** A whole pool of the driver 'd' on a node, named as that, with one device 'd0'. */
export const slice = (node: string, spec: object = {}, devices: readonly Partial<Device>[] = [{}]): KubeObject =>
  object('ResourceSlice', `slice-${node}`, {
    spec: {
      driver: 'd',
      nodeName: node,
      pool: { name: node, generation: 1, resourceSliceCount: 1 },
      devices: devices.map((device, i) => ({ name: `d${i}`, ...device })),
      ...spec,
    },
  });
