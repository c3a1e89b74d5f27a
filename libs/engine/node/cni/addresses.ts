import type { Node, Pod } from '../../api/core_v1.js';

const isTerminal = (pod: Pod): boolean => pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
const holds = (pod: Pod | undefined): pod is Pod => Boolean(pod?.status.podIP) && !pod!.spec.hostNetwork && !isTerminal(pod!);

/** '10.244.1.0/24' as [first address as a number, number of addresses]; undefined for what is no IPv4 CIDR. */
export function parseCidr(text: string | undefined): [first: number, size: number] | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(text ?? '');
  if (!match) return undefined;
  const [a, b, c, d, bits] = match.slice(1).map(Number) as [number, number, number, number, number];
  return [((a * 256 + b) * 256 + c) * 256 + d, 2 ** (32 - bits)];
}
const toText = (n: number): string => `${Math.floor(n / 2 ** 24)}.${Math.floor(n / 2 ** 16) % 256}.${Math.floor(n / 256) % 256}.${n % 256}`;

/** Which pod addresses are taken, node by node: follows the state. The lowest free one is a function of what is taken. */
export class Addresses {
  private readonly nodes = new Map<string, { taken: Map<string, number>; lowest: number }>();

  onPod(old: Pod | undefined, next: Pod | undefined): void {
    if (holds(old) && holds(next) && old.status.podIP === next.status.podIP) return;
    if (holds(old)) this.release(old.spec.nodeName ?? '', old.status.podIP!);
    if (holds(next)) {
      const { taken } = this.on(next.spec.nodeName ?? '');
      taken.set(next.status.podIP!, (taken.get(next.status.podIP!) ?? 0) + 1);
    }
  }

  private release(node: string, ip: string): void {
    const entry = this.on(node);
    const left = (entry.taken.get(ip) ?? 0) - 1;
    if (left > 0) entry.taken.set(ip, left);
    else entry.taken.delete(ip);
    entry.lowest = 0;
  }

  private on(node: string): { taken: Map<string, number>; lowest: number } {
    let entry = this.nodes.get(node);
    if (!entry) this.nodes.set(node, (entry = { taken: new Map(), lowest: 0 }));
    return entry;
  }

  /** The next free address of the node's range; .0 is the network, .1 the gateway, the last one broadcast. */
  allocate(node: Node): string | undefined {
    const range = parseCidr(node.spec.podCIDR);
    if (!range) return undefined;
    const entry = this.on(node.metadata.name ?? '');
    for (let i = Math.max(2, entry.lowest); i < range[1] - 1; i++) {
      const ip = toText(range[0] + i);
      if (entry.taken.has(ip)) continue;
      entry.lowest = i;
      return ip;
    }
    return undefined;
  }
}
