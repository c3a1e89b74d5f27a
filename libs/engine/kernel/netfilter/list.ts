import { printMark, printPorts, WHOLE_6 } from './print.js';
import type { AddressMatch, Chain, Match, Rule, Table, Target } from './rule.js';

export interface ListOptions {
  /** -n: addresses as numbers. */
  readonly isNumeric: boolean;
  /** -v: counters and interfaces. */
  readonly isVerbose: boolean;
  /** --line-numbers. */
  readonly isNumbered: boolean;
  /** Of IPv6. */
  readonly isSixth?: boolean;
}

/** What `iptables -t TABLE -L [CHAIN]` prints. Models iptables/iptables.c print_firewall. */
export function listTable(table: Table, options: ListOptions, only?: string): string {
  const chains = table.chains();
  const references = countReferences(chains);
  return chains
    .filter(({ name }) => only === undefined || name === only)
    .map((chain) => listChain(chain, references.get(chain.name) ?? 0, options))
    .join('\n');
}

function countReferences(chains: readonly Chain[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const chain of chains)
    for (const { target } of chain.rules())
      if (target?.type === 'jump') counts.set(target.chain, (counts.get(target.chain) ?? 0) + 1);
  return counts;
}

function listChain(chain: Chain, references: number, options: ListOptions): string {
  const counters = options.isVerbose ? ' 0 packets, 0 bytes' : '';
  const state = chain.policy ? `policy ${chain.policy}${counters}` : `${references} references`;
  const number = options.isNumbered ? 'num  ' : '';
  const head = options.isVerbose
    ? `${number} pkts bytes target     prot opt in     out     source               destination         `
    : `${number}target     prot opt source               destination         `;
  const rules = chain.rules().map((rule, i) => {
    const line = listRule(rule, options);
    return `${options.isNumbered ? String(i + 1).padEnd(5) : ''}${line}`;
  });
  return `Chain ${chain.name} (${state})\n${[head, ...rules].map((line) => `${line}\n`).join('')}`;
}

function listRule(rule: Rule, { isNumeric, isVerbose, isSixth = false }: ListOptions): string {
  const { protocol, input, output, source, destination, matches, target } = rule;
  const counters = isVerbose ? '    0     0 ' : '';
  const ways = isVerbose ? `${wayOf(input)}${wayOf(output)}` : '';
  return [
    `${counters}${nameOf(target).padEnd(9)} ${protocol?.isNot ? '!' : ' '}${(protocol?.name ?? 'all').padEnd(5)}-- ${ways}`,
    `${addressOf(source, isNumeric, isSixth)}${addressOf(destination, isNumeric, isSixth)}`,
    ...matches.map(describeMatch),
    describeTarget(target),
  ].join('');
}

const nameOf = (target: Target | undefined): string =>
  target === undefined ? '' : target.type === 'jump' ? target.chain : target.type;

const wayOf = (match: Rule['input']): string => `${match?.isNot ? '!' : ' '}${(match?.name ?? '*').padEnd(6)} `;

function addressOf(match: AddressMatch | undefined, isNumeric: boolean, isSixth: boolean): string {
  const all = isSixth ? '::/0' : '0.0.0.0/0';
  const text = match ? match.prefix.text.replace(/\/(?:32|128)$/, '') : isNumeric ? all : 'anywhere';
  return `${match?.isNot ? '!' : ' '}${text.padEnd(19)} `;
}

/** Each begins with a space. */
function describeMatch(match: Match): string {
  const turned = 'isNot' in match && match.isNot ? '! ' : '';
  switch (match.type) {
    case 'comment':
      return ` /* ${match.text} */`;
    case 'tcp':
    case 'udp':
    case 'sctp': {
      const ports = [
        match.sport && `spt${describePorts(match.sport)}`,
        match.dport && `dpt${describePorts(match.dport)}`,
      ];
      return [` ${match.type}`, ...ports.filter((one) => one !== undefined)].join(' ');
    }
    case 'multiport':
      return ` multiport ${match.side} ${turned}${match.ports.map(printPorts).join(',')}`;
    case 'mark':
      return ` mark match ${turned}${printMark(match.value, match.mask)}`;
    case 'conntrack':
      return ` ${turned}ctstate ${match.states.join(',')}`;
    case 'statistic':
      return ` statistic mode random probability ${match.probability.toFixed(11)}`;
    case 'recent': {
      const age = match.seconds === undefined ? '' : ` seconds: ${match.seconds} reap`;
      return ` recent: ${match.mode === 'set' ? 'SET' : 'CHECK'}${age} name: ${match.name} side: source mask: ${match.isSixth ? WHOLE_6 : '255.255.255.255'}`;
    }
    case 'addrtype':
      return ` ADDRTYPE match ${match.side}-type ${match.isNot ? '!' : ''}${match.kind}`;
    case 'set':
      return ` ${turned}match-set ${match.name} ${match.flags.join(',')}`;
    case 'physdev':
      return ` PHYSDEV match ${turned}--physdev-${match.side}`;
    case 'ipvs':
      return ` vaddr ${turned}${match.address} vproto ${match.protocol} vport ${match.port}`;
  }
}

const describePorts = ([first, last]: readonly [number, number]): string =>
  first === last ? `:${first}` : `s:${first}:${last}`;

function describeTarget(target: Target | undefined): string {
  switch (target?.type) {
    case 'DNAT':
    case 'SNAT':
      return ` to:${target.to}`;
    case 'REJECT':
      return ` reject-with ${target.with}`;
    case 'MASQUERADE':
      return target.isRandom ? ' random-fully' : '';
    case 'MARK': {
      const value = `0x${target.value.toString(16)}`;
      if (target.value === 0) return ` MARK and 0x${(~target.mask >>> 0).toString(16)}`;
      if (target.value === target.mask) return ` MARK or ${value}`;
      if (target.mask === 0) return ` MARK xor ${value}`;
      return target.mask === 0xffffffff ? ` MARK set ${value}` : ` MARK xset ${value}/0x${target.mask.toString(16)}`;
    }
    default:
      return '';
  }
}
