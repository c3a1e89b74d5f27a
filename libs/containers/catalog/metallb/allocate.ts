import type { Service } from '../../../engine/api/core_v1.js';
import { Services } from '../../../engine/kinds/index.js';
import type { Client } from '../../../engine/machinery/client.js';
import type { LoopTools } from '../../../engine/node/cri/image.js';
import { automaticPools, findFree, IPAddressPools, isInPool, type IPAddressPool } from './pools.js';

const SOURCE = { component: 'metallb-controller' };
const FROM_POOL = 'metallb.io/ip-allocated-from-pool';
const OLD = 'metallb.universe.tf/';
const NEW = 'metallb.io/';

const ipOf = ({ status }: Service): string | undefined => status?.loadBalancer?.ingress?.[0]?.ip;
const annotation = ({ metadata }: Service, name: string): string | undefined =>
  metadata.annotations?.[NEW + name] ?? metadata.annotations?.[OLD + name];

/** Load balancers have addresses of the pools. Models metallb's controller/service.go convergeBalancer. */
export function allocateAddresses(api: Client, { event }: LoopTools, lbClass: string): void {
  const pools = api.list(IPAddressPools);
  const services = api.list(Services);
  const used = new Map<string, Service>();
  for (const service of services) {
    const ip = ipOf(service);
    if (ip !== undefined) used.set(ip, service);
  }
  for (const service of services) {
    if (service.spec.type !== 'LoadBalancer' || service.metadata.deletionTimestamp !== undefined) continue;
    if ((service.spec.loadBalancerClass ?? '') !== lbClass || isSettled(service, pools)) continue;
    const given = choose(service, pools, used);
    const { name = '', namespace = '' } = service.metadata;
    if ('error' in given) {
      event(
        ...([service, 'Warning', 'AllocationFailed'] as const),
        `Failed to allocate IP for "${namespace}/${name}": ${given.error}`,
        SOURCE,
      );
      continue;
    }
    used.set(given.ip, service);
    const annotations = { ...service.metadata.annotations, [FROM_POOL]: given.pool };
    const marked = api.update(Services, { ...service, metadata: { ...service.metadata, annotations } });
    const loadBalancer = { ingress: [{ ip: given.ip, ipMode: 'VIP' }] };
    api.updateStatus(Services, { ...marked, status: { ...marked.status, loadBalancer } });
    event(service, 'Normal', 'IPAllocated', `Assigned IP ["${given.ip}"]`, SOURCE);
  }
}

/** It has the address that it asks for, from a pool that is there. */
function isSettled(service: Service, pools: readonly IPAddressPool[]): boolean {
  const ip = ipOf(service);
  const wanted = wantedIP(service);
  const pool = annotation(service, 'address-pool');
  if (ip === undefined || (wanted !== undefined && wanted !== ip)) return false;
  return pools.some((one) => isInPool(ip, one) && (pool === undefined || one.metadata.name === pool));
}

const wantedIP = (service: Service): string | undefined =>
  annotation(service, 'loadBalancerIPs') ?? (service.spec.loadBalancerIP || undefined);

/** Models metallb's internal/allocator. */
function choose(
  service: Service,
  pools: readonly IPAddressPool[],
  used: ReadonlyMap<string, Service>,
): { readonly ip: string; readonly pool: string } | { readonly error: string } {
  const taken = new Set([...used].flatMap(([ip, owner]) => (isSame(owner, service) ? [] : [ip])));
  const wanted = wantedIP(service);
  if (wanted !== undefined) {
    const pool = pools.find((one) => isInPool(wanted, one));
    if (!pool) return { error: `["${wanted}"] is not allowed in config` };
    const { namespace, name } = used.get(wanted)?.metadata ?? {};
    return taken.has(wanted)
      ? { error: `can't change sharing key for "${keyOf(service)}", address also in use by ${namespace}/${name}` }
      : { ip: wanted, pool: pool.metadata.name ?? '' };
  }
  const asked = annotation(service, 'address-pool');
  const named = pools.filter(({ metadata }) => metadata.name === asked);
  if (asked !== undefined && named.length === 0) return { error: `unknown pool "${asked}"` };
  for (const pool of asked === undefined ? automaticPools(pools, service) : named) {
    const ip = findFree(pool, taken);
    if (ip !== undefined) return { ip, pool: pool.metadata.name ?? '' };
  }
  return { error: asked === undefined ? 'no available IPs' : `no available IPs in pool "${asked}"` };
}

const keyOf = ({ metadata }: Service): string => `${metadata.namespace}/${metadata.name}`;
const isSame = (a: Service, b: Service): boolean => keyOf(a) === keyOf(b);
