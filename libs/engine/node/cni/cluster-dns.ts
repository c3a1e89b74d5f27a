import type { Pod, Service } from '../../api/core_v1.js';
import type { EndpointSlice } from '../../api/discovery_v1.js';
import type { NameAnswer } from '../../kernel/process/syscalls.js';
import { EndpointSlices, Pods, Services } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { parseTimestamp, type Millis } from '../../machinery/time/time.js';
import { isReadyAt } from '../kubelet/container/process.js';

const DOMAIN = 'cluster.local';
const SUFFIX = `.svc.${DOMAIN}`;
const POD_SUFFIX = `.pod.${DOMAIN}`;
/** CoreDNS's own of its kubernetes plug-in. */
const TTL = 30;
const SERVICE_NAME = 'kubernetes.io/service-name';
const NO_RECORDS: NameAnswer = { code: 'NOERROR', records: [], delay: 0 };
const NO_DOMAIN: NameAnswer = { code: 'NXDOMAIN', records: [], delay: 0 };
/** The cluster's network is closed: CoreDNS reaches no server to forward to. */
const NOT_FORWARDED: NameAnswer = { code: 'SERVFAIL', records: [], delay: 0 };

type Record = NameAnswer['records'][number];

/** Answers as CoreDNS does with kubeadm's Corefile. Models plugin/kubernetes (github.com/coredns/coredns). */
export function resolveName(read: Reader, asked: string, type: string, now: Millis): NameAnswer {
  const name = asked.toLowerCase().replace(/\.$/, '');
  if (type === 'PTR') return resolvePointer(read, name, now);
  if (name === DOMAIN || name === `svc.${DOMAIN}`) return NO_RECORDS;
  if (!name.endsWith(`.${DOMAIN}`)) return NOT_FORWARDED;
  if (name.endsWith(POD_SUFFIX)) return resolvePod(name, type);
  if (!name.endsWith(SUFFIX)) return NO_DOMAIN;
  const labels = name.slice(0, -SUFFIX.length).split('.');
  if (labels.length === 1) return isNamespaceOfServices(read, labels[0]!) ? NO_RECORDS : NO_DOMAIN;
  const [serviceName = '', namespace = ''] = labels.slice(-2);
  const service = read.get(Services, { namespace, name: serviceName });
  if (!service || parseTimestamp(service.metadata.creationTimestamp ?? '') > now) return NO_DOMAIN;
  return resolveService(read, service, labels.slice(0, -2), name, type, now);
}

function resolveService(
  read: Reader,
  service: Service,
  prefix: readonly string[],
  name: string,
  type: string,
  now: Millis,
): NameAnswer {
  const { spec } = service;
  if (spec.type === 'ExternalName') {
    const target = `${spec.externalName ?? ''}.`;
    return type === 'A' || type === 'AAAA' || type === 'CNAME'
      ? answer([{ name: `${name}.`, type: 'CNAME', ttl: TTL, data: target }])
      : NO_RECORDS;
  }
  const isPort = prefix.length === 2 && prefix.every((label) => label.startsWith('_'));
  const endpoints = spec.clusterIP === 'None' ? endpointsOf(read, service, now) : [];
  if (isPort || (type === 'SRV' && prefix.length === 0)) return resolvePorts(service, endpoints, prefix, name, type);
  if (prefix.length > 1) return NO_DOMAIN;
  if (prefix.length === 1) {
    const found = endpoints.filter((e) => e.name === prefix[0]);
    return found.length > 0
      ? addresses(
          name,
          type,
          found.map((e) => e.ip),
        )
      : NO_DOMAIN;
  }
  if (spec.clusterIP !== 'None')
    return addresses(name, type, spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : []));
  return endpoints.length > 0
    ? addresses(
        name,
        type,
        endpoints.map((e) => e.ip),
      )
    : NO_DOMAIN;
}

function resolvePorts(
  service: Service,
  endpoints: readonly EndpointName[],
  [port, protocol]: readonly string[],
  name: string,
  type: string,
): NameAnswer {
  if (type !== 'SRV') return NO_RECORDS;
  const ports = (service.spec.ports ?? []).filter(
    (p) =>
      port === undefined || (`_${p.name ?? ''}` === port && `_${(p.protocol ?? 'TCP').toLowerCase()}` === protocol),
  );
  if (ports.length === 0) return NO_DOMAIN;
  const host = `${service.metadata.name}.${service.metadata.namespace}${SUFFIX}.`;
  const hosts = service.spec.clusterIP === 'None' ? endpoints.map((e) => `${e.name}.${host}`) : [host];
  const weight = Math.floor(100 / Math.max(1, hosts.length));
  return answer(
    hosts.flatMap((target) =>
      ports.map((p) => ({ name: `${name}.`, type: 'SRV', ttl: TTL, data: `0 ${weight} ${p.port} ${target}` })),
    ),
  );
}

/** 10-244-1-5.default.pod.cluster.local, with 'pods insecure': any address is right. */
function resolvePod(name: string, type: string): NameAnswer {
  const [host = '', namespace = '', ...more] = name.slice(0, -POD_SUFFIX.length).split('.');
  const isAddress = /^\d+-\d+-\d+-\d+$/.test(host) && namespace !== '' && more.length === 0;
  return isAddress ? addresses(name, type, [host.replaceAll('-', '.')]) : NO_DOMAIN;
}

function resolvePointer(read: Reader, name: string, now: Millis): NameAnswer {
  const found = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\.in-addr\.arpa$/.exec(name);
  if (!found) return NO_DOMAIN;
  const ip = found.slice(1).reverse().join('.');
  const pointer = (host: string): NameAnswer =>
    answer([{ name: `${name}.`, type: 'PTR', ttl: TTL, data: `${host}${SUFFIX}.` }]);
  const service = read.byIndex(Services, 'clusterIP', ip)[0];
  if (service) return pointer(`${service.metadata.name}.${service.metadata.namespace}`);
  const slice = read
    .list(EndpointSlices)
    .find((s) => s.endpoints?.some((e) => e.addresses.includes(ip)) && s.metadata.labels?.[SERVICE_NAME]);
  const owner =
    slice &&
    read.get(Services, {
      namespace: slice.metadata.namespace ?? '',
      name: slice.metadata.labels?.[SERVICE_NAME] ?? '',
    });
  const endpoint = owner && endpointsOf(read, owner, now).find((e) => e.ip === ip);
  return endpoint && owner ? pointer(`${endpoint.name}.${owner.metadata.name}.${owner.metadata.namespace}`) : NO_DOMAIN;
}

interface EndpointName {
  /** The pod's hostname, or the address with dashes. */
  readonly name: string;
  readonly ip: string;
}

/** The addresses behind a headless Service that were ready at a time. */
function endpointsOf(read: Reader, { metadata, spec }: Service, now: Millis): EndpointName[] {
  const { namespace = '', name = '' } = metadata;
  const found = new Map<string, EndpointName>();
  for (const slice of read.list(EndpointSlices, namespace)) {
    if (slice.metadata.labels?.[SERVICE_NAME] !== name) continue;
    for (const endpoint of slice.endpoints ?? []) {
      if (!spec.publishNotReadyAddresses && !isThere(read, namespace, endpoint, now)) continue;
      const ip = endpoint.addresses[0] ?? '';
      found.set(ip, { ip, name: endpoint.hostname ?? ip.replaceAll('.', '-') });
    }
  }
  return [...found.values()];
}

type Endpoint = NonNullable<EndpointSlice['endpoints']>[number];

const isThere = (read: Reader, namespace: string, endpoint: Endpoint, now: Millis): boolean =>
  endpoint.conditions?.ready !== false && isReadyAt(read, namespace, endpoint, now);

const isNamespaceOfServices = (read: Reader, namespace: string): boolean => read.list(Services, namespace).length > 0;

const answer = (records: readonly Record[]): NameAnswer => ({ code: 'NOERROR', records, delay: 0 });

/** Only addresses of the fourth version are simulated: a question for others has an empty answer. */
const addresses = (name: string, type: string, ips: readonly string[]): NameAnswer =>
  type === 'A' || type === 'ANY'
    ? answer(ips.filter((ip) => !ip.includes(':')).map((data) => ({ name: `${name}.`, type: 'A', ttl: TTL, data })))
    : NO_RECORDS;

/** The pod at an address of the pods' network. */
export const podAt = (read: Reader, ip: string): Pod | undefined =>
  read.list(Pods).find((p) => p.status.podIP === ip && !p.spec.hostNetwork && isRunning(p));

const isRunning = ({ status }: Pod): boolean => status.phase !== 'Succeeded' && status.phase !== 'Failed';
