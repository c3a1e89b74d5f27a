import type { Service } from '../../api/core_v1.js';
import type { Endpoint, EndpointSlice } from '../../api/discovery_v1.js';
import type { Millis } from '../../machinery/time/time.js';
import { endpointsOf, type EndpointFilter, type ProxyEndpoint } from './endpoints.js';
import { servicePorts, type Family, type ServicePortInfo } from './service-port.js';
import type { ProxySettings } from './settings.js';
import type { ProxyNode } from './topology.js';

export const SERVICE_NAME = 'kubernetes.io/service-name';
/** Nodes for which one Service's rules are kept at once. */
const MAX_NODES = 64;

/** What a mode makes of one port of a Service. `chains`: those of its own, by name; undefined: it has none. */
export interface PortRules {
  readonly chains: ReadonlyMap<string, unknown> | undefined;
}

/** Makes what a mode has for a port; kept until the Service or its endpoints change. */
export type PortMaker<T extends PortRules> = (
  port: ServicePortInfo,
  endpoints: readonly ProxyEndpoint[],
  node: ProxyNode,
  settings: ProxySettings,
) => T;

/** What one mode has made of a Service. */
interface Made {
  readonly settings: ProxySettings;
  /** By the node's name, or by '' when all nodes have the same. */
  readonly rules: Map<string, readonly PortRules[]>;
}

interface Entry {
  readonly ports: readonly ServicePortInfo[];
  readonly made: Map<PortMaker<PortRules>, Made>;
  /** From when on all endpoints were as they are now. */
  readonly settledAt: Millis;
}

/**
 * The Services and EndpointSlices that a proxy knows, with an index by address and port. Rules are made when they are
 * asked for, and kept until their Service or its endpoints change.
 */
export class ServiceTable {
  private readonly services = new Map<string, Service>();
  private readonly slices = new Map<string, Map<string, EndpointSlice>>();
  private readonly entries = new Map<string, Entry>();
  private readonly byAddress = new Map<string, Set<string>>();
  private readonly byNodePort = new Map<string, Set<string>>();
  private readonly byChain = new Map<string, string>();
  private sorted: readonly string[] | undefined;
  private asked: { readonly address: string; readonly port: number; readonly keys: readonly string[] } | undefined;

  /** `readySince`: when an endpoint of a namespace became ready; a machine that catches up asks for an earlier time. */
  constructor(
    private readonly readySince: (endpoint: Endpoint, namespace: string) => Millis = () => -Infinity,
    private readonly family: Family = 'IPv4',
  ) {}

  /** Takes a Service in place of an old one; undefined: it is not there. */
  putService(old: Service | undefined, next: Service | undefined): void {
    const key = keyOf((next ?? old)!);
    const known = this.services.get(key);
    if (known) this.unlink(key, servicePorts(known, this.family));
    if (next) {
      this.services.set(key, next);
      this.link(key, servicePorts(next, this.family));
    } else this.services.delete(key);
    this.entries.delete(key);
    this.sorted = undefined;
    this.asked = undefined;
  }

  putSlice(old: EndpointSlice | undefined, next: EndpointSlice | undefined): void {
    if (old) this.dropSlice(old);
    const key = next && serviceOf(next);
    if (!key) return;
    const known = this.slices.get(key) ?? new Map<string, EndpointSlice>();
    this.slices.set(key, known.set(next.metadata.name ?? '', next));
    this.entries.delete(key);
    this.asked = undefined;
  }

  private dropSlice(old: EndpointSlice): void {
    const key = serviceOf(old);
    const known = key === undefined ? undefined : this.slices.get(key);
    if (key === undefined || !known) return;
    known.delete(old.metadata.name ?? '');
    if (known.size === 0) this.slices.delete(key);
    this.entries.delete(key);
    this.asked = undefined;
  }

  private link(key: string, ports: readonly ServicePortInfo[]): void {
    for (const port of ports) {
      for (const address of addressesOf(port)) add(this.byAddress, address, key);
      for (const own of nodePortsOf(port)) add(this.byNodePort, own, key);
    }
  }

  private unlink(key: string, ports: readonly ServicePortInfo[]): void {
    for (const port of ports) {
      for (const address of addressesOf(port)) remove(this.byAddress, address, key);
      for (const own of nodePortsOf(port)) remove(this.byNodePort, own, key);
    }
  }

  /** 'namespace/name' of all Services, sorted. */
  keys(): readonly string[] {
    return (this.sorted ??= [...this.services.keys()].sort());
  }

  /** Those that have something at an address or at a node's port, sorted. The list is the same while they are. */
  keysAt(address: string, port: number): readonly string[] {
    if (this.asked?.address !== address || this.asked.port !== port)
      this.asked = { address, port, keys: this.findKeys(address, port) };
    return this.asked.keys;
  }

  private findKeys(address: string, port: number): readonly string[] {
    const at = this.byAddress.get(address);
    const behind = this.byNodePort.get(String(port));
    if (!at || !behind) return [...(at ?? behind ?? [])].sort();
    return [...new Set([...at, ...behind])].sort();
  }

  /** Cluster IPs, external IPs and those of load balancers. */
  addresses(): readonly string[] {
    return [...this.byAddress.keys()];
  }

  hasAddress(address: string): boolean {
    return this.byAddress.has(address);
  }

  service(key: string): Service | undefined {
    return this.services.get(key);
  }

  slicesOf(key: string): readonly EndpointSlice[] {
    return [...(this.slices.get(key)?.values() ?? [])];
  }

  ports(key: string): readonly ServicePortInfo[] {
    return this.entry(key).ports;
  }

  /** What a mode makes of a Service on a node, with those of its endpoints that were ready at a time. */
  rules<T extends PortRules>(
    make: PortMaker<T>,
    key: string,
    node: ProxyNode,
    settings: ProxySettings,
    at: Millis,
  ): readonly T[] {
    const entry = this.entry(key);
    const { ports } = entry;
    if (at < entry.settledAt)
      return this.makeRules(make, key, ports, node, settings, (one) => this.readySince(one, namespaceOf(key)) <= at);
    let known = entry.made.get(make);
    if (known?.settings !== settings) entry.made.set(make, (known = { settings, rules: new Map() }));
    if (known.rules.size > MAX_NODES) known.rules.clear();
    const scope = this.isSameEverywhere(key, ports) ? '' : node.name;
    // A maker's own results are the only ones under it.
    let found = known.rules.get(scope) as readonly T[] | undefined;
    if (!found) known.rules.set(scope, (found = this.makeRules(make, key, ports, node, settings)));
    return found;
  }

  /** The Service that a chain belongs to, once its rules were made. */
  ownerOf(chain: string): string | undefined {
    return this.byChain.get(chain);
  }

  private entry(key: string): Entry {
    let found = this.entries.get(key);
    if (!found) {
      const service = this.services.get(key);
      found = {
        ports: service ? servicePorts(service, this.family) : [],
        made: new Map(),
        settledAt: this.settledAt(key),
      };
      this.entries.set(key, found);
    }
    return found;
  }

  private settledAt(key: string): Millis {
    let latest = -Infinity;
    for (const { endpoints } of this.slices.get(key)?.values() ?? [])
      for (const one of endpoints ?? []) latest = Math.max(latest, this.readySince(one, namespaceOf(key)));
    return latest;
  }

  private makeRules<T extends PortRules>(
    make: PortMaker<T>,
    key: string,
    ports: readonly ServicePortInfo[],
    node: ProxyNode,
    settings: ProxySettings,
    isThere?: EndpointFilter,
  ): readonly T[] {
    const slices = this.slicesOf(key);
    const made = ports.map((port) =>
      make(port, endpointsOf(slices, port.portName, port.protocol, isThere, this.family), node, settings),
    );
    for (const { chains } of made) for (const chain of chains?.keys() ?? []) this.byChain.set(chain, key);
    return made;
  }

  private isSameEverywhere(key: string, ports: readonly ServicePortInfo[]): boolean {
    const [port] = ports;
    if (port && (port.isInternalLocal || port.isExternalLocal || port.sourceRanges.length > 0)) return false;
    for (const { endpoints } of this.slices.get(key)?.values() ?? [])
      if (endpoints?.some(({ hints }) => hints !== undefined)) return false;
    return true;
  }
}

export const keyOf = ({ metadata }: { readonly metadata: { namespace?: string; name?: string } }): string =>
  `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;

const namespaceOf = (key: string): string => key.slice(0, key.indexOf('/'));

const serviceOf = ({ metadata }: EndpointSlice): string | undefined => {
  const name = metadata.labels?.[SERVICE_NAME];
  return name === undefined ? undefined : `${metadata.namespace ?? ''}/${name}`;
};

const addressesOf = ({ clusterIP, externalIPs, vips }: ServicePortInfo): readonly string[] => [
  clusterIP,
  ...externalIPs,
  ...vips,
];

const nodePortsOf = ({ nodePort, healthCheckNodePort }: ServicePortInfo): readonly string[] =>
  [nodePort, healthCheckNodePort].filter((port) => port !== 0).map(String);

function add(index: Map<string, Set<string>>, value: string, key: string): void {
  const found = index.get(value);
  if (found) found.add(key);
  else index.set(value, new Set([key]));
}

function remove(index: Map<string, Set<string>>, value: string, key: string): void {
  const found = index.get(value);
  found?.delete(key);
  if (found?.size === 0) index.delete(value);
}
