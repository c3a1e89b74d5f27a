import type { Service } from '../../../../engine/api/core_v1.js';
import type { NameRecord } from '../../../../engine/kernel/process/syscalls.js';
import { Services } from '../../../../engine/kinds/index.js';
import { parseTimestamp } from '../../../../engine/machinery/time/time.js';
import { endedEndpoints, endpointsOf, type NamedEndpoint, NO_PORT } from './endpoints.js';
import { NO_DATA, type Found, type Lookup } from './lookup.js';

/** What stands before the Service's name. */
interface Prefix {
  readonly endpoint?: string | undefined;
  readonly port?: string | undefined;
  readonly protocol?: string | undefined;
}

/** One address and port behind the name. */
interface Target {
  readonly host: string;
  readonly ip: string;
  readonly port: number;
}

/** web.default.svc.cluster.local, and what stands before it. Models plugin/kubernetes findServices. */
export function answerService(lookup: Lookup, namespace: string, labels: readonly string[]): Found {
  if (labels.length === 0) return NO_DATA;
  const name = labels.at(-1)!;
  const prefix = readPrefix(labels.slice(0, -1));
  const service = prefix && lookup.read.get(Services, { namespace, name });
  // A look may be at an earlier time.
  if (!service || parseTimestamp(service.metadata.creationTimestamp ?? '') > lookup.now) return undefined;
  if (service.spec.type === 'ExternalName') return Object.keys(prefix).length > 0 ? undefined : alias(lookup, service);
  const targets = targetsOf(lookup, service, prefix);
  if (targets.length === 0) return undefined;
  return lookup.type === 'SRV' ? locations(lookup, targets) : addresses(lookup, targets);
}

/** `_http._tcp`, or an endpoint's name; undefined for what is neither. */
function readPrefix(labels: readonly string[]): Prefix | undefined {
  const [first, second] = labels;
  if (first === undefined) return {};
  if (second === undefined) return { endpoint: first };
  const isPort = labels.length === 2 && first.startsWith('_') && second.startsWith('_');
  return isPort ? { port: first.slice(1), protocol: second.slice(1) } : undefined;
}

function targetsOf(lookup: Lookup, service: Service, { endpoint, port, protocol }: Prefix): Target[] {
  const { metadata, spec } = service;
  const host = `${metadata.name}.${metadata.namespace}.svc.${lookup.zone}`;
  const matches = (name: string, its: string): boolean =>
    (port === undefined || name === port) && (protocol === undefined || its === protocol);
  if (spec.clusterIP === 'None' || endpoint !== undefined)
    return namedEndpoints(lookup, service, endpoint).flatMap(({ name, ip, ports }) =>
      ports.filter((p) => matches(p.name, p.protocol)).map((p) => ({ host: `${name}.${host}`, ip, port: p.port })),
    );
  const ips = spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : []);
  return (spec.ports ?? [])
    .filter((p) => matches(p.name ?? '', (p.protocol ?? 'TCP').toLowerCase()))
    .flatMap((p) => ips.map((ip) => ({ host, ip, port: p.port ?? 0 })));
}

/** All of them, or the one of a name. */
function namedEndpoints(lookup: Lookup, service: Service, endpoint: string | undefined): readonly NamedEndpoint[] {
  const found = endpointsOf(lookup, service).filter(({ name }) => endpoint === undefined || name === endpoint);
  return endpoint === undefined || found.length > 0 ? found : endedEndpoints(lookup, service, endpoint);
}

const typeOf = (ip: string): string => (ip.includes(':') ? 'AAAA' : 'A');

function addresses({ name, type, settings }: Lookup, targets: readonly Target[]): Found {
  const ips = new Set(targets.map(({ ip }) => ip).filter((ip) => typeOf(ip) === type));
  return { records: [...ips].map((data) => ({ name, type, ttl: settings.ttl, data })) };
}

/** Models plugin.SRV: each target once, with an equal share of 100. */
function locations({ name, type, settings }: Lookup, targets: readonly Target[]): Found {
  const weight = Math.max(1, Math.floor(100 / targets.length));
  const records = new Map<string, NameRecord>();
  const additional = new Map<string, NameRecord>();
  for (const { host, ip, port } of targets) {
    if (port === NO_PORT) continue;
    const data = `0 ${weight} ${port} ${host}`;
    records.set(data, { name, type, ttl: settings.ttl, data });
    additional.set(`${host} ${ip}`, { name: host, type: typeOf(ip), ttl: settings.ttl, data: ip });
  }
  return { records: [...records.values()], additional: [...additional.values()] };
}

/** The other name, and what the server finds of it. */
function alias({ name, type, settings, again }: Lookup, { spec }: Service): Found {
  const other = (spec.externalName ?? '').toLowerCase();
  const target = other.endsWith('.') ? other : `${other}.`;
  if (type !== 'A' && type !== 'AAAA' && type !== 'CNAME') return NO_DATA;
  const record: NameRecord = { name, type: 'CNAME', ttl: settings.ttl, data: target };
  const more = type === 'CNAME' ? [] : again(target, type).records;
  return { records: [record, ...more] };
}
