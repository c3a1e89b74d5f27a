import { readSixth } from '../../../servers/lookup.js';
import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Packet } from '../../../../engine/kernel/capture/packet.js';

export type PacketFilter = (packet: Packet) => boolean;

/** Words of one expression, and how deep its parentheses go. */
const MAX_WORDS = 200;
const MAX_DEPTH = 20;
const PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, domain: 53, ssh: 22, postgresql: 5432 };
const PROTOCOLS = ['tcp', 'udp', 'icmp'];

/** Thrown in libpcap's words. */
export class FilterError extends Error {}

const SYNTAX = "can't parse filter expression: syntax error";

/** Reads an expression of pcap-filter: host, net, port and portrange with src and dst, protocols, and, or, not. */
export function parseFilter(words: readonly Bytes[]): PacketFilter {
  const tokens = words
    .join(' ')
    .replaceAll('(', ' ( ')
    .replaceAll(')', ' ) ')
    .replaceAll('!', ' ! ')
    .split(' ')
    .filter((word) => word !== '');
  if (tokens.length === 0) return () => true;
  if (tokens.length > MAX_WORDS) throw new FilterError(SYNTAX);
  const reader: Reader = { tokens, at: 0, depth: 0, last: undefined };
  const filter = readAlternatives(reader);
  if (reader.at < tokens.length) throw new FilterError(SYNTAX);
  return filter;
}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
  depth: number;
  /** The qualifiers before: `port 80 or 443` says `port` once. */
  last: Qualifiers | undefined;
}

interface Qualifiers {
  readonly protocol: string | undefined;
  readonly side: 'src' | 'dst' | undefined;
  readonly kind: string;
}

const peek = ({ tokens, at }: Reader): string | undefined => tokens[at];

function take(reader: Reader): string {
  const word = reader.tokens[reader.at++];
  if (word === undefined) throw new FilterError(SYNTAX);
  return word;
}

function readAlternatives(reader: Reader): PacketFilter {
  const all = [readJoined(reader)];
  while (['or', '||'].includes(peek(reader) ?? '')) {
    reader.at++;
    all.push(readJoined(reader));
  }
  return (packet) => all.some((matches) => matches(packet));
}

function readJoined(reader: Reader): PacketFilter {
  const all = [readOne(reader)];
  while (['and', '&&'].includes(peek(reader) ?? '')) {
    reader.at++;
    all.push(readOne(reader));
  }
  return (packet) => all.every((matches) => matches(packet));
}

function readOne(reader: Reader): PacketFilter {
  const word = peek(reader);
  if (word === 'not' || word === '!' || word === '(') {
    if (++reader.depth > MAX_DEPTH) throw new FilterError(SYNTAX);
    reader.at++;
    const inner = word === '(' ? readAlternatives(reader) : readOne(reader);
    if (word === '(' && take(reader) !== ')') throw new FilterError(SYNTAX);
    reader.depth--;
    return word === '(' ? inner : (packet) => !inner(packet);
  }
  return readPrimitive(reader);
}

function readPrimitive(reader: Reader): PacketFilter {
  let word = take(reader);
  if (word === 'ip') return (packet) => !isSixth(packet);
  if (word === 'ip6') return isSixth;
  if (word === 'icmp6') return (packet) => packet.protocol === 'icmp' && isSixth(packet);
  if (word === 'arp') return () => false;
  const protocol = PROTOCOLS.includes(word) ? word : undefined;
  if (protocol !== undefined) {
    const isAlone = !['src', 'dst', 'port', 'portrange', 'host', 'net'].includes(peek(reader) ?? '');
    if (isAlone) return (packet) => packet.protocol === protocol && !(protocol === 'icmp' && isSixth(packet));
    word = take(reader);
  }
  const side = word === 'src' || word === 'dst' ? word : undefined;
  if (side !== undefined) word = take(reader);
  const kind = ['host', 'net', 'port', 'portrange'].includes(word) ? word : undefined;
  const isBare = kind === undefined && side === undefined && protocol === undefined;
  if (!isBare || reader.last === undefined) reader.last = { protocol, side, kind: kind ?? 'host' };
  return filterOf(reader.last, kind === undefined ? word : take(reader));
}

function filterOf({ protocol, side, kind }: Qualifiers, value: string): PacketFilter {
  const matches = primitive(kind, value);
  return (packet) =>
    (protocol === undefined || packet.protocol === protocol) &&
    ((side !== 'dst' && matches(packet.source, packet.sourcePort, packet)) ||
      (side !== 'src' && matches(packet.destination, packet.destinationPort, packet)));
}

type EndFilter = (address: string, port: number, packet: Packet) => boolean;

function primitive(kind: string, value: string): EndFilter {
  switch (kind) {
    case 'port': {
      const port = readPort(value);
      return (_address, own, { protocol }) => protocol !== 'icmp' && own === port;
    }
    case 'portrange': {
      const [first = '', last = first] = value.split('-');
      const [low, high] = [readPort(first), readPort(last)];
      return (_address, own, { protocol }) => protocol !== 'icmp' && own >= low && own <= high;
    }
    case 'net': {
      const [network = '', bits = '32'] = value.split('/');
      if (!isAddress(network) || !/^\d{1,2}$/.test(bits) || Number(bits) > 32) throw new FilterError(SYNTAX);
      const [start, unit] = [numberOf(network), 2 ** (32 - Number(bits))];
      return (address) => Math.floor(numberOf(address) / unit) === Math.floor(start / unit);
    }
    default: {
      const wanted = isAddress(value) ? value : readSixth(value);
      if (wanted === undefined) throw new FilterError(`unknown host '${value}'`);
      return (address) => address === wanted;
    }
  }
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : PORTS[text];
  if (port === undefined) throw new FilterError(`unknown port '${text}'`);
  if (port > 65_535) throw new FilterError(`illegal port number ${port} > 65535`);
  return port;
}

const isSixth = ({ source }: Packet): boolean => source.includes(':');
const isAddress = (text: string): boolean => /^\d{1,3}(\.\d{1,3}){3}$/.test(text);
const numberOf = (address: string): number => address.split('.').reduce((total, part) => total * 256 + Number(part), 0);
