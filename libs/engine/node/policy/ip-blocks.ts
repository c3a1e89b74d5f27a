import { contains, parseAddress, parsePrefix, type Address, type Prefix } from '../../machinery/net/netip.js';

/** Addresses of one prefix without those of others. */
export interface IPBlock {
  readonly prefix: Prefix;
  readonly except: readonly Prefix[];
}

/** Undefined for what is no CIDR: validation keeps such out. */
export function parseIPBlock(cidr: string, except: readonly string[] = []): IPBlock | undefined {
  const prefix = parsePrefix(cidr);
  return prefix && { prefix, except: except.flatMap((text) => parsePrefix(text) ?? []) };
}

/** Models kube-network-policies' evaluateIPBlocks. */
export function isInBlock({ prefix, except }: IPBlock, ip: string): boolean {
  const address: Address | undefined = parseAddress(ip);
  return address !== undefined && contains(prefix, address) && !except.some((one) => contains(one, address));
}
