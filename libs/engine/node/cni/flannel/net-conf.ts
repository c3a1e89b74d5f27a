import { contains, parsePrefix } from '../../../machinery/net/netip.js';

const DEFAULT_VNI = 1;

/** Flannel's configuration, as its ConfigMap has it. */
export interface NetConf {
  /** '10.244.0.0/16' */
  readonly network: string;
  readonly backend: string;
  readonly vni: number;
}

/** Models flannel's pkg/subnet/config.go ParseConfig. */
export function parseNetConf(text: string): NetConf | { readonly error: string } {
  let value: { Network?: unknown; Backend?: { Type?: unknown; VNI?: unknown } } | null;
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    return { error: `error parsing subnet config: ${jsonError(text)}` };
  }
  const { Network: network, Backend: { Type: type = 'udp', VNI: vni = DEFAULT_VNI } = {} } = value ?? {};
  if (typeof network !== 'string' || network === '')
    return { error: 'error parsing subnet config: please define a correct Network parameter in the flannel config' };
  if (!parsePrefix(network)) return { error: `error parsing subnet config: invalid CIDR address: ${network}` };
  return { network, backend: String(type), vni: typeof vni === 'number' ? vni : DEFAULT_VNI };
}

/** Go's words for what most often is wrong. */
function jsonError(text: string): string {
  const bare = text.trim();
  if (bare === '' || (bare.startsWith('{') && !bare.endsWith('}'))) return 'unexpected end of JSON input';
  return `invalid character ${JSON.stringify(bare[0] ?? '').replaceAll('"', "'")} looking for beginning of value`;
}

/** Whether all addresses of a range, such as '10.244.1.0/24', are in another. */
export function isInside(inner: string, outer: string): boolean {
  const [a, b] = [parsePrefix(inner), parsePrefix(outer)];
  return a !== undefined && b !== undefined && a.bits >= b.bits && contains(b, a.address);
}
