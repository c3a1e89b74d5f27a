import type { Hook } from '../rule.js';
import type { NftChain, NftElement, NftMap, NftRule, NftSet, NftStatement, NftTable, NftVerdict } from './table.js';

const TAB = '\t';
/** Elements of a line, of addresses; those of several fields have a line each. */
const PER_LINE = 2;
const NEXT_LINE = `,\n${TAB.repeat(3)}     `;

/** What `nft list table` prints. Models nftables' table_print. */
export function listNftTable(table: NftTable): string {
  const parts = [...table.collections().map(printCollection), ...table.chains().map(printChain)];
  const text = inFamily(table, parts.join('\n'));
  return `table ${table.family} ${table.name} {\n${TAB}comment "${table.comment}"\n\n${text}}\n`;
}

/** What `nft list chain`, `list set` and `list map` print: the table with this one alone. */
export const wrapNft = (table: NftTable, part: string): string =>
  `table ${table.family} ${table.name} {\n${inFamily(table, part)}}\n`;

/** Fields and types of a table are called by its family. */
const inFamily = ({ family }: NftTable, text: string): string =>
  family === 'ip'
    ? text
    : text
        .replaceAll(' ip daddr', ' ip6 daddr')
        .replaceAll(' ip saddr', ' ip6 saddr')
        .replaceAll('\tip daddr', '\tip6 daddr')
        .replaceAll('\tip saddr', '\tip6 saddr')
        .replaceAll('ipv4_addr', 'ipv6_addr');

const block = (head: string, lines: readonly string[]): string =>
  [`${TAB}${head} {`, ...lines.map((line) => `${TAB}${TAB}${line}`), `${TAB}}`].map((line) => `${line}\n`).join('');

export const printCollection = (one: NftSet | NftMap): string => ('keyType' in one ? printMap(one) : printSet(one));

function printSet(set: NftSet): string {
  const elements = set.elements();
  return block(`set ${set.name}`, [
    'type ipv4_addr',
    ...(set.timeout === undefined ? [] : ['size 65535', 'flags dynamic,timeout', `timeout ${printTime(set.timeout)}`]),
    ...(set.comment === undefined ? [] : [`comment "${set.comment}"`]),
    ...(elements.length === 0 ? [] : [`elements = { ${joinAddresses(elements)} }`]),
  ]);
}

const joinAddresses = (elements: readonly string[]): string =>
  elements.map((one, i) => (i === 0 ? one : `${i % PER_LINE === 0 ? NEXT_LINE : ', '}${one}`)).join('');

function printMap(map: NftMap): string {
  const elements = map.elements();
  return block(`map ${map.name}`, [
    `type ${map.keyType} : verdict`,
    `comment "${map.comment}"`,
    ...(elements.length === 0 ? [] : [`elements = { ${elements.map(printElement).join(NEXT_LINE)} }`]),
  ]);
}

const printElement = ({ key, comment, verdict }: NftElement): string =>
  `${key}${comment === undefined ? '' : ` comment "${comment}"`} : ${printVerdict(verdict)}`;

/** '3h', '1d2h3m4s'. */
export function printTime(seconds: number): string {
  const parts: readonly (readonly [string, number])[] = [
    ['d', Math.floor(seconds / 86_400)],
    ['h', Math.floor(seconds / 3_600) % 24],
    ['m', Math.floor(seconds / 60) % 60],
    ['s', seconds % 60],
  ];
  const text = parts.map(([unit, value]) => (value === 0 ? '' : `${value}${unit}`)).join('');
  return text === '' ? '0s' : text;
}

export function printChain({ name, comment, base, rules }: NftChain): string {
  return block(`chain ${name}`, [
    ...(comment === undefined ? [] : [`comment "${comment}"`]),
    ...(base ? [printBase(base)] : []),
    ...rules.map(printNftRule),
  ]);
}

function printBase({ type, hook, priority }: NonNullable<NftChain['base']>): string {
  return `type ${type} hook ${hook.toLowerCase()} priority ${printPriority(priority, hook)}; policy accept;`;
}

/** Priorities that have a name, and where: dstnat before routing only. */
const NAMES: readonly (readonly [string, number, Hook | undefined])[] = [
  ['filter', 0, undefined],
  ['dstnat', -100, 'PREROUTING'],
  ['srcnat', 100, 'POSTROUTING'],
];

/** 'filter', 'dstnat - 10', or the number. Models nftables' prio2str. */
export function printPriority(priority: number, hook: Hook): string {
  const found = NAMES.find(([, near, at]) => Math.abs(priority - near) <= 10 && (at === undefined || at === hook));
  if (!found) return String(priority);
  const [name, near] = found;
  if (priority === near) return name;
  return `${name} ${priority > near ? '+' : '-'} ${Math.abs(priority - near)}`;
}

/** A rule as nft lists it. */
export const printNftRule = ({ statements, comment }: NftRule): string =>
  [...statements.map(printStatement), ...(comment === undefined ? [] : [`comment "${comment}"`])].join(' ');

const hex = (value: number): string => `0x${value.toString(16).padStart(8, '0')}`;

function printStatement(statement: NftStatement): string {
  switch (statement.type) {
    case 'address': {
      const texts = statement.prefixes.map(({ text }) => text.replace(/\/(?:32|128)$/, ''));
      const values = statement.isSet ? `{ ${texts.join(', ')} }` : texts.join(', ');
      return `${statement.field} ${statement.isNot ? '!= ' : ''}${values}`;
    }
    case 'lookup':
      return `${statement.field} @${statement.set}`;
    case 'protocol':
      return `meta l4proto ${statement.protocol}`;
    case 'state':
      return `ct state ${statement.state}`;
    case 'fib':
      return `fib ${statement.side} type local`;
    case 'unmarked':
      return `meta mark & ${hex(statement.mask)} == ${hex(0)}`;
    case 'mark':
      return `meta mark set meta mark ${statement.operation} ${hex(statement.value)}`;
    case 'vmap':
      return `${statement.fields.join(' . ')} vmap @${statement.map}`;
    case 'random': {
      const verdicts = statement.verdicts.map((verdict, i) => `${i} : ${printVerdict(verdict)}`);
      return `numgen random mod ${verdicts.length} vmap { ${verdicts.join(', ')} }`;
    }
    case 'update':
      return `update @${statement.set} { ip saddr }`;
    case 'dnat':
      return `dnat to ${statement.to}`;
    case 'masquerade':
      return 'masquerade fully-random';
    case 'verdict':
      return printVerdict(statement.verdict);
  }
}

const printVerdict = (verdict: NftVerdict): string =>
  'chain' in verdict ? `${verdict.type} ${verdict.chain}` : verdict.type;
