import { expect, test } from '@jest/globals';
import type { Node } from '../../../engine/api/core_v1.js';
import { describeNode } from './node-object.js';
import { StoredApi } from './testing.js';

const OF = 'projectcalico.org/';
const node: Node = {
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', annotations: { own: 'x' } }, spec: {} },
  status: { addresses: [{ type: 'InternalIP', address: '172.18.0.3' }] },
};
const describeBy = (tunnel: 'ipip' | 'vxlan' | undefined, address?: string) => {
  const api = new StoredApi();
  api.put('nodes', node);
  const told = { tunnel, ...(address === undefined ? {} : { address }) };
  describeNode(api.client(), 'n', told, 0);
  describeNode(api.client(), 'n', told, 1_000);
  return { api, found: api.all('nodes')[0] as Node };
};

test.each<['ipip' | 'vxlan' | undefined, string | undefined, Record<string, string>]>([
  [undefined, undefined, {}],
  ['ipip', '10.244.1.0', { [`${OF}IPv4IPIPTunnelAddr`]: '10.244.1.0' }],
  [
    ...(['vxlan', '10.244.1.0'] as const),
    { [`${OF}IPv4VXLANTunnelAddr`]: '10.244.1.0', [`${OF}VXLANTunnelMACAddr`]: '66:5d:0a:f4:01:00' },
  ],
])('by %s a node is annotated, once', (tunnel, address, expected) => {
  const { api, found } = describeBy(tunnel, address);
  expect(found.metadata.annotations).toEqual({ own: 'x', [`${OF}IPv4Address`]: '172.18.0.3/16', ...expected });
  expect(found.status.conditions?.map(({ reason }) => reason)).toEqual(['CalicoIsUp']);
  expect(api.writes).toBe(1);
});

test('of a node that is gone nothing is said', () => {
  expect(describeNode(new StoredApi().client(), 'n', { tunnel: undefined }, 0)).toBe(false);
});
