import type { CiliumPolicyObject } from '../../cni/cilium/objects.js';
import { parseIPBlock } from '../ip-blocks.js';
import type { Direction, HttpMatch, Protocol } from '../packet.js';
import { fieldsOf, isThere, listOf, textOf, textsOf, type Fields } from './fields.js';
import { findMistake } from './mistakes.js';
import type { CiliumRule, Item, Part, PeerMatch, PortMatch } from './rule.js';
import { peerOf, plainTest, subjectOf } from './selector.js';

/** By direction, how the fields of an item begin: 'fromEndpoints', 'toEndpoints'. */
const PREFIX: Readonly<Record<Direction, 'from' | 'to'>> = { ingress: 'from', egress: 'to' };
/** Those that name somebody, whom nothing here has: groups of a cloud, names outside, and labels of nodes. */
const NOBODY: readonly string[] = ['Groups', 'FQDNs', 'Nodes'];

/** The rules of a CiliumNetworkPolicy or a CiliumClusterwideNetworkPolicy; none of one that is not valid. */
export function readCiliumPolicy(policy: CiliumPolicyObject): readonly CiliumRule[] {
  if (findMistake(policy) !== undefined) return [];
  const { namespace = '', name = '' } = policy.metadata;
  const kind = namespace === '' ? 'CiliumClusterwideNetworkPolicy' : 'CiliumNetworkPolicy';
  const key = namespace === '' ? name : `${namespace}/${name}`;
  return (
    [...(policy.spec ? [policy.spec] : []), ...(policy.specs ?? [])]
      // What is about nodes is the host firewall's, which is off.
      .filter((rule) => rule['endpointSelector'] !== undefined)
      .map((rule) => ({
        ...{ kind, key },
        subject: subjectOf(rule['endpointSelector'], namespace),
        ingress: readPart(rule, 'ingress', namespace),
        egress: readPart(rule, 'egress', namespace),
      }))
  );
}

function readPart(rule: Fields, direction: Direction, namespace: string): Part {
  const items = (name: string): Item[] =>
    listOf(rule[name]).map((item, place) => readItem(fieldsOf(item), direction, namespace, place));
  const [allow, deny] = [items(direction), items(`${direction}Deny`)];
  const asked = fieldsOf(rule['enableDefaultDeny'])[direction];
  return { allow, deny, closes: typeof asked === 'boolean' ? asked : allow.length + deny.length > 0 };
}

function readItem(item: Fields, direction: Direction, namespace: string, place: number): Item {
  const to = PREFIX[direction];
  const field = (name: string): unknown => item[`${to}${name}`];
  const named = ['Endpoints', 'Entities', 'CIDR', 'CIDRSet', 'Services', ...NOBODY].some((name) =>
    isThere(field(name)),
  );
  const peers: PeerMatch[] = [
    ...listOf(field('Endpoints')).map((one): PeerMatch => ({ type: 'labels', test: peerOf(one, namespace) })),
    ...textsOf(field('Entities')).map((name): PeerMatch => ({ type: 'entity', name })),
    ...textsOf(field('CIDR')).flatMap((cidr) => blockOf(cidr)),
    ...listOf(field('CIDRSet')).flatMap((one) => readCIDRRule(fieldsOf(one))),
    ...listOf(field('Services')).flatMap((one) => readService(fieldsOf(one))),
  ];
  return {
    place,
    peers: named ? peers : undefined,
    requires: listOf(field('Requires')).map((one) => peerOf(one, namespace)),
    ports: readPorts(item),
  };
}

const blockOf = (cidr: string, except: readonly string[] = []): PeerMatch[] => {
  const block = parseIPBlock(cidr.includes('/') ? cidr : `${cidr}/${cidr.includes(':') ? 128 : 32}`, except);
  return block ? [{ type: 'cidr', block }] : [];
};

function readCIDRRule(rule: Fields): PeerMatch[] {
  const except = textsOf(rule['except']);
  if (textOf(rule['cidr']) !== '') return blockOf(textOf(rule['cidr']), except);
  const wanted = textOf(rule['cidrGroupRef']);
  if (wanted !== '') return [{ type: 'group', test: (name) => name === wanted, except }];
  if (rule['cidrGroupSelector'] === undefined) return [];
  const test = plainTest(rule['cidrGroupSelector']);
  return [{ type: 'group', test: (_name, labels) => test(labels), except }];
}

/** Services by their names, or by their labels. */
function readService(one: Fields): PeerMatch[] {
  const { k8sService, k8sServiceSelector } = one;
  const of = fieldsOf(k8sService ?? k8sServiceSelector);
  const wanted = textOf(of['namespace']);
  const isIn = (namespace: string): boolean => wanted === '' || wanted === namespace;
  if (k8sService !== undefined)
    return [
      { type: 'service', isMeant: ({ namespace, name }) => isIn(namespace) && name === textOf(of['serviceName']) },
    ];
  if (k8sServiceSelector === undefined) return [];
  const test = plainTest(of['selector']);
  return [{ type: 'service', isMeant: ({ namespace, labels }) => isIn(namespace) && test(labels) }];
}

/** Undefined: all ports. Rules of ICMP are about no port. */
function readPorts(item: Fields): readonly PortMatch[] | undefined {
  const all = listOf(item['toPorts']).map(fieldsOf);
  if (all.length === 0) return listOf(item['icmps']).length === 0 ? undefined : [];
  // Without ports it is about all of them.
  if (all.some(({ ports }) => listOf(ports).length === 0)) return [{ port: 0, end: 0, protocol: 'ANY' }];
  return all.flatMap(({ ports, rules }) =>
    listOf(ports).map((one): PortMatch => {
      const http = listOf(fieldsOf(rules)['http']).map((rule) => readHttp(fieldsOf(rule)));
      const { port, endPort, protocol } = fieldsOf(one);
      const text = textOf(port);
      const number = /^\d{1,5}$/.test(text) ? Number(text) : undefined;
      return {
        port: number ?? text,
        end: typeof endPort === 'number' && endPort > (number ?? 0) ? endPort : (number ?? 0),
        protocol: (textOf(protocol) || 'ANY') as Protocol | 'ANY',
        ...(http.length === 0 ? {} : { http }),
      };
    }),
  );
}

/** Headers are written 'Name: value', or as a name alone. */
function readHttp(rule: Fields): HttpMatch {
  const written = textsOf(rule['headers']).map((text): readonly [string, string | undefined] => {
    const colon = text.search(/[: ]/);
    if (colon < 0) return [text.toLowerCase(), undefined];
    return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()];
  });
  const matches = listOf(rule['headerMatches']).map((one): readonly [string, string | undefined] => {
    const { name, value } = fieldsOf(one);
    return [textOf(name).toLowerCase(), typeof value === 'string' ? value : undefined];
  });
  return {
    ...{ method: textOf(rule['method']), path: textOf(rule['path']), host: textOf(rule['host']) },
    headers: [...written, ...matches],
  };
}
