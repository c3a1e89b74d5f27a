import type { Node, Pod } from '../../api/core_v1.js';
import { bytesOfAddress } from '../../kernel/netfilter/index.js';
import { NodeRuntimes, Nodes, Pods } from '../../kinds/index.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { Reader } from '../../machinery/client.js';
import type { Millis } from '../../machinery/time/time.js';
import { secondIPOf, secondPodIPOf, secondRangeOf } from '../dualstack/addresses.js';
import { internalIPOf } from '../kubelet/nodestatus/internal-ip.js';
import { lingers } from './tracks/lingering.js';

/** A state that tells of its changes. */
export interface ObservedState extends Reader {
  readonly now: Millis;
  observe(resource: string, observer: (old: KubeObject | undefined, next: KubeObject | undefined) => void): void;
  resourceOf(kind: Kind): string;
}

/** Calls `observer` with what is there, and with every change. */
export function observeKind<T extends KubeObject>(
  state: ObservedState,
  kind: Kind<T>,
  observer: (old: T | undefined, next: T | undefined) => void,
): void {
  state.observe(
    state.resourceOf(kind),
    observer as (old: KubeObject | undefined, next: KubeObject | undefined) => void,
  );
}

/** Who has which address. It follows the state, so that no look-up walks a list. */
export class AddressBook {
  private readonly pods = new Map<string, Set<string>>();
  private readonly hosted = new Map<string, Set<string>>();
  private readonly nodes = new Map<string, string>();
  private readonly ranges = new Map<string, string>();

  constructor(private readonly state: ObservedState) {
    observeKind(state, Pods, (old, next) => {
      if (old) this.put(old, false);
      if (next) this.put(next, true);
    });
    observeKind(state, Nodes, (old, next) => {
      if (old) this.putNode(old, false);
      if (next) this.putNode(next, true);
    });
    // A host goes on when its Node is deleted.
    observeKind(state, NodeRuntimes, (_old, next) => {
      const { name = '' } = next?.metadata ?? {};
      if (next?.machine && !state.get(Nodes, { namespace: '', name })) this.putNode(next.machine, true);
    });
  }

  private put(pod: Pod, isThere: boolean): void {
    const { hostNetwork, nodeName } = pod.spec;
    const key = `${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`;
    if (hostNetwork) return this.putAt(this.hosted, nodeName, key, isThere);
    this.putAt(this.pods, pod.status?.podIP, key, isThere);
    const second = pod.status && secondPodIPOf(pod);
    if (second !== undefined) this.putAt(this.pods, second, key, isThere);
  }

  private putAt(index: Map<string, Set<string>>, place: string | undefined, key: string, isThere: boolean): void {
    if (!place) return;
    const found = index.get(place);
    if (isThere) index.set(place, (found ?? new Set<string>()).add(key));
    else if (found?.delete(key) && found.size === 0) index.delete(place);
  }

  private putNode(node: Node, isThere: boolean): void {
    const { name = '' } = node.metadata;
    const [ip, range] = [internalIPOf(node), node.spec?.podCIDR];
    if (ip !== '') setOrDrop(this.nodes, ip, name, isThere);
    if (range) setOrDrop(this.ranges, prefix24(range), name, isThere);
    const second = secondRangeOf(node);
    if (second !== undefined) setOrDrop(this.ranges, prefix64(second), name, isThere);
    const ip6 = secondIPOf(node);
    if (ip6 !== '') setOrDrop(this.nodes, ip6, name, isThere);
  }

  /** The pod with an address of its own; one that has ended has it no more once its sandbox is gone. */
  podAt(ip: string): Pod | undefined {
    const pods = this.podsOf(this.pods.get(ip));
    return pods.find(isThere) ?? pods.find((pod) => lingers(pod, this.state.now));
  }

  /** The pods on the network of a node, in the order of their names. */
  podsOnHost(node: string): readonly Pod[] {
    return this.podsOf(this.hosted.get(node)).filter(isThere);
  }

  nodeAt(ip: string): Node | undefined {
    return this.node(this.nodes.get(ip));
  }

  /** The node that an address of the pods' network is routed to. */
  nodeOfRange(ip: string): Node | undefined {
    const known = this.node(this.ranges.get(ip.includes(':') ? prefix64(ip) : prefix24(ip)));
    if (known) return known;
    const pod = this.podAt(ip);
    return pod && this.nodeOf(pod);
  }

  /** The node that a pod runs on: a machine goes on when its Node is deleted. */
  nodeOf({ spec, status }: Pod): Node {
    return this.node(spec.nodeName) ?? forgottenNode(spec.nodeName ?? '', status.hostIP ?? '', status.podIP ?? '');
  }

  node(name: string | undefined): Node | undefined {
    if (name === undefined) return undefined;
    const key = { namespace: '', name };
    return this.state.get(Nodes, key) ?? this.state.get(NodeRuntimes, key)?.machine;
  }

  private podsOf(keys: ReadonlySet<string> | undefined): Pod[] {
    return [...(keys ?? [])].sort().flatMap((key) => {
      const [namespace = '', name = ''] = key.split('/');
      return this.state.get(Pods, { namespace, name }) ?? [];
    });
  }
}

const forgottenNode = (name: string, ip: string, podIP: string): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  spec: podIP === '' || podIP === ip ? {} : { podCIDR: `${prefix24(podIP)}0/24` },
  status: { addresses: ip === '' ? [] : [{ type: 'InternalIP', address: ip }] },
});

const isThere = ({ status }: Pod): boolean => status.phase !== 'Succeeded' && status.phase !== 'Failed';

/** '10.244.1.' of '10.244.1.5': every node has a /24, as the IPAM of nodes gives it. */
const prefix24 = (ip: string): string => ip.slice(0, ip.lastIndexOf('.') + 1);

/** The first half of the bytes: every node has a /64. */
const prefix64 = (text: string): string => {
  const [address = ''] = text.split('/');
  return (bytesOfAddress(address) ?? []).slice(0, 8).join('.');
};

function setOrDrop(index: Map<string, string>, key: string, value: string, isThere: boolean): void {
  if (isThere) index.set(key, value);
  else if (index.get(key) === value) index.delete(key);
}
