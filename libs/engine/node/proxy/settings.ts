import { parse } from 'yaml';
import type { ConfigMap } from '../../api/core_v1.js';
import type { ProxySettings } from './iptables/service-rules.js';

export type ProxyMode = 'iptables' | 'ipvs' | 'nftables';
const MODES: readonly string[] = ['iptables', 'ipvs', 'nftables'];
/** Characters of a configuration that are read. */
const MAX_LENGTH = 65_536;

export interface ProxyConfiguration extends ProxySettings {
  readonly mode: ProxyMode;
  readonly scheduler: string;
}

const DEFAULTS: ProxyConfiguration = {
  mode: 'iptables',
  scheduler: 'rr',
  clusterCIDR: undefined,
  masqueradeAll: false,
};

/** KubeProxyConfiguration, as kube-system's ConfigMap has it; what cannot be read is as by default. */
export function readSettings(map: ConfigMap | undefined): ProxyConfiguration {
  const text = map?.data?.['config.conf'] ?? '';
  if (text.length > MAX_LENGTH) return DEFAULTS;
  const read = parseObject(text);
  const { mode, clusterCIDR } = read;
  const [iptables, ipvs] = [objectOf(read['iptables']), objectOf(read['ipvs'])];
  return {
    mode: typeof mode === 'string' && MODES.includes(mode) ? (mode as ProxyMode) : 'iptables',
    scheduler: typeof ipvs['scheduler'] === 'string' && ipvs['scheduler'] !== '' ? ipvs['scheduler'] : 'rr',
    clusterCIDR: typeof clusterCIDR === 'string' && clusterCIDR !== '' ? clusterCIDR.split(',')[0]! : undefined,
    masqueradeAll: iptables['masqueradeAll'] === true,
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
