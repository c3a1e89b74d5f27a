import type { NameAnswer, NameRecord } from '../../../../engine/kernel/process/syscalls.js';
import type { Directive } from '../corefile.js';
import { isExposed, NO_DATA, type Found, type KubernetesZone, type Lookup } from './lookup.js';
import { answerPod } from './pod-names.js';
import { answerPointer } from './pointers.js';
import { answerService } from './service-names.js';
import { argumentFault, fault, isInZone, longestZone } from './words.js';

const DEFAULT_TTL = 5;
const MAX_TTL = 3_600;
const POD_MODES: readonly string[] = ['disabled', 'insecure', 'verified'];
/** Properties that change nothing here. */
const WITHOUT_EFFECT = new Set(
  'endpoint tls kubeconfig apiserver_qps apiserver_burst apiserver_max_inflight startup_timeout labels namespace_labels multicluster'.split(
    ' ',
  ),
);

/** Models plugin/kubernetes/setup.go. */
export function readKubernetes(
  { args, block }: Directive,
  serverZones: readonly string[],
  file: string,
): KubernetesZone {
  const zones = (args.length > 0 ? args : serverZones).map(absolute);
  const read: { -readonly [K in keyof KubernetesZone]: KubernetesZone[K] } = {
    ...{ zones, ttl: DEFAULT_TTL, pods: 'disabled', namesEndpointsByPod: false },
    ...{ fallthrough: undefined, namespaces: undefined },
  };
  for (const { name, args: words, line } of block) {
    const [word = ''] = words;
    if (name === 'pods') {
      if (words.length !== 1) throw argumentFault('kubernetes', name, file, line);
      if (!POD_MODES.includes(word))
        throw fault(
          'kubernetes',
          `wrong value for pods: ${word},  must be one of: disabled, verified, insecure`,
          file,
          line,
        );
      read.pods = word as KubernetesZone['pods'];
    } else if (name === 'ttl') read.ttl = readTtl(words, file, line);
    else if (name === 'fallthrough') read.fallthrough = words.map(absolute);
    else if (name === 'namespaces') {
      if (words.length === 0) throw argumentFault('kubernetes', name, file, line);
      read.namespaces = [...(read.namespaces ?? []), ...words];
    } else if (name === 'endpoint_pod_names') read.namesEndpointsByPod = true;
    else if (name !== 'noendpoints' && name !== 'ignore' && !WITHOUT_EFFECT.has(name))
      throw fault('kubernetes', `unknown property '${name}'`, file, line);
  }
  return read;
}

function readTtl(words: readonly string[], file: string, line: number): number {
  const [word = ''] = words;
  if (words.length === 0) throw argumentFault('kubernetes', 'ttl', file, line);
  const ttl = /^-?\d{1,9}$/.test(word) ? Number(word) : undefined;
  if (ttl === undefined) throw fault('kubernetes', `strconv.Atoi: parsing "${word}": invalid syntax`, file, line);
  if (ttl < 0 || ttl > MAX_TTL) throw fault('kubernetes', `ttl must be in range [0, 3600]: ${ttl}`, file, line);
  return ttl;
}

const absolute = (name: string): string => (name.endsWith('.') ? name : `${name}.`).toLowerCase();

/**
 * Undefined: the name is of no zone of this plug-in, or falls through. Models plugin/kubernetes/handler.go ServeDNS.
 */
export function answerKubernetes(
  settings: KubernetesZone,
  asked: Omit<Lookup, 'zone' | 'settings'>,
): NameAnswer | undefined {
  const zone = longestZone(asked.name, settings.zones);
  if (zone === undefined) return undefined;
  const lookup: Lookup = { ...asked, zone, settings };
  const found = isReverse(zone) ? pointerOf(lookup) : find(lookup);
  const authority = [startOfAuthority(lookup)];
  if (!found) {
    const { fallthrough } = settings;
    if (fallthrough && (fallthrough.length === 0 || fallthrough.some((z) => isInZone(asked.name, z)))) return undefined;
    return { code: 'NXDOMAIN', records: [], authority, delay: 0 };
  }
  const { records, additional = [] } = found;
  return {
    code: 'NOERROR',
    records: records.map((record) => ({ ...record, ttl: record.ttl === 0 ? settings.ttl : record.ttl })),
    additional,
    ...(records.length === 0 && { authority }),
    delay: 0,
  };
}

const isReverse = (zone: string): boolean => zone.endsWith('in-addr.arpa.') || zone.endsWith('ip6.arpa.');

function pointerOf(lookup: Lookup): Found {
  return lookup.type === 'PTR' ? answerPointer(lookup) : NO_DATA;
}

function find(lookup: Lookup): Found {
  const { name, zone, type, settings } = lookup;
  const labels = name === zone ? [] : name.slice(0, -zone.length - 1).split('.');
  if (labels.length === 0) return answerApex(lookup);
  if (labels.join('.') === 'dns-version') {
    return type === 'TXT' ? { records: [{ name, type, ttl: settings.ttl, data: '"1.1.0"' }] } : NO_DATA;
  }
  if (labels.join('.') === 'ns.dns') return nameServerOf(lookup);
  const kind = labels.pop();
  if (kind !== 'svc' && kind !== 'pod') return undefined;
  const namespace = labels.pop();
  if (namespace === undefined) return NO_DATA;
  if (!isExposed(lookup, namespace)) return undefined;
  return kind === 'pod' ? answerPod(lookup, namespace, labels) : answerService(lookup, namespace, labels);
}

function answerApex(lookup: Lookup): Found {
  const { type, zone, settings } = lookup;
  if (type === 'SOA') return { records: [startOfAuthority(lookup)] };
  if (type === 'NS') return { records: [{ name: zone, type, ttl: settings.ttl, data: `ns.dns.${zone}` }] };
  return NO_DATA;
}

/** The address of the Service in front of CoreDNS. */
function nameServerOf({ name, type, settings }: Lookup): Found {
  return type === 'A' ? { records: [{ name, type, ttl: settings.ttl, data: CLUSTER_DNS }] } : NO_DATA;
}
const CLUSTER_DNS = '10.96.0.10';

function startOfAuthority({ zone, settings, now }: Lookup): NameRecord {
  const serial = Math.floor(now / 1_000);
  const data = `ns.dns.${zone} hostmaster.${zone} ${serial} 7200 1800 86400 ${settings.ttl}`;
  return { name: zone, type: 'SOA', ttl: settings.ttl, data };
}
