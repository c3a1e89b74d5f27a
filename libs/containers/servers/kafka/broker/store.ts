import type { Bytes } from '../../../../engine/kernel/bytes.js';

/** A message of a partition. */
export type Entry = { key: Bytes | null; value: Bytes | null; at: number };
export type Partition = {
  /** The offset of the oldest entry that is there. */
  start: number;
  entries: Entry[];
  bytes: number;
};
export type Topic = { id: Bytes; configs: Record<Bytes, Bytes>; partitions: Partition[] };
/** What a group has read: offsets by topic and partition ('orders-0'). */
export type Offsets = Record<Bytes, number>;
export type Store = { topics: Record<Bytes, Topic>; groups: Record<Bytes, Offsets> };

/** What a broker keeps of all messages, and of topics. */
export const MAX_BYTES = 8 << 20;
export const MAX_TOPICS = 1_000;
export const MAX_PARTITIONS = 1_000;
const MAX_GROUPS = 1_000;
/** What an entry weighs beside its key and value. */
const ENTRY_BYTES = 40;

export const makeStore = (): Store => ({ topics: {}, groups: {} });
export const makePartition = (): Partition => ({ start: 0, entries: [], bytes: 0 });

export const endOf = ({ start, entries }: Partition): number => start + entries.length;
export const placeOf = (topic: Bytes, partition: number): Bytes => `${topic}-${partition}`;

/** Names are 249 letters, digits, '.', '_' and '-'. Undefined: it is one. Models Topic.validate. */
export function nameFault(name: Bytes): string | undefined {
  const about = (rule: string): string => `Topic name is invalid: ${rule}`;
  if (name === '') return about('the empty string is not allowed');
  if (name === '.' || name === '..') return about(`'${name}' is not allowed`);
  if (name.length > 249) return about(`the length of '${name}' is longer than the max allowed length 249`);
  if (/^[\w.-]+$/.test(name)) return undefined;
  return about(`'${name}' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'`);
}

/** The offset that an entry gets. What is too much goes from the largest partition's beginning, as by its retention. */
export function append(store: Store, topic: Bytes, partition: number, entry: Entry): number {
  const found = store.topics[topic]!.partitions[partition]!;
  const offset = endOf(found);
  found.entries.push(entry);
  found.bytes += weightOf(entry);
  for (let total = bytesOfAll(store); total > MAX_BYTES;) {
    const largest = Object.values(store.topics)
      .flatMap(({ partitions }) => partitions)
      .reduce((a, b) => (b.bytes > a.bytes ? b : a));
    const weight = weightOf(largest.entries.shift()!);
    largest.start++;
    largest.bytes -= weight;
    total -= weight;
  }
  return offset;
}

const weightOf = ({ key, value }: Entry): number => ENTRY_BYTES + (key?.length ?? 0) + (value?.length ?? 0);

function bytesOfAll({ topics }: Store): number {
  let bytes = 0;
  for (const { partitions } of Object.values(topics)) for (const one of partitions) bytes += one.bytes;
  return bytes;
}

/** The partition of a key, the same each time. */
export function partitionOf(key: Bytes, count: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193) >>> 0;
  return hash % count;
}

/** False: there are too many groups. */
export function commit(store: Store, group: Bytes, place: Bytes, offset: number): boolean {
  if (store.groups[group] === undefined && Object.keys(store.groups).length >= MAX_GROUPS) return false;
  (store.groups[group] ??= {})[place] = offset;
  return true;
}

export function removeTopic(store: Store, name: Bytes): void {
  const places = store.topics[name]!.partitions.map((_one, i) => placeOf(name, i));
  delete store.topics[name];
  for (const offsets of Object.values(store.groups)) for (const place of places) delete offsets[place];
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** 22 characters, as Kafka writes a UUID. */
export const makeId = (random: () => number): Bytes =>
  Array.from({ length: 22 }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]).join('');

/** Of what was read from a file. */
export const isTopic = (value: unknown): value is Topic =>
  typeof value === 'object' &&
  value !== null &&
  Array.isArray((value as Topic).partitions) &&
  typeof (value as Topic).configs === 'object';
