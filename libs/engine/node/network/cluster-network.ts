import type { ConfigMap, Node, Pod } from '../../api/core_v1.js';
import type { Endpoint } from '../../api/discovery_v1.js';
import type { Passing, Track } from '../../kernel/conntrack/track.js';
import { EMPTY_RULESET, type Protocol, type Ruleset } from '../../kernel/netfilter/index.js';
import type { Remote, Visits } from '../../kernel/network.js';
import type { Neighbour, NetworkInterface, Route } from '../../kernel/process/syscalls.js';
import { ConfigMaps, EndpointSlices, Nodes, Pods, ProxyRuntimes, ServiceCIDRs, Services } from '../../kinds/index.js';
import { networkOfNode, type NodeNetwork } from '../../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../../machinery/client.js';
import { parseTimestamp, type Millis } from '../../machinery/time/time.js';
import { IPPools, type IPPool } from '../cni/calico/objects.js';
import { fabricOf, networkOf, type NodeView } from '../cni/fabric/index.js';
import { networkRules } from '../cni/fabric/rules.js';
import { neighboursOf, nodeInterfacesOf, nodeRoutesOf } from '../cni/fabric/views.js';
import { HostPorts, NO_RULES } from '../cni/host-ports.js';
import { mergeRules, type ChainRules } from '../cni/merge-rules.js';
import { HttpRemote } from '../cri/servers/http-remote.js';
import { isSixth, secondIPOf } from '../dualstack/addresses.js';
import { internalIPOf } from '../kubelet/nodestatus/internal-ip.js';
import { judgePacket } from '../policy/index.js';
import {
  checkHealth,
  nodeRuleset,
  readSettings,
  ServiceTable,
  StaleTables,
  type ProxySettings,
} from '../proxy/index.js';
import { AgentServices } from './agent-services.js';
import { AddressBook, observeKind, type ObservedState } from './address-book.js';
import { dummyInterface, hostInterfaces, hostRoutes } from './interfaces/interfaces.js';
import { hostInterfaces6, hostRoutes6 } from './interfaces/interfaces6.js';
import { kindnetRules } from './interfaces/kindnet-rules.js';
import { gatewayOf } from './interfaces/routes.js';
import { OutsideFlows } from './tracks/outside-flows.js';
import { SecondFamily } from './interfaces/second-family.js';
import { nodeServer, type NodeSettings } from './servers/node-servers.js';
import { isStale } from './tracks/stale-tracks.js';
import { withNetworkFaults } from './faults/faults.js';
import { walkWay, type Sender, type Way } from './walk/way.js';
import type { Surroundings } from './walk/world-view.js';

const PROXY_CONFIG = { namespace: 'kube-system', name: 'kube-proxy' };
const ZONE = 'topology.kubernetes.io/zone';
/** Nodes whose rules are kept at once. */
const MAX_RULESETS = 256;

/** What a node's rules are made from. */
interface RuleSources {
  readonly node: Node;
  readonly settings: ProxySettings;
  /** Undefined: its proxy has never synced. */
  readonly services: ServiceTable | undefined;
  /** Those that portmap has written. */
  readonly ports: ChainRules;
  /** What the network's agent goes by. */
  readonly network: NodeNetwork | undefined;
  readonly pools: readonly IPPool[];
  readonly serviceCIDRs: readonly string[];
}

interface KnownRuleset extends RuleSources {
  readonly rules: Ruleset;
}

/** The network of one cluster. It follows the state: nothing is computed before a packet goes its way. */
export class ClusterNetwork {
  readonly book: AddressBook;
  /** What has come from outside lately. */
  readonly outside = new OutsideFlows();
  private readonly services: ServiceTable;
  private readonly ports = new HostPorts();
  private readonly stale: StaleTables;
  private readonly rulesets = new Map<string, KnownRuleset>();
  private config: { readonly map: ConfigMap | undefined; readonly settings: ProxySettings } | undefined;
  private ranges: readonly string[] | undefined;
  private six: SecondFamily | undefined;
  private readonly surroundings: Surroundings;

  constructor(
    private readonly state: ObservedState,
    private readonly servers: Pick<NodeSettings, 'issuer' | 'kubeletPort'> = {},
  ) {
    const book = (this.book = new AddressBook(state));
    this.stale = new StaleTables(state);
    const services = (this.services = new ServiceTable((endpoint, namespace) => this.readySince(endpoint, namespace)));
    const agents = new AgentServices(services);
    observeKind(state, Services, (old, next) => services.putService(old, next));
    observeKind(state, Pods, (old, next) => this.ports.onPod(old, next));
    observeKind(state, EndpointSlices, (old, next) => services.putSlice(old, next));
    observeKind(state, ServiceCIDRs, () => (this.ranges = undefined));
    this.surroundings = {
      podAt: (ip) => book.podAt(ip),
      nodeAt: (ip) => book.nodeAt(ip),
      nodeOfRange: (ip) => book.nodeOfRange(ip),
      nodeOf: (pod) => book.nodeOf(pod),
      fabricOf: (node) => fabricOf(networkOf(state, node.metadata.name ?? '')),
      read: state,
      agentServices: (node, now) => agents.of(node, now < state.now ? now : Infinity),
      rulesOf: (node, now, isSixth) => this.rulesOf(node, now, isSixth),
      judge: (packet) => judgePacket(state, packet),
    };
  }

  /**
   * The way of the first packet of a connection. `sourcePort`: tells flows of the same ends apart. `visits`: what the
   * sender remembers.
   */
  send(
    from: Sender,
    to: { readonly address: string; readonly port: number; readonly protocol: Protocol },
    sourcePort: number,
    now: Millis,
    visits?: Visits,
  ): Way {
    const way = walkWay(this.surroundings, { from, ...to, sourcePort, now, visits });
    return withNetworkFaults(this.state, from, way, sourcePort);
  }

  /** The rules of a node, as they are printed and walked. */
  rulesOf(node: Node, now: Millis, is6 = false): Ruleset {
    if (is6) return this.rules6Of(node, now);
    const name = node.metadata.name ?? '';
    const settings = this.settings();
    const network = networkOfNode(this.state, name);
    const ports = network?.hasNoPortMap ? NO_RULES : this.ports.rulesOn(name);
    const services = this.servicesOf(name);
    const pools = this.state.list(IPPools);
    const made = { node, settings, services, ports, network, pools, serviceCIDRs: this.serviceCIDRs() };
    if (now < this.state.now) return makeRules(this.state, made, now);
    const known = this.rulesets.get(name);
    if (known && isSame(known, made)) return known.rules;
    const rules = makeRules(this.state, made, Infinity);
    if (this.rulesets.size >= MAX_RULESETS) this.rulesets.clear();
    this.rulesets.set(name, { ...made, rules });
    return rules;
  }

  /** Those of IPv6: none where the node has no address of it. */
  private rules6Of(node: Node, now: Millis): Ruleset {
    if (secondIPOf(node) === '') return EMPTY_RULESET;
    this.six ??= new SecondFamily(this.state, (endpoint, namespace) => this.readySince(endpoint, namespace));
    return this.six.rulesOf(node, this.settings(), now);
  }

  /** kube-proxy's configuration. */
  settings(): ProxySettings {
    const map = this.state.get(ConfigMaps, PROXY_CONFIG);
    if (this.config?.map !== map || !this.config) this.config = { map, settings: readSettings(map) };
    return this.config.settings;
  }

  /** IPv4 ranges; the same list while they are the same. */
  private serviceCIDRs(): readonly string[] {
    this.ranges ??= this.state
      .list(ServiceCIDRs)
      .flatMap(({ spec }) => spec?.cidrs ?? [])
      .filter((cidr) => cidr.includes('.'));
    return this.ranges;
  }

  interfacesOf(node: Node): readonly NetworkInterface[] {
    const own =
      nodeInterfacesOf(this.viewOf(node)) ?? hostInterfaces6(node, hostInterfaces(node, this.podsBehind(node)));
    const { ipvs } = this.rulesOf(node, this.state.now);
    if (!ipvs) return own;
    const dummy = dummyInterface(ipvs, own.length + 1);
    const second = this.rulesOf(node, this.state.now, true).ipvs;
    if (!second) return [...own, dummy];
    const { addresses } = dummyInterface(second, dummy.index);
    return [...own, { ...dummy, addresses: [...dummy.addresses, ...addresses] }];
  }

  routesOf(node: Node): readonly Route[] {
    return nodeRoutesOf(this.viewOf(node)) ?? hostRoutes(node, this.podsBehind(node), this.state.list(Nodes));
  }

  routes6Of(node: Node): readonly Route[] {
    const view = this.viewOf(node);
    return nodeRoutesOf(view) ? hostRoutes6(node, [], []) : hostRoutes6(node, view.pods, view.nodes);
  }

  neighboursOf(node: Node): readonly Neighbour[] {
    return neighboursOf(this.viewOf(node));
  }

  private viewOf(node: Node): NodeView {
    return { read: this.state, node, pods: this.podsBehind(node), nodes: this.state.list(Nodes) };
  }

  /** A server of a node's own: of kube-proxy, the kubelet, a component of the control plane. */
  hostServer(node: Node, port: number, _now: Millis, isLocal: boolean): Remote | undefined {
    const own = nodeServer(this.state, node, port, isLocal, {
      ...this.servers,
      proxyMode: this.settings().mode,
    });
    if (own) return own;
    if (this.state.get(ProxyRuntimes, { namespace: '', name: node.metadata.name ?? '' })) return undefined;
    const answer = checkHealth(this.services, node.metadata.name ?? '', port);
    return answer && new HttpRemote({ port, serve: answer });
  }

  /**
   * Whether kube-proxy has taken datagrams to a Service out of a node's table, because their endpoint serves no more.
   * Models pkg/proxy/conntrack CleanStaleEntries.
   */
  isCleared({ protocol, passed }: Track): boolean {
    return protocol === 'udp' && passed.some((passing) => isStale(this.servicesTo(passing), passing));
  }

  private servicesTo({ at, from }: Passing): ServiceTable | undefined {
    return isSixth(from.destination) ? this.six?.servicesOf(at) : this.servicesOf(at);
  }

  private podsBehind(node: Node): readonly Pod[] {
    return this.state
      .byIndex(Pods, 'unfinishedByNode', node.metadata.name ?? '')
      .filter((pod) => !pod.spec.hostNetwork && pod.status.podIP);
  }

  /** What a node's proxy knows: the state, or what it knew when it ended; undefined: it has never synced. */
  private servicesOf(node: string): ServiceTable | undefined {
    const stopped = this.state.get(ProxyRuntimes, { namespace: '', name: node });
    return stopped ? this.stale.find(stopped.snapshot) : this.services;
  }

  private readySince({ targetRef }: Endpoint, namespace: string): Millis {
    if (targetRef?.kind !== 'Pod') return -Infinity;
    const pod: Pod | undefined = this.state.get(Pods, { namespace, name: targetRef.name ?? '' });
    const ready = pod?.status.conditions?.find(({ type }) => type === 'Ready');
    return ready?.lastTransitionTime ? parseTimestamp(ready.lastTransitionTime) : -Infinity;
  }
}

const isSame = (a: RuleSources, b: RuleSources): boolean =>
  a.node === b.node &&
  a.settings === b.settings &&
  a.services === b.services &&
  a.ports === b.ports &&
  a.network === b.network &&
  a.pools === b.pools &&
  a.serviceCIDRs === b.serviceCIDRs;

function makeRules(read: Reader, { node, services, settings, ports, serviceCIDRs }: RuleSources, at: Millis): Ruleset {
  const { name = '', labels = {} } = node.metadata;
  const gateway = gatewayOf(node.spec?.podCIDR ?? '');
  const own = { name, ip: internalIPOf(node), zone: labels[ZONE] ?? '', ...(gateway ? { gateway } : {}) };
  const others = networkRules(read, node) ?? kindnetRules(settings.clusterCIDR);
  const nat = mergeRules(ports, others.nat);
  return nodeRuleset({ services, node: own, settings, at, serviceCIDRs }, { ...others, nat });
}
