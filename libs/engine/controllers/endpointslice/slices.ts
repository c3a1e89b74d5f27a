import type { Pod, Service } from '../../api/core_v1.js';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../api/discovery_v1.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { isPodReady } from '../../kinds/core/pod/status/phase.js';
import { hostnameFor, isHeadless, findPort, portMapKey } from '../service-pods.js';
import { canonicalJson } from '../canonical-json.js';

export const MAX_ENDPOINTS = 100;

/** What one group of slices should hold: endpoints that share their ports. */
export interface Wanted {
  readonly ports: EndpointPort[] | undefined;
  readonly endpoints: Endpoint[];
}

/** One slice as it should be; `existing` is the slice it replaces. */
export interface Slice extends Wanted {
  readonly existing?: EndpointSlice;
}

export interface SlicePlan {
  readonly save: Slice[];
  readonly remove: EndpointSlice[];
}

export const isInFamily = (address: string, addressType: string): boolean =>
  address.includes(':') === (addressType === 'IPv6');

/** Groups pods by the ports they answer on. */
export function desiredGroups(
  service: Service,
  pods: readonly Pod[],
  addressType: string,
  zoneOf: (node: string | undefined) => string | undefined,
): Wanted[] {
  const groups = new Map<string, Wanted>();
  for (const pod of pods) {
    const ip = (pod.status.podIPs?.map((p) => p.ip) ?? [pod.status.podIP]).find(
      (a) => a !== undefined && isInFamily(a, addressType),
    );
    if (ip === undefined) continue;
    const id = portMapKey(service, pod);
    let group = groups.get(id);
    if (!group) groups.set(id, (group = { ports: portsOn(service, pod), endpoints: [] }));
    group.endpoints.push(endpointOf(service, pod, ip, zoneOf));
  }
  return [...groups.values()];
}

function portsOn(service: Service, pod: Pod): EndpointPort[] | undefined {
  if (isHeadless(service) && !service.spec.ports?.length) return undefined;
  const ports: EndpointPort[] = [];
  for (const port of service.spec.ports ?? []) {
    const number = findPort(pod, port);
    if (number === undefined) continue;
    ports.push({
      name: port.name ?? '',
      port: number,
      protocol: port.protocol ?? 'TCP',
      ...(port.appProtocol ? { appProtocol: port.appProtocol } : {}),
    });
  }
  return ports;
}

function endpointOf(
  service: Service,
  pod: Pod,
  ip: string,
  zoneOf: (node: string | undefined) => string | undefined,
): Endpoint {
  const { name, namespace, uid } = pod.metadata;
  const serving = isPodReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const hostname = hostnameFor(pod, service);
  const zone = zoneOf(pod.spec.nodeName);
  return {
    addresses: [ip],
    conditions: {
      ready: Boolean(service.spec.publishNotReadyAddresses) || (serving && !terminating),
      serving,
      terminating,
    },
    ...(hostname ? { hostname } : {}),
    ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(zone ? { zone } : {}),
  };
}

const endpointIdentity = (e: Endpoint): string =>
  `${e.targetRef?.uid}/${e.addresses[0]}/${e.hostname ?? ''}/${e.nodeName ?? ''}`;

/**
 * Changes as few slices as possible: endpoints stay where they are, slices that change anyway are filled up, the rest
 * goes into the fullest slice with room or into new ones. Models endpointslice/reconciler.go reconcileByPortMapping.
 */
export function planSlices(groups: readonly Wanted[], existing: readonly EndpointSlice[]): SlicePlan {
  const byPorts = new Map<string, EndpointSlice[]>();
  for (const slice of existing) {
    const id = canonicalJson(slice.ports);
    byPorts.set(id, [...(byPorts.get(id) ?? []), slice]);
  }
  const plan: SlicePlan = { save: [], remove: [] };
  for (const group of groups) {
    const id = canonicalJson(group.ports);
    planGroup(plan, group, byPorts.get(id) ?? []);
    byPorts.delete(id);
  }
  plan.remove.push(...[...byPorts.values()].flat());
  if (existing.length === plan.remove.length && plan.save.length === 0) placeholder(plan);
  return repurposeSlices(plan);
}

function planGroup(plan: SlicePlan, group: Wanted, existing: readonly EndpointSlice[]): void {
  const missing = new Map(group.endpoints.map((e) => [endpointIdentity(e), e]));
  const changed: { existing?: EndpointSlice; endpoints: Endpoint[] }[] = [];
  const kept: EndpointSlice[] = [];
  for (const slice of existing) {
    const endpoints: Endpoint[] = [];
    let differs = false;
    for (const endpoint of slice.endpoints ?? []) {
      const id = endpointIdentity(endpoint);
      const wanted = missing.get(id);
      if (wanted) endpoints.push(wanted);
      if (!wanted || !deepEqual(wanted, endpoint)) differs = true;
      missing.delete(id);
    }
    if (differs) changed.push({ existing: slice, endpoints });
    else kept.push(slice);
  }
  const rest = [...missing.values()];
  for (const slice of changed) slice.endpoints.push(...rest.splice(0, MAX_ENDPOINTS - slice.endpoints.length));
  while (rest.length > 0) {
    const roomy = rest.length < MAX_ENDPOINTS ? fullestWithRoom(kept, rest.length) : undefined;
    if (roomy) kept.splice(kept.indexOf(roomy), 1);
    const endpoints = [...(roomy?.endpoints ?? [])];
    endpoints.push(...rest.splice(0, MAX_ENDPOINTS - endpoints.length));
    changed.push({ existing: roomy, endpoints });
  }
  for (const { existing: slice, endpoints } of changed) {
    if (endpoints.length > 0) plan.save.push({ existing: slice, endpoints, ports: group.ports });
    else plan.remove.push(slice!);
  }
  // Kept slices count as there: a plan that removes nothing of theirs needs no placeholder.
}

const fullestWithRoom = (slices: readonly EndpointSlice[], count: number): EndpointSlice | undefined =>
  slices
    .filter((s) => (s.endpoints?.length ?? 0) + count <= MAX_ENDPOINTS)
    .reduce<EndpointSlice | undefined>(
      (best, s) => ((s.endpoints?.length ?? 0) > (best?.endpoints?.length ?? -1) ? s : best),
      undefined,
    );

/** A service without endpoints keeps one empty slice. */
function placeholder(plan: SlicePlan): void {
  const [only] = plan.remove;
  if (plan.remove.length === 1 && !only!.endpoints?.length && !only!.ports?.length) plan.remove.pop();
  else plan.save.push({ ports: undefined, endpoints: [] });
}

/** A slice that is to go is turned into one that is to come, rather than deleted and created. */
function repurposeSlices(plan: SlicePlan): SlicePlan {
  const remove = [...plan.remove];
  const save = plan.save.map((slice) => (slice.existing ? slice : { ...slice, existing: remove.shift() }));
  return { save, remove };
}
