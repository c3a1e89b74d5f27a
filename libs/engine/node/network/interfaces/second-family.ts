import type { Node } from '../../../api/core_v1.js';
import type { Endpoint } from '../../../api/discovery_v1.js';
import type { Ruleset } from '../../../kernel/netfilter/index.js';
import { EndpointSlices, ProxyRuntimes, ServiceCIDRs, Services } from '../../../kinds/index.js';
import type { Millis } from '../../../machinery/time/time.js';
import { isSixth, secondGatewayOf, secondIPOf, secondRangeOf } from '../../dualstack/addresses.js';
import { nodeRuleset, ServiceTable, StaleTables, type ProxySettings } from '../../proxy/index.js';
import { observeKind, type ObservedState } from '../address-book.js';
import { kindnetRules6 } from './kindnet-rules.js';

const ZONE = 'topology.kubernetes.io/zone';
/** Nodes whose rules are kept at once. */
const MAX_RULESETS = 256;

interface Known {
  readonly node: Node;
  readonly settings: ProxySettings;
  readonly services: ServiceTable | undefined;
  readonly serviceCIDRs: readonly string[];
  readonly rules: Ruleset;
}

/** What nodes hold for IPv6: made when the first packet of it is sent, or somebody looks; then it follows the state. */
export class SecondFamily {
  private readonly services: ServiceTable;
  private readonly stale: StaleTables;
  private readonly rulesets = new Map<string, Known>();
  private ranges: readonly string[] | undefined;
  private settings: { readonly of: ProxySettings; readonly own: ProxySettings } | undefined;

  constructor(
    private readonly state: ObservedState,
    readySince: (endpoint: Endpoint, namespace: string) => Millis,
  ) {
    const services = (this.services = new ServiceTable(readySince, 'IPv6'));
    this.stale = new StaleTables(state, 'IPv6');
    observeKind(state, Services, (old, next) => services.putService(old, next));
    observeKind(state, EndpointSlices, (old, next) => services.putSlice(old, next));
    observeKind(state, ServiceCIDRs, () => (this.ranges = undefined));
  }

  /** What a node's proxy knows. */
  servicesOf(node: string): ServiceTable | undefined {
    const stopped = this.state.get(ProxyRuntimes, { namespace: '', name: node });
    return stopped ? this.stale.find(stopped.snapshot) : this.services;
  }

  rulesOf(node: Node, given: ProxySettings, now: Millis): Ruleset {
    const { name = '' } = node.metadata;
    const services = this.servicesOf(name);
    const settings = this.settingsOf(given);
    const made = { node, settings, services, serviceCIDRs: this.serviceCIDRs() };
    if (now < this.state.now) return makeRules(made, now);
    const known = this.rulesets.get(name);
    if (known && isSame(known, made)) return known.rules;
    const rules = makeRules(made, Infinity);
    if (this.rulesets.size >= MAX_RULESETS) this.rulesets.clear();
    this.rulesets.set(name, { ...made, rules });
    return rules;
  }

  private serviceCIDRs(): readonly string[] {
    this.ranges ??= this.state
      .list(ServiceCIDRs)
      .flatMap(({ spec }) => spec?.cidrs ?? [])
      .filter(isSixth);
    return this.ranges;
  }

  /** The pods' range of this family in the place of the other's; the same while they are the same. */
  private settingsOf(given: ProxySettings): ProxySettings {
    if (this.settings?.of !== given) {
      const { clusterCIDR6, ...rest } = given;
      this.settings = { of: given, own: { ...rest, clusterCIDR: clusterCIDR6 } };
    }
    return this.settings.own;
  }
}

const isSame = (a: Known, b: Omit<Known, 'rules'>): boolean =>
  a.node === b.node && a.settings === b.settings && a.services === b.services && a.serviceCIDRs === b.serviceCIDRs;

function makeRules({ node, services, settings, serviceCIDRs }: Omit<Known, 'rules'>, at: Millis): Ruleset {
  const { name = '', labels = {} } = node.metadata;
  const range = secondRangeOf(node);
  const gateway = range === undefined ? {} : { gateway: secondGatewayOf(range) };
  const own = { name, ip: secondIPOf(node), zone: labels[ZONE] ?? '', ...gateway };
  const view = { services, node: own, settings, at, serviceCIDRs, isSixth: true } as const;
  return nodeRuleset(view, kindnetRules6(settings.clusterCIDR));
}
