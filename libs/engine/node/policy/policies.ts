import type { Pod } from '../../api/core_v1.js';
import type { NetworkPolicy } from '../../api/networking_v1.js';
import { Namespaces, NetworkPolicies, Nodes, Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { keyOf, type KubeObject } from '../../machinery/meta/object.js';
import type { Resource } from '../../machinery/resource.js';
import {
  AdminNetworkPolicies,
  BaselineAdminNetworkPolicies,
  byPriority,
  isSubject,
  judgeByAdmin,
  readAdminPolicy,
  type AdminPolicy,
  type LabelsOf,
} from './admin-policy.js';
import { CalicoPolicies } from './calico/judge.js';
import { CiliumPolicies } from './cilium/judge.js';
import { findEnforcer, isCalico, isCilium } from './enforcement.js';
import { judgeByPolicies, type ReadPolicy } from './network-policy.js';
import { ALLOWED, type Decision, type Direction, type Packet, type Party, type Verdict } from './packet.js';
import { Selection } from './selection.js';

const NONE: readonly ReadPolicy[] = [];
const NO_ADMIN: readonly AdminPolicy[] = [];

/** What was found out for a list of objects holds as long as that very list is handed out. */
interface Found<T> {
  readonly of: readonly KubeObject[];
  readonly value: T;
}

/**
 * The policies of one cluster, a function of its state. What a policy says, and which policies select a pod, is kept as
 * long as they do not change. Models kube-network-policies, which kindnet runs: the first packet of a connection is
 * judged, by both directions; what is established lives on when policies change.
 */
export class Policies {
  private readonly known = new WeakMap<NetworkPolicy, ReadPolicy>();
  private readonly selections = new Map<string, Found<Selection>>();
  /** By node, the agent that was found there. */
  private readonly enforcers = new Map<string, Pod>();
  private readonly admin = new Map<string, Found<readonly AdminPolicy[]>>();
  private readonly labels: LabelsOf;
  private readonly calico: CalicoPolicies;
  readonly cilium: CiliumPolicies;

  constructor(private readonly read: Reader) {
    this.calico = new CalicoPolicies(read);
    this.cilium = new CiliumPolicies(read);
    this.labels = {
      namespace: (name) => read.get(Namespaces, { namespace: '', name })?.metadata.labels,
      node: (name) => read.get(Nodes, { namespace: '', name })?.metadata.labels,
    };
  }

  /** What the policies make of a packet. */
  judge(packet: Packet): Verdict {
    if ((isLocal(packet) && !this.isToHost(packet)) || !this.isDiverted(packet)) return ALLOWED;
    const egress = this.judgeDirection('egress', packet);
    if (egress?.action === 'deny') return { allowed: false, decisions: [egress] };
    const ingress = this.judgeDirection('ingress', packet);
    const decisions = [...(egress ? [egress] : []), ...(ingress ? [ingress] : [])];
    return { allowed: ingress?.action !== 'deny', decisions };
  }

  /** Cilium judges what its pods send to their own node. */
  private isToHost({ source, destination }: Packet): boolean {
    if (destination.node === undefined || !source.pod || !this.cilium.haveRules()) return false;
    const enforcer = this.enforcerOn(source.pod.spec.nodeName ?? '');
    return enforcer !== undefined && isCilium(enforcer);
  }

  /** Whether an agent on either end's node sees the packet: it looks at that of local pods which a policy selects. */
  private isDiverted({ source, destination }: Packet): boolean {
    const hasAdmin = this.adminOf(AdminNetworkPolicies).length + this.adminOf(BaselineAdminNetworkPolicies).length > 0;
    const isSeen = ({ pod }: Party): boolean =>
      pod !== undefined &&
      (hasAdmin || this.selectingPolicies(pod).length > 0 || this.calico.areThere() || this.cilium.haveRules()) &&
      this.isEnforcedOn(pod.spec.nodeName ?? '');
    return isSeen(source) || isSeen(destination);
  }

  private judgeDirection(direction: Direction, packet: Packet): Decision | undefined {
    const own = direction === 'egress' ? packet.source : packet.destination;
    if (!own.pod) return undefined;
    const { pod } = own;
    return (
      this.judgeByAdmin(AdminNetworkPolicies, direction, packet, own) ??
      this.judgeByOwner(direction, packet, pod) ??
      this.judgeByAdmin(BaselineAdminNetworkPolicies, direction, packet, own)
    );
  }

  /** What users' policies say: those of Kubernetes, and of Calico where its agent runs. */
  private judgeByOwner(direction: Direction, packet: Packet, pod: Pod): Decision | undefined {
    const { read, calico, cilium } = this;
    const kubernetes = (): Decision | undefined =>
      judgeByPolicies(this.selectingPolicies(pod), direction, packet, (name) =>
        read.get(Namespaces, { namespace: '', name }),
      );
    if (!calico.areThere() && !cilium.areThere()) return kubernetes();
    const enforcer = this.enforcerOn(pod.spec.nodeName ?? '');
    if (enforcer && isCilium(enforcer)) return cilium.judge(direction, packet, pod);
    if (!calico.areThere()) return kubernetes();
    return enforcer && isCalico(enforcer) ? calico.judge(direction, packet, pod, kubernetes) : kubernetes();
  }

  private judgeByAdmin(resource: Resource, direction: Direction, packet: Packet, own: Party): Decision | undefined {
    const { labels } = this;
    const policies = this.adminOf(resource).filter((policy) => isSubject(policy, own, labels));
    return judgeByAdmin(policies, resource.kind as Decision['kind'], direction, packet, labels);
  }

  /** The NetworkPolicies that select a pod. */
  selectingPolicies(pod: Pod): readonly ReadPolicy[] {
    const { namespace = '' } = pod.metadata;
    const list = this.read.list(NetworkPolicies, namespace);
    if (list.length === 0) {
      this.selections.delete(namespace);
      return NONE;
    }
    let found = this.selections.get(namespace);
    if (found?.of !== list) {
      found = { of: list, value: new Selection(list, this.known) };
      this.selections.set(namespace, found);
    }
    return found.value.of(pod);
  }

  /** Whether an agent runs on a node that drops what policies deny. */
  private isEnforcedOn(node: string): boolean {
    return this.enforcerOn(node) !== undefined;
  }

  private enforcerOn(node: string): Pod | undefined {
    const known = this.enforcers.get(node);
    if (known && this.read.get(Pods, keyOf(known)) === known) return known;
    const found = findEnforcer(this.read, node);
    if (found) this.enforcers.set(node, found);
    else this.enforcers.delete(node);
    return found;
  }

  private adminOf(resource: Resource): readonly AdminPolicy[] {
    const list = this.read.list(resource);
    if (list.length === 0) return NO_ADMIN;
    const found = this.admin.get(resource.plural);
    if (found?.of === list) return found.value;
    const value = list.map(readAdminPolicy).sort(byPriority);
    this.admin.set(resource.plural, { of: list, value });
    return value;
  }
}

/** A pod always reaches itself, and its node, as that reaches the pod: the kubelet's probes. */
function isLocal({ source, destination }: Packet): boolean {
  const [from, to] = [source.pod, destination.pod];
  if (from && to) return from.metadata.uid === to.metadata.uid && from.metadata.name === to.metadata.name;
  if (from) return destination.node !== undefined && destination.node === from.spec.nodeName;
  return to !== undefined && source.node !== undefined && source.node === to.spec.nodeName;
}
