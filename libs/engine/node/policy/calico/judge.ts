import type { Pod } from '../../../api/core_v1.js';
import { Namespaces, ServiceAccounts } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { contains, parseAddress, parsePrefix, type Prefix } from '../../../machinery/net/netip.js';
import type { Labels } from '../../../machinery/selectors/requirement.js';
import {
  CalicoNetworkPolicies,
  GlobalNetworkPolicies,
  GlobalNetworkSets,
  NetworkSets,
  Tiers,
} from '../../cni/calico/objects.js';
import { nameOf } from '../network-policy.js';
import type { Decision, Direction, Packet, Party } from '../packet.js';
import { hasNamedPort } from '../ports.js';
import { readCalicoPolicy, type CalicoPolicy, type CalicoRule, type Entity, type PortMatch } from './read-policy.js';

const DEFAULT_TIER = 'default';
/** Where NetworkPolicies of Kubernetes stand among those of the tier "default". */
const KUBERNETES_ORDER = 1_000;
const NAMESPACE = 'projectcalico.org/namespace';
const ACCOUNT = 'projectcalico.org/serviceaccount';
/** Ports that connections come from: a rule that names others matches none. */
const EPHEMERAL = { from: 32_768, to: 60_999 };

interface Tier {
  readonly name: string;
  readonly order: number;
  readonly passes: boolean;
}
type Stored = KubeObject & { readonly spec?: Readonly<Record<string, unknown>> };

/** What the lists that policies come from were, and what was read out of them. */
interface Known {
  readonly of: readonly (readonly KubeObject[])[];
  readonly policies: readonly CalicoPolicy[];
  readonly tiers: readonly Tier[];
}

/** Calico's own policies of one cluster. Models felix/calc, whose order is that of the rules that Felix writes. */
export class CalicoPolicies {
  private known: Known | undefined;

  constructor(private readonly read: Reader) {}

  /** Whether there is any. */
  areThere(): boolean {
    return this.find().policies.length > 0;
  }

  /**
   * What the tiers make of a packet in one direction. `kubernetes`: what NetworkPolicies say, which count in the tier
   * "default". Undefined: nothing selects the pod, or all pass it on.
   */
  judge(direction: Direction, packet: Packet, own: Pod, kubernetes: () => Decision | undefined): Decision | undefined {
    const { tiers, policies } = this.find();
    for (const tier of tiers) {
      const governing = policies.filter(
        (policy) => policy.tier === tier.name && policy[direction] !== undefined && this.selects(policy, own),
      );
      const decided = this.judgeTier(tier, governing, direction, packet, kubernetes);
      if (decided !== 'next') return decided;
    }
    return undefined;
  }

  private judgeTier(
    tier: Tier,
    governing: readonly CalicoPolicy[],
    direction: Direction,
    packet: Packet,
    kubernetes: () => Decision | undefined,
  ): Decision | 'next' {
    const own = direction === 'egress' ? packet.source : packet.destination;
    const base = { direction, pod: nameOf(own) };
    const theirs = tier.name === DEFAULT_TIER ? kubernetes() : undefined;
    const before = governing.filter(({ order }) => order < KUBERNETES_ORDER);
    for (const policy of [...before, 'kubernetes' as const, ...governing.slice(before.length)]) {
      if (policy === 'kubernetes') {
        if (theirs?.action === 'allow') return theirs;
        continue;
      }
      const rule = (policy[direction] ?? []).findIndex(
        (one) => one.action !== 'Log' && this.matches(one, policy.namespace, packet),
      );
      if (rule < 0) continue;
      const { action } = policy[direction]![rule]!;
      if (action === 'Pass') return 'next';
      const decided = action === 'Allow' ? 'allow' : 'deny';
      return { ...base, kind: policy.kind, action: decided, policies: [keyOf(policy)], rule };
    }
    if (governing.length === 0) return theirs ?? 'next';
    if (tier.passes) return 'next';
    const [{ kind } = { kind: 'GlobalNetworkPolicy' as const }] = governing;
    return { ...base, kind, action: 'deny', policies: governing.map(keyOf) };
  }

  private find(): Known {
    const { read } = this;
    const of = [read.list(CalicoNetworkPolicies), read.list(GlobalNetworkPolicies), read.list(Tiers)];
    if (this.known?.of.every((list, i) => list === of[i])) return this.known;
    const policies = [...of[0]!, ...of[1]!].map(readCalicoPolicy).sort(byOrder);
    return (this.known = { of, policies, tiers: tiersOf(of[2]!) });
  }

  private selects(policy: CalicoPolicy, pod: Pod): boolean {
    const { namespace = '' } = pod.metadata;
    if (policy.namespace !== '' && policy.namespace !== namespace) return false;
    if (policy.namespaces && !policy.namespaces(this.namespaceLabels(namespace))) return false;
    if (policy.accounts && !policy.accounts(this.accountLabels(pod))) return false;
    return policy.selector(labelsOf(pod));
  }

  private namespaceLabels(name: string): Labels {
    const labels = this.read.get(Namespaces, { namespace: '', name })?.metadata.labels ?? {};
    return { ...labels, 'projectcalico.org/name': name, [NAMESPACE]: name };
  }

  private accountLabels({ metadata, spec }: Pod): Labels {
    const name = spec.serviceAccountName ?? 'default';
    const account = this.read.get(ServiceAccounts, { namespace: metadata.namespace ?? '', name });
    return { ...account?.metadata.labels, 'projectcalico.org/name': name };
  }

  private matches(rule: CalicoRule, namespace: string, packet: Packet): boolean {
    if (rule.isNever) return false;
    if (rule.protocol !== undefined && rule.protocol !== packet.protocol) return false;
    if (rule.notProtocol !== undefined && rule.notProtocol === packet.protocol) return false;
    return (
      matchesSourcePorts(rule.source) &&
      matchesPorts(rule.destination, packet) &&
      this.matchesEntity(rule.source, packet.source, namespace) &&
      this.matchesEntity(rule.destination, packet.destination, namespace)
    );
  }

  private matchesEntity(entity: Entity, party: Party, namespace: string): boolean {
    const address = parseAddress(party.ip);
    const isIn = (prefixes: readonly Prefix[]): boolean =>
      address !== undefined && prefixes.some((one) => contains(one, address));
    if (entity.nets && !isIn(entity.nets)) return false;
    if (entity.notNets && isIn(entity.notNets)) return false;
    const { selector, notSelector, namespaces, accountNames, accounts } = entity;
    const isSelecting = [selector, namespaces, accountNames, accounts].some((one) => one !== undefined);
    if (notSelector && this.endpointsAt(party).some((one) => this.isOf(one, namespaces, namespace) && notSelector(one)))
      return false;
    if (!isSelecting) return true;
    return this.endpointsAt(party).some(
      (labels) =>
        this.isOf(labels, namespaces, namespace) && (selector?.(labels) ?? true) && this.runsAs(party, entity),
    );
  }

  /** Without a selector of namespaces, one of a namespaced policy is about that namespace. */
  private isOf(labels: Labels, namespaces: Entity['namespaces'], namespace: string): boolean {
    const own = labels[NAMESPACE];
    if (namespaces) return namespaces(own === undefined ? {} : this.namespaceLabels(own));
    return namespace === '' || own === namespace;
  }

  private runsAs({ pod }: Party, { accountNames, accounts }: Entity): boolean {
    if (!accountNames && !accounts) return true;
    if (!pod) return false;
    if (accountNames && !accountNames.includes(pod.spec.serviceAccountName ?? 'default')) return false;
    return accounts?.(this.accountLabels(pod)) ?? true;
  }

  /** Labels of what has an address: a pod, and sets of networks. */
  private endpointsAt({ ip, pod }: Party): readonly Labels[] {
    const address = parseAddress(ip);
    const sets = [...this.read.list(NetworkSets), ...this.read.list(GlobalNetworkSets)] as readonly Stored[];
    const found = sets.filter(({ spec }) => {
      const nets = Array.isArray(spec?.['nets']) ? (spec['nets'] as unknown[]) : [];
      const prefixes = nets.flatMap((one) => (typeof one === 'string' ? (parsePrefix(one) ?? []) : []));
      return address !== undefined && prefixes.some((prefix) => contains(prefix, address));
    });
    const ofSets = found.map(({ metadata: { labels = {}, namespace } }) =>
      namespace === undefined || namespace === '' ? labels : { ...labels, [NAMESPACE]: namespace },
    );
    return [...(pod ? [labelsOf(pod)] : []), ...ofSets];
  }
}

const keyOf = ({ namespace, name }: CalicoPolicy): string => (namespace === '' ? name : `${namespace}/${name}`);

const labelsOf = ({ metadata, spec }: Pod): Labels => ({
  ...metadata.labels,
  [NAMESPACE]: metadata.namespace ?? '',
  'projectcalico.org/orchestrator': 'k8s',
  [ACCOUNT]: spec.serviceAccountName ?? 'default',
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Those of the lowest order first, then by name. */
const byOrder = (a: CalicoPolicy, b: CalicoPolicy): number =>
  (a.order === b.order ? 0 : a.order - b.order) || compare(a.name, b.name) || compare(a.namespace, b.namespace);

/** In their order; "default" is there in any case, and the last of those that have none. */
function tiersOf(objects: readonly KubeObject[]): readonly Tier[] {
  const own = (objects as readonly Stored[]).map(({ metadata, spec }): Tier => ({
    name: metadata.name ?? '',
    order: typeof spec?.['order'] === 'number' ? spec['order'] : Infinity,
    passes: spec?.['defaultAction'] === 'Pass',
  }));
  const all = own.some(({ name }) => name === DEFAULT_TIER)
    ? own
    : [...own, { name: DEFAULT_TIER, order: 1_000_000, passes: false }];
  return [...all].sort((a, b) => (a.order === b.order ? 0 : a.order - b.order) || compare(a.name, b.name));
}

function matchesSourcePorts({ ports, notPorts }: Entity): boolean {
  const has = (list: readonly PortMatch[]): boolean =>
    list.some((one) => 'from' in one && one.from <= EPHEMERAL.from && one.to >= EPHEMERAL.to);
  return (ports === undefined || has(ports)) && !(notPorts !== undefined && has(notPorts));
}

function matchesPorts({ ports, notPorts }: Entity, { destination, port, protocol }: Packet): boolean {
  const has = (list: readonly PortMatch[]): boolean =>
    list.some((one) =>
      'named' in one ? hasNamedPort(destination.pod, one.named, port, protocol) : port >= one.from && port <= one.to,
    );
  return (ports === undefined || has(ports)) && !(notPorts !== undefined && has(notPorts));
}
