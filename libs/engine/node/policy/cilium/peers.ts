import type { Node, Pod, Service } from '../../../api/core_v1.js';
import { EndpointSlices, Namespaces, Nodes, Services } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { contains, parseAddress, parsePrefix } from '../../../machinery/net/netip.js';
import { matchesLabelSelector } from '../../../machinery/selectors/selectors.js';
import type { Labels } from '../../../machinery/selectors/requirement.js';
import { identityLabels } from '../../cni/cilium/labels.js';
import { CiliumCIDRGroups, CiliumNodes, rangeOf, routerOf } from '../../cni/cilium/objects.js';
import type { CiliumSettings } from '../../cni/cilium/settings.js';
import { isWithin } from '../../cni/fabric/fabric.js';
import { SERVICE_NAME } from '../../proxy/service-table.js';
import { isInBlock } from '../ip-blocks.js';
import type { Party } from '../packet.js';
import type { PeerMatch } from './rule.js';

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/** Who is at the other end of a packet, as the agent of a node knows it. */
export interface Peer {
  readonly ip: string;
  readonly entities: readonly string[];
  /** Those of its identity: a pod's, or a reserved one's. */
  readonly labels: Labels | undefined;
  readonly pod?: Pod;
  /** Networks can mean it. */
  readonly hasNetwork: boolean;
}

const reserved = (...names: readonly string[]): Labels =>
  Object.fromEntries(names.map((name) => [`reserved:${name}`, '']));

/** Finds out who has an address. */
export class Peers {
  constructor(private readonly read: Reader) {}

  /** Whether a pod was plugged in by the agent: others have no identity. */
  isManaged({ status }: Pod): boolean {
    const ip = status.podIP ?? '';
    return ip !== '' && this.read.list(CiliumNodes).some((node) => isWithin(ip, rangeOf(node)));
  }

  /** `beside`: the pod whose policy is asked. */
  of({ ip, pod, node }: Party, beside: Pod, settings: CiliumSettings): Peer {
    if (pod && this.isManaged(pod)) {
      const namespace = this.read.get(Namespaces, { namespace: '', name: pod.metadata.namespace ?? '' });
      const labels = identityLabels(pod, namespace, settings.clusterName);
      return { ip, pod, labels, entities: ['all', 'cluster'], hasNetwork: false };
    }
    const host = this.nodeAt(ip, node);
    if (host !== undefined) {
      const own = host === beside.spec.nodeName ? 'host' : 'remote-node';
      const stored = this.read.get(Nodes, { namespace: '', name: host });
      const names = isServer(stored) ? [own, 'kube-apiserver'] : [own];
      const entities = ['all', 'cluster', ...names];
      return { ip, labels: reserved(...names), entities, hasNetwork: settings.matchesNodes };
    }
    if (this.read.list(CiliumNodes).some(({ spec }) => spec?.health?.ipv4 === ip))
      return { ip, labels: reserved('health'), entities: ['all', 'cluster', 'health'], hasNetwork: false };
    return { ip, labels: reserved('world'), entities: ['all', 'world', 'world-ipv4'], hasNetwork: true };
  }

  private nodeAt(ip: string, node: string | undefined): string | undefined {
    return node ?? this.read.list(CiliumNodes).find((one) => routerOf(one) === ip)?.metadata.name;
  }

  matches(match: PeerMatch, peer: Peer): boolean {
    switch (match.type) {
      case 'labels':
        return peer.labels !== undefined && match.test(peer.labels);
      case 'entity':
        return peer.entities.includes(match.name);
      case 'cidr':
        return peer.hasNetwork && isInBlock(match.block, peer.ip);
      case 'group':
        return peer.hasNetwork && this.isInGroup(match, peer.ip);
      case 'service':
        return this.isBehind(match, peer);
    }
  }

  private isInGroup({ test, except }: Extract<PeerMatch, { type: 'group' }>, ip: string): boolean {
    const address = parseAddress(ip);
    const isIn = (cidr: string): boolean => {
      const prefix = parsePrefix(cidr);
      return prefix !== undefined && address !== undefined && contains(prefix, address);
    };
    return this.read
      .list(CiliumCIDRGroups)
      .some(
        ({ metadata, spec }) =>
          test(metadata.name ?? '', metadata.labels ?? {}) &&
          (spec?.externalCIDRs ?? []).some(isIn) &&
          !except.some(isIn),
      );
  }

  /** A Service with a selector means the pods that it selects, another one the addresses that it has. */
  private isBehind({ isMeant }: Extract<PeerMatch, { type: 'service' }>, { ip, pod }: Peer): boolean {
    return this.read.list(Services).some((service) => {
      const { namespace = '', name = '', labels = {} } = service.metadata;
      if (!isMeant({ namespace, name, labels })) return false;
      if (pod) return selects(service, pod);
      return this.read
        .list(EndpointSlices, namespace)
        .some(
          (slice) =>
            slice.metadata.labels?.[SERVICE_NAME] === name &&
            slice.endpoints?.some(({ addresses }) => addresses.includes(ip)),
        );
    });
  }
}

const isServer = (node: Node | undefined): boolean => node?.metadata.labels?.[CONTROL_PLANE] !== undefined;

const selects = ({ metadata, spec }: Service, pod: Pod): boolean =>
  spec.selector !== undefined &&
  metadata.namespace === pod.metadata.namespace &&
  matchesLabelSelector({ matchLabels: spec.selector }, pod.metadata.labels);
