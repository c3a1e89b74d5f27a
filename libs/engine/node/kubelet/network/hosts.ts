import type { HostAlias, Pod } from '../../../api/core_v1.js';
import { podIPsOf } from '../../dualstack/addresses.js';
import { trimRight } from '../../../machinery/text/strings.js';

const CLUSTER_DOMAIN = 'cluster.local';
const HOST_NAME_LENGTH = 63;
const HEADER = '# Kubernetes-managed hosts file.\n';
const HEADER_OF_HOST_NETWORK = '# Kubernetes-managed hosts file (host network).\n';
const COMMON =
  '127.0.0.1\tlocalhost\n' +
  '::1\tlocalhost ip6-localhost ip6-loopback\n' +
  'fe00::0\tip6-localnet\n' +
  'fe00::0\tip6-mcastprefix\n' +
  'fe00::1\tip6-allnodes\n' +
  'fe00::2\tip6-allrouters\n';
/** A node's own file, as kind's nodes have it. */
const hostsOfNode = (name: string, ips: readonly string[]): string =>
  '127.0.0.1\tlocalhost\n' +
  '::1\tlocalhost ip6-localhost ip6-loopback\n' +
  'fe00::0\tip6-localnet\n' +
  'ff00::0\tip6-mcastprefix\n' +
  'ff02::1\tip6-allnodes\n' +
  'ff02::2\tip6-allrouters\n' +
  ips.map((ip) => `${ip}\t${name}\n`).join('');

export interface HostNames {
  /** What `hostname` prints. */
  readonly hostname: string;
  /** '' without a subdomain. */
  readonly domain: string;
}

/** Models kubelet_pods.go GeneratePodHostNameAndDomain. */
export function hostNamesOf({ metadata, spec }: Pod): HostNames {
  if (spec.hostNetwork) return { hostname: spec.nodeName ?? '', domain: '' };
  if (spec.hostnameOverride) return { hostname: spec.hostnameOverride, domain: '' };
  const domain = spec.subdomain ? `${spec.subdomain}.${metadata.namespace ?? ''}.svc.${CLUSTER_DOMAIN}` : '';
  const short = trimRight(trimRight((spec.hostname ?? metadata.name ?? '').slice(0, HOST_NAME_LENGTH), '-'), '.');
  const hostname = spec.setHostnameAsFQDN && domain ? `${short}.${domain}` : short;
  return { hostname, domain };
}

/** The content of /etc/hosts. Models kubelet_pods.go ensureHostsFile. */
export function managedHosts(pod: Pod): string {
  const { spec, status } = pod;
  const ip = status.podIP ?? '';
  const aliases = aliasesOf(spec.hostAliases ?? []);
  const hostIPs = status.hostIPs?.map((one) => one.ip) ?? [status.hostIP ?? ip];
  if (spec.hostNetwork) return HEADER_OF_HOST_NETWORK + hostsOfNode(spec.nodeName ?? '', hostIPs) + aliases;
  const { hostname, domain } = hostNamesOf(pod);
  const short = domain && hostname.endsWith(`.${domain}`) ? hostname.slice(0, -domain.length - 1) : hostname;
  const names = `${domain ? `${short}.${domain}\t` : ''}${short}`;
  const own =
    ip === ''
      ? ''
      : podIPsOf(pod)
          .map((one) => `${one}\t${names}\n`)
          .join('');
  return HEADER + COMMON + own + aliases;
}

function aliasesOf(aliases: readonly HostAlias[]): string {
  if (aliases.length === 0) return '';
  const lines = aliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}\n`);
  return `\n# Entries added by HostAliases.\n${lines.join('')}`;
}
