/** ClusterIPs and node ports. Models pkg/registry/core/service/{ipallocator,portallocator,storage}. */
import type { Service } from '../../../api/core_v1.js';
import type { WriteContext } from '../../../machinery/client.js';
import { invalidValue, Path, type FieldError } from '../../../machinery/meta/field.js';
import { internalError } from '../../../machinery/meta/status.js';
import type { AddressRange } from './address-range.js';
import { needsHealthCheck, usesNodePorts } from './external-traffic.js';

const [FIRST_PORT, PORTS] = [30000, 2768];
const STATIC_PORTS = 86;
const TRIES = 64;
/** A range of so many addresses is full when each of them was looked at. */
const SMALL_RANGE = 4_096;
const spec = Path.of('spec');

/** The taken addresses and ports, and the randomness that chooses free ones. */
export interface AllocationContext {
  readonly random: WriteContext['random'];
  /** The Services that hold a cluster IP ('10.96.0.10') or a node port ('30080/TCP'). */
  servicesBy(index: 'clusterIP' | 'nodePort', value: string): readonly Service[];
  /** The ranges of cluster IPs. */
  ranges(): readonly AddressRange[];
  /** An IPAddress that somebody has made keeps its address from Services. */
  isReserved(ip: string): boolean;
}

const HEADLESS = 'None';
const hasAddress = (service: Service): boolean =>
  service.spec.type !== 'ExternalName' && service.spec.clusterIP !== HEADLESS;

export const clusterIPsOf = (service: Service): readonly string[] =>
  hasAddress(service) && service.spec.clusterIP
    ? service.spec.clusterIPs?.length
      ? service.spec.clusterIPs
      : [service.spec.clusterIP]
    : [];

/** '30080/TCP'; a health check's port is TCP. */
export const nodePortsOf = ({ spec: { ports, healthCheckNodePort } }: Service): readonly string[] => [
  ...(ports ?? []).flatMap((p) => (p.nodePort ? [portKey(p.nodePort, p.protocol)] : [])),
  ...(healthCheckNodePort ? [portKey(healthCheckNodePort, 'TCP')] : []),
];
const portKey = (port: number, protocol = 'TCP'): string => `${port}/${protocol}`;

/** Sets the addresses and node ports that the draft leaves out. Throws ApiError 500 when a range is full. */
export function allocate({ spec: own }: Service, context: AllocationContext): void {
  if (own.type !== 'ExternalName') {
    own.clusterIP ||= own.clusterIPs?.[0];
    own.clusterIPs =
      own.clusterIP === HEADLESS
        ? [HEADLESS]
        : (own.ipFamilies ?? []).map(
            (family, i) => own.clusterIPs?.[i] || (i === 0 && own.clusterIP) || freeAddress(family, context),
          );
    own.clusterIP ||= own.clusterIPs[0];
  }
  allocatePorts(own, context);
}

/** The errors of the addresses and node ports that the draft asks for beyond `old`: out of range, or taken. */
export function validateAllocation(draft: Service, old: Service | undefined, context: AllocationContext): FieldError[] {
  const errors: FieldError[] = [];
  const own = draft.spec;
  for (const ip of addressesToAllocate(draft, old)) validateClusterIPAllocation(draft, ip, context, errors);
  if (!usesNodePorts(own)) return errors;
  own.ports?.forEach(
    ({ nodePort, protocol }, i) =>
      nodePort &&
      validateNodePortAllocation(
        draft,
        nodePort,
        protocol ?? 'TCP',
        spec.child('ports').index(i).child('nodePort'),
        context,
        errors,
      ),
  );
  if (own.healthCheckNodePort && needsHealthCheck(own))
    validateNodePortAllocation(
      draft,
      own.healthCheckNodePort,
      'TCP',
      spec.child('healthCheckNodePort'),
      context,
      errors,
    );
  return errors;
}

/** An update takes new addresses only for a Service without any, and for a second family. Models updateClusterIPs. */
function addressesToAllocate(draft: Service, old: Service | undefined): readonly string[] {
  const { clusterIPs = [], ipFamilies = [] } = draft.spec;
  if (!hasAddress(draft)) return [];
  if (!old || old.spec.type === 'ExternalName') return clusterIPs;
  const isUpgraded = old.spec.ipFamilies?.length === 1 && ipFamilies.length === 2;
  return isUpgraded && hasAddress(old) ? clusterIPs.slice(1) : [];
}

function freeAddress(family: string, context: AllocationContext): string {
  for (const range of context.ranges()) {
    if (range.isSixth !== (family === 'IPv6')) continue;
    const ip = freeAddressOf(range, context);
    if (ip !== undefined) return ip;
  }
  throw internalError('failed to allocate a serviceIP: range is full');
}

function freeAddressOf({ size, band, at }: AddressRange, context: AllocationContext): string | undefined {
  const dynamic = size - band - 2;
  if (dynamic < 1) return undefined;
  const isFree = (ip: string): boolean => context.servicesBy('clusterIP', ip).length === 0 && !context.isReserved(ip);
  for (let i = 0; i < TRIES; i++) {
    const ip = at(band + 1 + context.random.below(dynamic));
    if (isFree(ip)) return ip;
  }
  if (size > SMALL_RANGE) return undefined;
  // The band comes last.
  for (let i = 0; i < size - 2; i++) {
    const ip = at(1 + ((band + i) % (size - 2)));
    if (isFree(ip)) return ip;
  }
  return undefined;
}

function validateClusterIPAllocation(
  draft: Service,
  ip: string,
  context: AllocationContext,
  errors: FieldError[],
): void {
  const refuse = (why: string): number =>
    errors.push(invalidValue(spec.child('clusterIPs'), draft.spec.clusterIPs, `failed to allocate IP ${ip}: ${why}`));
  if (!context.ranges().some((range) => range.has(ip))) refuse('the provided network does not match the current range');
  else if (context.isReserved(ip) || context.servicesBy('clusterIP', ip).some((s) => !isSameObject(s, draft)))
    refuse('provided IP is already allocated');
}

const isSameObject = (a: Service, b: Service): boolean =>
  a.metadata.name === b.metadata.name && a.metadata.namespace === b.metadata.namespace;

function allocatePorts(own: Service['spec'], context: AllocationContext): void {
  const mine = new Set<string>();
  for (const { nodePort, protocol } of own.ports ?? []) if (nodePort) mine.add(portKey(nodePort, protocol));
  if (own.type === 'NodePort' || (own.type === 'LoadBalancer' && own.allocateLoadBalancerNodePorts !== false)) {
    own.ports = own.ports?.map((port) => {
      if (port.nodePort) return port;
      // One node port serves the same service port over both protocols, as upstream.
      const twin = own.ports?.find((p) => p.nodePort && p.port === port.port && p.protocol !== port.protocol)?.nodePort;
      const nodePort = twin && !mine.has(portKey(twin, port.protocol)) ? twin : freePort(port.protocol, mine, context);
      mine.add(portKey(nodePort, port.protocol));
      return { ...port, nodePort };
    });
  }
  if (needsHealthCheck(own) && !own.healthCheckNodePort) own.healthCheckNodePort = freePort('TCP', mine, context);
}

function validateNodePortAllocation(
  draft: Service,
  port: number,
  protocol: string,
  path: Path,
  context: AllocationContext,
  errors: FieldError[],
): void {
  if (port < FIRST_PORT || port >= FIRST_PORT + PORTS) {
    errors.push(
      invalidValue(
        path,
        port,
        `provided port is not in the valid range. The range of valid ports is ${FIRST_PORT}-${FIRST_PORT + PORTS - 1}`,
      ),
    );
  } else if (context.servicesBy('nodePort', portKey(port, protocol)).some((s) => !isSameObject(s, draft))) {
    errors.push(invalidValue(path, port, 'provided port is already allocated'));
  }
}

/** Takes the next free port from a random one above the static band. */
function freePort(protocol = 'TCP', mine: ReadonlySet<string>, context: AllocationContext): number {
  const dynamic = PORTS - STATIC_PORTS;
  const start = context.random.below(dynamic);
  for (let i = 0; i < PORTS; i++) {
    const port = FIRST_PORT + (i < dynamic ? STATIC_PORTS + ((start + i) % dynamic) : i - dynamic);
    const key = portKey(port, protocol);
    if (!mine.has(key) && context.servicesBy('nodePort', key).length === 0) return port;
  }
  throw internalError('failed to allocate a nodePort: range is full');
}
