import { parsePrefix, type Prefix } from '../../../machinery/net/netip.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { parseSelector, type Selector } from './selector.js';

export type CalicoAction = 'Allow' | 'Deny' | 'Log' | 'Pass';
export type PortMatch = { readonly from: number; readonly to: number } | { readonly named: string };

/** One side of a rule. */
export interface Entity {
  readonly selector?: Selector;
  readonly notSelector?: Selector;
  readonly namespaces?: Selector;
  readonly accountNames?: readonly string[];
  readonly accounts?: Selector;
  readonly nets?: readonly Prefix[];
  readonly notNets?: readonly Prefix[];
  readonly ports?: readonly PortMatch[];
  readonly notPorts?: readonly PortMatch[];
}

export interface CalicoRule {
  readonly action: CalicoAction;
  readonly protocol?: string;
  readonly notProtocol?: string;
  readonly source: Entity;
  readonly destination: Entity;
  /** Of another family of addresses, or with parts that only a proxy judges: it matches nothing. */
  readonly isNever?: true;
}

export interface CalicoPolicy {
  readonly kind: 'CalicoNetworkPolicy' | 'GlobalNetworkPolicy';
  /** Without the name of its tier. */
  readonly name: string;
  readonly namespace: string;
  readonly tier: string;
  /** Infinity: after all others. */
  readonly order: number;
  readonly selector: Selector;
  readonly namespaces?: Selector;
  readonly accounts?: Selector;
  /** Undefined: it says nothing of that direction. */
  readonly ingress: readonly CalicoRule[] | undefined;
  readonly egress: readonly CalicoRule[] | undefined;
}

/** Rules of a policy, and items of a list in one. */
const MAX_ITEMS = 200;
const NOBODY: Selector = () => false;

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : []);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** One that cannot be read selects nothing. */
const selectorOf = (value: unknown): Selector | undefined =>
  isText(value) ? (parseSelector(value) ?? NOBODY) : undefined;

/** Reads an object of crd.projectcalico.org/v1. Models felix/calc, to which no `types` mean Ingress. */
export function readCalicoPolicy(object: KubeObject): CalicoPolicy {
  const spec = fieldsOf((object as { readonly spec?: unknown }).spec);
  const tier = isText(spec['tier']) ? spec['tier'] : 'default';
  const { name = '', namespace = '' } = object.metadata;
  const types = listOf(spec['types']);
  const governs = (type: string): boolean => (types.length === 0 ? type === 'Ingress' : types.includes(type));
  // Those for interfaces of nodes are not about pods.
  const isForHosts = spec['preDNAT'] === true || spec['doNotTrack'] === true;
  const [namespaces, accounts] = [selectorOf(spec['namespaceSelector']), selectorOf(spec['serviceAccountSelector'])];
  return {
    kind: namespace === '' ? 'GlobalNetworkPolicy' : 'CalicoNetworkPolicy',
    name: name.startsWith(`${tier}.`) ? name.slice(tier.length + 1) : name,
    namespace,
    tier,
    order: typeof spec['order'] === 'number' ? spec['order'] : Infinity,
    selector: isForHosts ? NOBODY : (selectorOf(spec['selector']) ?? (() => true)),
    ...(namespaces && namespace === '' ? { namespaces } : {}),
    ...(accounts ? { accounts } : {}),
    ingress: governs('Ingress') ? listOf(spec['ingress']).flatMap(readRule) : undefined,
    egress: governs('Egress') ? listOf(spec['egress']).flatMap(readRule) : undefined,
  };
}

const ACTIONS: readonly string[] = ['Allow', 'Deny', 'Log', 'Pass'];
const NUMBERS: Readonly<Record<number, string>> = { 1: 'ICMP', 6: 'TCP', 17: 'UDP', 58: 'ICMPV6', 132: 'SCTP' };

function readRule(value: unknown): CalicoRule[] {
  const rule = fieldsOf(value);
  if (!ACTIONS.includes(String(rule['action']))) return [];
  const { protocol, notProtocol } = rule;
  const names = fieldsOf(rule['destination'])['services'];
  const isNever = rule['ipVersion'] === 6 || rule['http'] !== undefined || names !== undefined;
  return [
    {
      action: rule['action'] as CalicoAction,
      ...(protocol === undefined ? {} : { protocol: protocolOf(protocol) }),
      ...(notProtocol === undefined ? {} : { notProtocol: protocolOf(notProtocol) }),
      source: readEntity(rule['source']),
      destination: readEntity(rule['destination']),
      ...(isNever ? { isNever } : {}),
    },
  ];
}

const protocolOf = (value: unknown): string =>
  typeof value === 'number' ? (NUMBERS[value] ?? String(value)) : String(value).toUpperCase();

function readEntity(value: unknown): Entity {
  const { selector, notSelector, namespaceSelector, serviceAccounts, nets, notNets, ports, notPorts } = fieldsOf(value);
  const { names, selector: accountSelector } = fieldsOf(serviceAccounts);
  const accounts = selectorOf(accountSelector);
  const [own, not, namespaces] = [selectorOf(selector), selectorOf(notSelector), selectorOf(namespaceSelector)];
  return {
    ...(own ? { selector: own } : {}),
    ...(not ? { notSelector: not } : {}),
    ...(namespaces ? { namespaces } : {}),
    ...(listOf(names).length > 0 ? { accountNames: listOf(names).map(String) } : {}),
    ...(accounts ? { accounts } : {}),
    ...(nets === undefined ? {} : { nets: prefixesOf(nets) }),
    ...(notNets === undefined ? {} : { notNets: prefixesOf(notNets) }),
    ...(ports === undefined ? {} : { ports: portsOf(ports) }),
    ...(notPorts === undefined ? {} : { notPorts: portsOf(notPorts) }),
  };
}

const prefixesOf = (value: unknown): Prefix[] =>
  listOf(value).flatMap((one) => (typeof one === 'string' ? (parsePrefix(one) ?? []) : []));

/** 80, '80', '8000:8080' or a port's name. */
function portsOf(value: unknown): PortMatch[] {
  return listOf(value).flatMap((one): PortMatch[] => {
    if (typeof one === 'number') return [{ from: one, to: one }];
    if (typeof one !== 'string') return [];
    const [, from, to = from] = /^(\d+)(?::(\d+))?$/.exec(one) ?? [];
    return from === undefined ? [{ named: one }] : [{ from: Number(from), to: Number(to) }];
  });
}
