import { parse } from 'yaml';
import type { ConfigMap } from '../../api/core_v1.js';

export type ProxyMode = 'iptables' | 'ipvs' | 'nftables';
const MODES: readonly string[] = ['iptables', 'ipvs', 'nftables'];
/** Characters of a configuration that are read. */
const MAX_LENGTH = 65_536;

/** What of a proxy's configuration its rules are made with. */
export interface ProxySettings {
  readonly mode: ProxyMode;
  /** Of IP Virtual Server. */
  readonly scheduler: string;
  /** The pods' addresses; undefined: it cannot tell what comes from a pod. */
  readonly clusterCIDR: string | undefined;
  /** Those of IPv6. */
  readonly clusterCIDR6?: string | undefined;
  readonly masqueradeAll: boolean;
}

const DEFAULTS: ProxySettings = {
  mode: 'iptables',
  scheduler: 'rr',
  clusterCIDR: undefined,
  masqueradeAll: false,
};

/** KubeProxyConfiguration, as kube-system's ConfigMap has it. */
export const readSettings = (map: ConfigMap | undefined): ProxySettings => parseSettings(configOf(map));

/** The text of kube-proxy's configuration. */
export const configOf = (map: ConfigMap | undefined): string => map?.data?.['config.conf'] ?? '';

/** What cannot be read is as by default. */
export function parseSettings(text: string): ProxySettings {
  if (text.length > MAX_LENGTH) return DEFAULTS;
  const read = parseObject(text);
  const { mode, clusterCIDR } = read;
  const ranges = typeof clusterCIDR === 'string' && clusterCIDR !== '' ? clusterCIDR.split(',') : [];
  const sixth = ranges.find((range) => range.includes(':'));
  const [iptables, ipvs, nftables] = ['iptables', 'ipvs', 'nftables'].map((name) => objectOf(read[name]));
  return {
    mode: typeof mode === 'string' && MODES.includes(mode) ? (mode as ProxyMode) : 'iptables',
    scheduler: typeof ipvs!['scheduler'] === 'string' && ipvs!['scheduler'] !== '' ? ipvs!['scheduler'] : 'rr',
    clusterCIDR: ranges.find((range) => !range.includes(':')),
    ...(sixth === undefined ? {} : { clusterCIDR6: sixth }),
    masqueradeAll: (mode === 'nftables' ? nftables! : iptables!)['masqueradeAll'] === true,
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(parse(text, { maxAliasCount: 10 }));
  } catch {
    return {};
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
