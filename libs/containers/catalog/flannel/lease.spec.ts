import { expect, test } from '@jest/globals';
import type { Client } from '@terrarium/engine';
import type { Node } from '../../../engine/api/core_v1.js';
import { acquireLease } from './lease.js';

const CONF = { network: '10.244.0.0/16', backend: 'vxlan', vni: 1 };
const nodeWith = (podCIDR?: string): Node => ({
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' } },
  spec: podCIDR === undefined ? {} : { podCIDR },
  status: { addresses: [{ type: 'InternalIP', address: '172.18.0.3' }] },
});

function apiWith(stored: Node): { api: Client; written: Node[] } {
  const written: Node[] = [];
  const api: Partial<Client> = {
    get: (() => written.at(-1) ?? stored) as Client['get'],
    updateStatus: ((_kind: unknown, node: Node) => (written.push(node), node)) as unknown as Client['updateStatus'],
  };
  return { api: api as Client, written };
}

test.each([
  ['vxlan', /^\{"VNI":1,"VtepMAC":"ae(:[0-9a-f]{2}){5}"\}$/],
  ['host-gw', /^null$/],
])('a node is annotated for %s, once', (backend, data) => {
  const { api, written } = apiWith(nodeWith('10.244.1.0/24'));
  expect(acquireLease(api, 'worker-1', { ...CONF, backend }, 0)).toBe(true);
  expect(acquireLease(api, 'worker-1', { ...CONF, backend }, 1_000)).toBe(true);
  expect(written).toHaveLength(1);
  const { metadata, status } = written[0]!;
  expect(metadata.annotations).toMatchObject({
    'flannel.alpha.coreos.com/backend-type': backend,
    'flannel.alpha.coreos.com/kube-subnet-manager': 'true',
    'flannel.alpha.coreos.com/public-ip': '172.18.0.3',
  });
  expect(metadata.annotations?.['flannel.alpha.coreos.com/backend-data']).toMatch(data);
  expect(status.conditions?.map(({ type, reason }) => `${type} ${reason}`)).toEqual(['NetworkUnavailable FlannelIsUp']);
});

test('without a range there is no lease', () => {
  expect(acquireLease(apiWith(nodeWith()).api, 'worker-1', CONF, 0)).toBe(false);
});
