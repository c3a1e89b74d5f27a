import { expect, test } from '@jest/globals';
import type { Pod } from '../../../engine/api/core_v1.js';
import type { IPAMBlock } from '../../../engine/node/cni/calico/objects.js';
import { isWithin } from '../../../engine/node/cni/fabric/fabric.js';
import { keepBlocks } from './blocks.js';
import { StoredApi } from './testing.js';

const podAt = (ip: string, name = 'p'): Pod => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', uid: name } },
  spec: { nodeName: 'worker-1', containers: [] },
  status: { podIP: ip, phase: 'Running' },
});

function apiWith(spec: object, pods: readonly Pod[] = []): StoredApi {
  const api = new StoredApi(pods);
  api.put('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' } });
  const pool = { apiVersion: 'crd.projectcalico.org/v1', kind: 'IPPool', metadata: { name: 'pool' } };
  api.put('ippools', Object.assign(pool, { spec: { cidr: '10.244.0.0/16', ...spec } }));
  return api;
}
const specOf = (api: StoredApi): NonNullable<IPAMBlock['spec']> =>
  (api.all('ipamblocks')[0] as IPAMBlock | undefined)?.spec ?? {};

test.each<[string, object, string | undefined]>([
  ['IP in IP', { ipipMode: 'Always' }, 'ipip'],
  ['VXLAN', { vxlanMode: 'Always' }, 'vxlan'],
  ['neither', {}, undefined],
])('by %s a node claims a block, with an address of its tunnel', (_case, spec, tunnel) => {
  const api = apiWith(spec);
  const kept = keepBlocks(api.client(), 'worker-1');
  expect(kept.tunnel).toBe(tunnel);
  const block = specOf(api);
  expect(block).toMatchObject({ affinity: 'host:worker-1', strictAffinity: false });
  expect(kept.address === undefined || isWithin(kept.address, block.cidr ?? '')).toBe(true);
  expect(api.all('ipamhandles')).toHaveLength(tunnel === undefined ? 0 : 1);
  expect(api.all('blockaffinities')).toHaveLength(1);
});

test('what has been written is not written again', () => {
  const api = apiWith({ ipipMode: 'Always' });
  keepBlocks(api.client(), 'worker-1');
  const before = api.writes;
  keepBlocks(api.client(), 'worker-1');
  expect(api.writes).toBe(before);
});

test('a pod is written into the block that has its address', () => {
  const first = apiWith({});
  keepBlocks(first.client(), 'worker-1');
  const base = specOf(first).cidr?.split('/')[0]?.replace(/\d+$/, '') ?? '';
  const place = Number(specOf(first).cidr?.split('/')[0]?.split('.')[3]) + 5;
  const api = apiWith({}, [podAt(`${base}${place}`)]);
  keepBlocks(api.client(), 'worker-1');
  const { allocations = [], attributes = [], unallocated = [] } = specOf(api);
  expect(allocations[5]).toBe(0);
  expect(attributes[0]?.secondary).toMatchObject({ namespace: 'default', node: 'worker-1', pod: 'p' });
  expect(unallocated).not.toContain(5);
});
