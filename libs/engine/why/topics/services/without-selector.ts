import type { EndpointSlice } from '../../../api/discovery_v1.js';
import type { Service } from '../../../api/core_v1.js';
import { EndpointSlices, Nodes, Pods, Services } from '../../../kinds/index.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { explainMissing } from '../../missing.js';
import { findingOf, MAX_DEPTH, refOf, type World } from '../../world.js';
import { SERVICE_NAME, slicesOf, wayFindings } from './ways.js';

const MAX_SLICES = 3;
const MAX_ADDRESSES = 10;
const OWN = /^([a-z0-9-]+)\.([a-z0-9-]+)\.svc\b/;

/** Why nobody answers at a Service whose EndpointSlices somebody else writes. */
export function withoutSelector(world: World, service: Service): WhyFinding[] {
  const { namespace, name = '' } = service.metadata;
  const slices = world.read.list(EndpointSlices, namespace);
  const own = slicesOf(world, service);
  const isReady = own.some(({ endpoints }) => endpoints?.some(({ conditions }) => conditions?.ready !== false));
  if (isReady)
    return [
      ...portFindings(service, own),
      ...own.flatMap((slice) => addressFindings(world, slice)),
      ...(service.spec.ports ?? [])
        .filter(({ protocol = 'TCP' }) => protocol === 'TCP')
        .flatMap((port) => wayFindings(world, service, port, String(port.port))),
    ];
  const details = slices
    .filter(({ metadata }) => metadata.labels?.[SERVICE_NAME] === undefined)
    .slice(0, MAX_SLICES)
    .map((slice) => `${refOf(slice)} has no label ${SERVICE_NAME}=${name}`);
  const message =
    own.length > 0
      ? `it has no selector, and its EndpointSlices have no ready endpoint: ${own.map(refOf).join(', ')}`
      : `it has no selector, and no EndpointSlice has the label ${SERVICE_NAME}=${name}: somebody else must write one`;
  return [findingOf(service, 'NoSelector', message, { details })];
}

/** kube-proxy joins ports of a Service and of slices by their names. */
function portFindings(service: Service, slices: readonly EndpointSlice[]): WhyFinding[] {
  const names = new Set(slices.flatMap(({ ports }) => (ports ?? []).map(({ name }) => name ?? '')));
  return (service.spec.ports ?? []).flatMap(({ name = '', port }) => {
    if (names.has(name)) return [];
    const has = [...names].map((one) => `"${one}"`).join(', ') || 'none';
    const message = `no port of its EndpointSlices is named "${name}", as its port ${port} is: they have ${has}`;
    return [findingOf(service, 'NoSuchPort', message, { details: slices.map(refOf) })];
  });
}

/** Addresses of the pods' network that no pod has. */
function addressFindings({ read }: World, slice: EndpointSlice): WhyFinding[] {
  const prefixes = read
    .list(Nodes)
    .flatMap(({ spec }) => /^(\d+\.\d+\.\d+\.)0\/24$/.exec(spec.podCIDR ?? '')?.[1] ?? []);
  const known = new Set(read.list(Pods).flatMap(({ status }) => (status.podIP ? [status.podIP] : [])));
  const lost = (slice.endpoints ?? [])
    .flatMap(({ addresses = [] }) => addresses)
    .filter((address) => !known.has(address) && prefixes.some((prefix) => address.startsWith(prefix)))
    .slice(0, MAX_ADDRESSES);
  if (lost.length === 0) return [];
  return [findingOf(slice, 'NoSuchAddress', `no pod has the address ${lost.join(', ')}, to which it leads`)];
}

/** Why a Service that is another name leads nowhere. */
export function externalName(world: World, service: Service, depth: number): WhyFinding[] {
  const { externalName: target = '', ports = [] } = service.spec;
  const [, name, namespace] = OWN.exec(target) ?? [];
  if (name !== undefined && namespace !== undefined) {
    const found = world.read.get(Services, { namespace, name });
    const behind = found
      ? depth < MAX_DEPTH && found !== service
        ? world.explain('services', found, depth + 1)
        : []
      : [explainMissing(world, Services, namespace, name).finding];
    return behind.length === 0 ? [] : [nameFinding(service, `it is another name of ${target}`), ...behind];
  }
  const [node] = world.read.list(Nodes);
  if (!node) return [];
  const way = { from: { type: 'node' as const, name: node.metadata.name ?? '' }, protocol: 'TCP' as const };
  const answer = world.trace({ ...way, to: { type: 'name', name: target }, port: ports[0]?.port ?? 80 }, world.now);
  if (typeof answer === 'string' || answer.verdict === 'Delivered') return [];
  return [nameFinding(service, `it is another name of ${target}, which leads nowhere: ${answer.reason}`)];
}

const nameFinding = (service: Service, message: string): WhyFinding => findingOf(service, 'ExternalName', message);
