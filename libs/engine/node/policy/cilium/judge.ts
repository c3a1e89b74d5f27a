import type { Pod } from '../../../api/core_v1.js';
import { Namespaces, NetworkPolicies } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { identityLabels } from '../../cni/cilium/labels.js';
import { CiliumClusterwideNetworkPolicies, CiliumNetworkPolicies, CiliumNodes } from '../../cni/cilium/objects.js';
import { ciliumConfig, ciliumSettings, type CiliumSettings } from '../../cni/cilium/settings.js';
import { nameOf } from '../network-policy.js';
import type { Decision, Direction, HttpMatch, Packet } from '../packet.js';
import { hasNamedPort } from '../ports.js';
import { Peers, type Peer } from './peers.js';
import { readCiliumPolicy } from './read-policy.js';
import { readNetworkPolicy } from './read-network-policy.js';
import type { CiliumRule, Item, PortMatch } from './rule.js';

/** What was read of lists, as long as these very lists are handed out. */
interface Known {
  readonly of: readonly unknown[];
  readonly rules: readonly CiliumRule[];
  readonly settings: CiliumSettings;
  /** By pod, the rules that select it. */
  readonly selected: WeakMap<
    Pod,
    { readonly namespace: KubeObject | undefined; readonly rules: readonly CiliumRule[] }
  >;
}

/**
 * Cilium's policies of one cluster, among which NetworkPolicies are rules like others: what one denies is denied, else
 * what one allows is allowed, else what any of them closes is denied. Models pkg/policy.
 */
export class CiliumPolicies {
  private known: Known | undefined;
  private readonly peers: Peers;

  constructor(private readonly read: Reader) {
    this.peers = new Peers(read);
  }

  /** Whether an agent has ever registered its node. */
  areThere(): boolean {
    return this.read.list(CiliumNodes).length > 0;
  }

  /** Whether there is anything that could deny something. */
  haveRules(): boolean {
    return this.areThere() && (this.find().rules.length > 0 || this.find().settings.enforcement === 'always');
  }

  /** Undefined: nothing is in force for the pod in that direction. */
  judge(direction: Direction, packet: Packet, pod: Pod): Decision | undefined {
    const { settings } = this.find();
    if (settings.enforcement === 'never' || !this.peers.isManaged(pod)) return undefined;
    const rules = this.selecting(pod);
    const isAlways = settings.enforcement === 'always';
    if (rules.length === 0 && !isAlways) return undefined;
    const [own, other] =
      direction === 'egress' ? [packet.source, packet.destination] : [packet.destination, packet.source];
    const peer = this.peers.of(other, pod, settings);
    const base = { direction, pod: nameOf(own) };
    for (const { kind, key, [direction]: part } of rules) {
      const found = part.deny.find((item) => this.matches(item, peer, packet));
      if (found) return { ...base, kind, action: 'deny', policies: [key], rule: found.place };
    }
    for (const { kind, key, [direction]: part } of rules) {
      const found = part.allow.find((item) => this.matches(item, peer, packet));
      if (!found) continue;
      const http = this.httpOf(rules, direction, peer, packet);
      return { ...base, kind, action: 'allow', policies: [key], rule: found.place, ...(http ? { http } : {}) };
    }
    const closing = rules.filter(({ [direction]: part }) => part.closes);
    if (closing.length === 0 && !isAlways) return undefined;
    const [{ kind } = { kind: 'CiliumNetworkPolicy' as const }] = closing;
    return { ...base, kind, action: 'deny', policies: [...new Set(closing.map(({ key }) => key))] };
  }

  /** Whether what no rule allows is denied, by direction. */
  enforcement(pod: Pod): { readonly ingress: boolean; readonly egress: boolean } {
    const { settings } = this.find();
    if (settings.enforcement !== 'default') {
      const is = settings.enforcement === 'always';
      return { ingress: is, egress: is };
    }
    const rules = this.selecting(pod);
    return { ingress: rules.some(({ ingress }) => ingress.closes), egress: rules.some(({ egress }) => egress.closes) };
  }

  private find(): Known {
    const { read } = this;
    const of = [
      ...[read.list(CiliumNetworkPolicies), read.list(CiliumClusterwideNetworkPolicies), read.list(NetworkPolicies)],
      ciliumConfig(read),
    ];
    if (this.known?.of.every((list, i) => list === of[i])) return this.known;
    const own = [...read.list(CiliumNetworkPolicies), ...read.list(CiliumClusterwideNetworkPolicies)];
    const rules = [...own.flatMap(readCiliumPolicy), ...read.list(NetworkPolicies).map(readNetworkPolicy)];
    return (this.known = { of, rules, settings: ciliumSettings(read), selected: new WeakMap() });
  }

  private selecting(pod: Pod): readonly CiliumRule[] {
    const { rules, selected, settings } = this.find();
    const namespace = this.read.get(Namespaces, { namespace: '', name: pod.metadata.namespace ?? '' });
    const known = selected.get(pod);
    if (known && known.namespace === namespace) return known.rules;
    const labels = identityLabels(pod, namespace, settings.clusterName);
    const found = rules.filter(({ subject }) => subject(labels));
    selected.set(pod, { namespace, rules: found });
    return found;
  }

  /** What the proxy lets through; undefined: nobody asks it, since something allows whatever comes. */
  private httpOf(
    rules: readonly CiliumRule[],
    direction: Direction,
    peer: Peer,
    packet: Packet,
  ): readonly HttpMatch[] | undefined {
    const found: HttpMatch[] = [];
    for (const { [direction]: part } of rules)
      for (const item of part.allow) {
        if (!this.matches(item, peer, packet)) continue;
        const ports = item.ports?.filter((one) => matchesPort(one, packet)) ?? [];
        if (ports.length === 0 || ports.some(({ http }) => http === undefined)) return undefined;
        found.push(...ports.flatMap(({ http = [] }) => http));
      }
    return found;
  }

  private matches({ peers, requires, ports }: Item, peer: Peer, packet: Packet): boolean {
    if (ports && !ports.some((one) => matchesPort(one, packet))) return false;
    if (!requires.every((test) => peer.labels !== undefined && test(peer.labels))) return false;
    // Nobody is named: without ports it opens nothing, and with ports it is about everybody.
    return peers ? peers.some((one) => this.peers.matches(one, peer)) : ports !== undefined;
  }
}

function matchesPort({ port, end, protocol }: PortMatch, packet: Packet): boolean {
  if (protocol !== 'ANY' && protocol !== packet.protocol) return false;
  if (typeof port === 'string') return hasNamedPort(packet.destination.pod, port, packet.port, packet.protocol);
  return port === 0 || (packet.port >= port && packet.port <= end);
}
