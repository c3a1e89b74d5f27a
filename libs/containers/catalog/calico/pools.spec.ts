import { expect, test } from '@jest/globals';
import { ensureDefaults, findFault, poolsOf } from './pools.js';
import { StoredApi } from './testing.js';

test.each<[Record<string, string>, string | undefined]>([
  [{}, undefined],
  [{ CALICO_IPV4POOL_CIDR: '10.0.0.0/16', CALICO_IPV4POOL_IPIP: 'Always' }, undefined],
  [
    { CALICO_IPV4POOL_CIDR: '10.0' },
    "Invalid CIDR specified in CALICO_IPV4POOL_CIDR '10.0' error=invalid CIDR address: 10.0",
  ],
  [{ CALICO_IPV4POOL_IPIP: 'Sometimes' }, "Unrecognized IPIP mode specified in CALICO_IPV4POOL_IPIP'Sometimes'"],
  [
    { CALICO_IPV4POOL_IPIP: 'Always', CALICO_IPV4POOL_VXLAN: 'Always' },
    'CALICO_IPV4POOL_IPIP and CALICO_IPV4POOL_VXLAN should not be set at the same time',
  ],
])('with %j the agent ends by: %s', (env, fault) => {
  expect(findFault(env)).toBe(fault);
});

test.each<[Record<string, string>, object]>([
  [{}, { cidr: '192.168.0.0/16', blockSize: 26, ipipMode: 'Never', vxlanMode: 'Never', natOutgoing: true }],
  [{ CALICO_IPV4POOL_IPIP: 'Always' }, { ipipMode: 'Always' }],
  [
    { CALICO_IPV4POOL_VXLAN: 'CrossSubnet', CALICO_IPV4POOL_BLOCK_SIZE: '28' },
    { vxlanMode: 'CrossSubnet', blockSize: 28 },
  ],
])('with %j the first pool is %j', (env, expected) => {
  const api = new StoredApi();
  ensureDefaults(api.client(), env);
  const [pool] = api.all('ippools');
  expect(pool).toMatchObject({ metadata: { name: 'default-ipv4-ippool' }, spec: expected });
  const before = api.writes;
  ensureDefaults(api.client(), env);
  expect(api.writes).toBe(before);
});

test('a cluster may have no pools', () => {
  const api = new StoredApi();
  ensureDefaults(api.client(), { NO_DEFAULT_POOLS: 'true' });
  expect(api.all('ippools')).toEqual([]);
});

test.each([
  ['all()', true],
  ["rack == 'a'", true],
  ["rack != 'a'", false],
  ['has(rack)', true],
  ['has(other)', false],
  ['something else', false],
])('a pool for %s is of the node: %s', (nodeSelector, isOf) => {
  const api = new StoredApi();
  api.put('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels: { rack: 'a' } } });
  const pool = { apiVersion: 'crd.projectcalico.org/v1', kind: 'IPPool', metadata: { name: 'p' } };
  api.put('ippools', Object.assign(pool, { spec: { cidr: '10.0.0.0/16', nodeSelector } }));
  expect(poolsOf(api.client(), 'n')).toHaveLength(isOf ? 1 : 0);
});
