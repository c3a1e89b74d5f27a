import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { endOf, placeOf, type Store } from './store.js';

/** A consumer that is connected; it belongs to a group unless its partition was named. */
export type Member = {
  id: Bytes;
  client: Bytes;
  address: Bytes;
  group: Bytes;
  topic: Bytes;
  /** Its partitions, and the offset of the next entry that it gets of each. */
  positions: Record<number, number>;
  /** Whether what it has read is written down for its group. */
  commits: boolean;
  /** Where it begins when its group has read nothing. */
  reset: 'earliest' | 'latest';
};

/** The consumers of a group that are connected, in the order of their ids. */
export const membersOf = (members: readonly Member[], group: Bytes): Member[] =>
  members.filter((one) => one.group === group).sort((a, b) => (a.id < b.id ? -1 : 1));

/**
 * Shares the partitions of a topic among the members of a group that read it: each gets a row of them. Models
 * RangeAssignor. A member that keeps a partition goes on where it is.
 */
export function assign(store: Store, members: readonly Member[], group: Bytes, topic: Bytes): void {
  const own = membersOf(members, group).filter((one) => one.topic === topic);
  const count = store.topics[topic]?.partitions.length ?? 0;
  const before = own.map(({ positions }) => positions);
  for (const member of own) commitOf(store, member);
  let next = 0;
  for (const [i, member] of own.entries()) {
    const share = Math.floor(count / own.length) + (i < count % own.length ? 1 : 0);
    member.positions = {};
    for (; share > Object.keys(member.positions).length; next++)
      member.positions[next] = before[i]![next] ?? beginOf(store, member, next);
  }
}

/** Where a member begins to read a partition. */
function beginOf(store: Store, { group, topic, reset }: Member, partition: number): number {
  const found = store.topics[topic]!.partitions[partition]!;
  const known = store.groups[group]?.[placeOf(topic, partition)];
  if (known !== undefined && known >= found.start && known <= endOf(found)) return known;
  return reset === 'earliest' ? found.start : endOf(found);
}

/** Writes down what a member has read. Returns whether that is news. */
export function commitOf(store: Store, { group, topic, positions, commits }: Member): boolean {
  if (!commits || store.topics[topic] === undefined) return false;
  let isNews = false;
  for (const [partition, offset] of Object.entries(positions)) {
    const place = placeOf(topic, Number(partition));
    const offsets = (store.groups[group] ??= {});
    isNews ||= offsets[place] !== offset;
    offsets[place] = offset;
  }
  return isNews;
}

/** A row of what kafka-consumer-groups.sh shows. */
export type GroupRow = {
  topic: Bytes;
  partition: number;
  /** null: nothing is written down. */
  offset: number | null;
  end: number;
  member: Bytes;
  host: Bytes;
  client: Bytes;
};

/** The partitions that a group reads or has read. */
export function describeGroup(store: Store, members: readonly Member[], group: Bytes): GroupRow[] {
  const own = membersOf(members, group);
  const offsets = store.groups[group] ?? {};
  const rows: GroupRow[] = [];
  for (const [topic, { partitions }] of Object.entries(store.topics).sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const [partition, one] of partitions.entries()) {
      const offset = offsets[placeOf(topic, partition)];
      const reader = own.find((member) => member.topic === topic && member.positions[partition] !== undefined);
      if (offset === undefined && !reader) continue;
      const { id = '-', address = '-', client = '-' } = reader ?? {};
      const host = reader ? `/${address}` : '-';
      rows.push({ topic, partition, offset: offset ?? null, end: endOf(one), member: id, host, client });
    }
  }
  return rows;
}
