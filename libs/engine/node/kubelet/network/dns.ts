import type { Pod, PodDNSConfigOption } from '../../../api/core_v1.js';

const CLUSTER_DOMAIN = 'cluster.local';
/** The tenth address of the range of Services, as kubeadm chooses it. */
export const CLUSTER_DNS = '10.96.0.10';
/** As many as glibc reads. Models MaxDNSNameservers. */
const MAX_NAMESERVERS = 3;
const CLUSTER_OPTIONS: readonly PodDNSConfigOption[] = [{ name: 'ndots', value: '5' }];

export interface DnsConfig {
  readonly nameservers: readonly string[];
  readonly searches: readonly string[];
  /** 'ndots:5', 'edns0'. */
  readonly options: readonly string[];
}

/** How a pod resolves names. Models pkg/kubelet/network/dns/dns.go GetPodDNS. */
export function dnsConfigOf(pod: Pod, nodeAddress: string): DnsConfig {
  const { nameservers, searches, options } = baseOf(pod, nodeAddress);
  const own = pod.spec.dnsConfig ?? {};
  return {
    nameservers: unique([...nameservers, ...(own.nameservers ?? [])]).slice(0, MAX_NAMESERVERS),
    searches: unique([...searches, ...(own.searches ?? [])]),
    options: mergeOptions(options, own.options ?? []).map(({ name, value }) =>
      value ? `${name}:${value}` : `${name}`,
    ),
  };
}

function baseOf(
  { metadata, spec }: Pod,
  nodeAddress: string,
): Omit<DnsConfig, 'options'> & { readonly options: readonly PodDNSConfigOption[] } {
  const { dnsPolicy = 'ClusterFirst', hostNetwork } = spec;
  if (dnsPolicy === 'None') return { nameservers: [], searches: [], options: [] };
  const isNodes = dnsPolicy === 'Default' || (dnsPolicy === 'ClusterFirst' && hostNetwork);
  if (isNodes) return { nameservers: [gatewayOf(nodeAddress)], searches: [], options: [] };
  const services = `svc.${CLUSTER_DOMAIN}`;
  return {
    nameservers: [CLUSTER_DNS],
    searches: [`${metadata.namespace ?? ''}.${services}`, services, CLUSTER_DOMAIN],
    options: CLUSTER_OPTIONS,
  };
}

/** The router of the nodes' network, which resolves names for them. */
const gatewayOf = (address: string): string => address.replace(/\.\d+$/, '.1');

const unique = (list: readonly string[]): string[] => [...new Set(list)];

/** An option of the pod replaces the one of the same name. Models mergeDNSOptions. */
function mergeOptions(
  base: readonly PodDNSConfigOption[],
  own: readonly PodDNSConfigOption[],
): readonly PodDNSConfigOption[] {
  const byName = new Map<string, PodDNSConfigOption>();
  for (const option of [...base, ...own]) byName.set(option.name ?? '', option);
  return [...byName.values()];
}

/** /etc/resolv.conf. Models containerd's parseDNSOptions (internal/cri/server). */
export function resolvConf({ nameservers, searches, options }: DnsConfig): string {
  const search = searches.length > 0 ? `search ${searches.join(' ')}\n` : '';
  const servers = nameservers.map((address) => `nameserver ${address}\n`).join('');
  return search + servers + (options.length > 0 ? `options ${options.join(' ')}\n` : '');
}
