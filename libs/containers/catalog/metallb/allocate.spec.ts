import { expect, test } from '@jest/globals';
import type { Service } from '../../../engine/api/core_v1.js';
import type { Client } from '../../../engine/machinery/client.js';
import { allocateAddresses } from './allocate.js';
import type { IPAddressPool } from './pools.js';

const POOLS: IPAddressPool[] = [
  {
    ...{ apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool', metadata: { name: 'first' } },
    spec: { addresses: ['10.0.0.1-10.0.0.2'] },
  },
];
const service = (
  name: string,
  annotations: Record<string, string> = {},
  spec: Partial<Service['spec']> = {},
  ip?: string,
): Service => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'shop', name, annotations } },
  spec: { type: 'LoadBalancer', ...spec },
  status: ip === undefined ? {} : { loadBalancer: { ingress: [{ ip }] } },
});

/** The events, and the addresses that Services have then. */
function run(services: readonly Service[], lbClass = ''): { events: string[]; given: string[] } {
  const stored = new Map(services.map((one) => [one.metadata.name, one]));
  const put = ((_kind: unknown, one: Service) => {
    stored.set(one.metadata.name, one);
    return one;
  }) as unknown as Client['update'];
  const list = ((kind: { kind: string }) => (kind.kind === 'Service' ? [...stored.values()] : POOLS)) as Client['list'];
  const api = { list, update: put, updateStatus: put } as Partial<Client> as Client;
  const events: string[] = [];
  const tools = {
    now: 0,
    event: (_object: unknown, _type: string, reason: string, message: string) =>
      void events.push(`${reason}: ${message}`),
  };
  allocateAddresses(api, tools, lbClass);
  const given = [...stored.values()].map(
    ({ metadata, status }) => `${metadata.name} ${status?.loadBalancer?.ingress?.[0]?.ip ?? 'none'}`,
  );
  allocateAddresses(api, { ...tools, event: () => undefined }, lbClass);
  return { events, given };
}

test.each<[string, Service[], string[], string[]]>([
  [
    'the next that is free',
    [service('a'), service('b')],
    ['a 10.0.0.1', 'b 10.0.0.2'],
    ['IPAllocated: Assigned IP ["10.0.0.1"]', 'IPAllocated: Assigned IP ["10.0.0.2"]'],
  ],
  [
    'no more than there are',
    [service('a', {}, {}, '10.0.0.1'), service('b', {}, {}, '10.0.0.2'), service('c')],
    ['a 10.0.0.1', 'b 10.0.0.2', 'c none'],
    ['AllocationFailed: Failed to allocate IP for "shop/c": no available IPs'],
  ],
  [
    'one that is asked for',
    [service('a', { 'metallb.io/loadBalancerIPs': '10.0.0.2' })],
    ['a 10.0.0.2'],
    ['IPAllocated: Assigned IP ["10.0.0.2"]'],
  ],
  [
    'one that another has',
    [service('a', {}, {}, '10.0.0.2'), service('b', {}, { loadBalancerIP: '10.0.0.2' })],
    ['a 10.0.0.2', 'b none'],
    [
      'AllocationFailed: Failed to allocate IP for "shop/b": ' +
        `can't change sharing key for "shop/b", address also in use by shop/a`,
    ],
  ],
  [
    'a pool that is not there',
    [service('a', { 'metallb.universe.tf/address-pool': 'x' })],
    ['a none'],
    ['AllocationFailed: Failed to allocate IP for "shop/a": unknown pool "x"'],
  ],
  ['another class', [service('a', {}, { loadBalancerClass: 'x' })], ['a none'], []],
  ['no load balancer', [service('a', {}, { type: 'ClusterIP' })], ['a none'], []],
])('%s', (_case, services, given, events) => {
  expect(run(services)).toEqual({ given, events });
});

test('a controller of a class serves that class', () => {
  expect(run([service('a', {}, { loadBalancerClass: 'x' }), service('b')], 'x').given).toEqual([
    'a 10.0.0.1',
    'b none',
  ]);
});
