/** An interpreter of `ipset save` for the specs, which shares nothing with the walk. */
import type { Packet } from '../rule.js';

/** Members of sets, by name. */
export type SavedSets = ReadonlyMap<string, readonly string[]>;

export function readSets(text: string): SavedSets {
  const sets = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [verb, name = '', member = ''] = line.split(' ');
    if (verb === 'create') sets.set(name, []);
    if (verb === 'add') sets.get(name)!.push(member);
  }
  return sets;
}

const number = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

export function isInCidr(cidr: string, ip: string): boolean {
  const [base = '', bits = '32'] = cidr.split('/');
  const size = 2 ** (32 - Number(bits));
  return Math.floor(number(base) / size) === Math.floor(number(ip) / size);
}

/** '--match-set NAME FLAGS' */
export const judgeSet = (sets: SavedSets, name: string, flags: string, packet: Packet): boolean =>
  (sets.get(name) ?? []).some((member) => {
    const sides = flags.split(',');
    return member.split(',').every((part, i) => judgePart(part, sides[i]!, packet));
  });

function judgePart(part: string, side: string, packet: Packet): boolean {
  if (part.includes('.')) return isInCidr(part, side === 'src' ? packet.source : packet.destination);
  const port = side === 'src' ? packet.sourcePort : packet.destinationPort;
  return part === String(port) || part === `${packet.protocol}:${port}`;
}
