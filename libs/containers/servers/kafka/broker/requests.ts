import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { numberIn, textIn, type Message } from '../wire.js';
import { describeGroup, membersOf, type Member } from './groups.js';
import * as store from './store.js';

/** What requests of the tools see and change of a broker. */
export interface Broker {
  readonly store: store.Store;
  readonly members: readonly Member[];
  readonly id: number;
  readonly partitions: number;
  readonly createsTopics: boolean;
  readonly now: number;
  random(): number;
  /** A topic, a partition or a group has changed. */
  touch(what: 'topics' | 'groups', place?: Bytes): void;
}

/** An error as Kafka names it. */
const failure = (error: string, message: string): Message => ({ error, message });
const unknownTopic = (): Message =>
  failure('UnknownTopicOrPartitionException', 'This server does not host this topic-partition.');

const HANDLERS: Readonly<Record<string, (broker: Broker, request: Message) => Message>> = {
  list: ({ store: { topics } }) => ({ topics: Object.keys(topics).sort() }),
  describe,
  create,
  alter,
  delete: remove,
  produce,
  offsets,
  groups: ({ store: { groups }, members }) => ({
    groups: [...new Set([...Object.keys(groups), ...members.map(({ group }) => group).filter(Boolean)])].sort(),
  }),
  group: describeOne,
  reset,
  forget,
};

/** The answer to a request other than that of a consumer. */
export function answer(broker: Broker, request: Message): Message {
  const handler = Object.hasOwn(HANDLERS, textIn(request, 'api')) ? HANDLERS[textIn(request, 'api')] : undefined;
  return handler?.(broker, request) ?? failure('UnsupportedVersionException', 'The version of API is not supported.');
}

const viewOf = (name: Bytes, { id, configs, partitions }: store.Topic): Message => ({
  ...{ name, id, configs },
  partitions: partitions.map((one) => ({ start: one.start, end: store.endOf(one) })),
});

function describe({ store: { topics } }: Broker, request: Message): Message {
  const name = textIn(request, 'topic');
  if (name === '')
    return {
      topics: Object.entries(topics)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map((one) => viewOf(...one)),
    };
  return topics[name] ? { topics: [viewOf(name, topics[name])] } : unknownTopic();
}

function create(broker: Broker, request: Message): Message {
  const name = textIn(request, 'topic');
  const replicas = numberIn(request, 'replicas', 1);
  const count = numberIn(request, 'partitions', broker.partitions);
  const fault = store.nameFault(name);
  if (fault !== undefined) return failure('InvalidTopicException', fault);
  if (broker.store.topics[name]) return failure('TopicExistsException', `Topic '${name}' already exists.`);
  if (!Number.isInteger(count) || count < 1)
    return failure('InvalidPartitionsException', 'Number of partitions must be larger than 0.');
  if (replicas > 1 || replicas < 1)
    return failure(
      'InvalidReplicationFactorException',
      replicas < 1
        ? 'Replication factor must be larger than 0.'
        : `Unable to replicate the partition ${replicas} time(s): The target replication factor of ${replicas} cannot be reached because only 1 broker(s) are registered.`,
    );
  const tooMany = findExcess(broker, count);
  if (tooMany !== undefined) return tooMany;
  const { configs } = request;
  const given = typeof configs === 'object' && configs !== null && !Array.isArray(configs) ? configs : {};
  broker.store.topics[name] = {
    id: store.makeId(() => broker.random()),
    configs: Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)])),
    partitions: Array.from({ length: count }, store.makePartition),
  };
  touchAll(broker, name, count);
  return {};
}

function touchAll(broker: Broker, topic: Bytes, partitions: number): void {
  broker.touch('topics');
  for (let i = 0; i < partitions; i++) broker.touch('topics', store.placeOf(topic, i));
}

/** A broker here has so many partitions at most. */
function findExcess({ store: { topics } }: Broker, more: number): Message | undefined {
  const all = Object.values(topics);
  const count = all.reduce((sum, { partitions }) => sum + partitions.length, 0);
  if (all.length < store.MAX_TOPICS && count + more <= store.MAX_PARTITIONS) return undefined;
  return failure(
    'PolicyViolationException',
    `Excessively large number of partitions per request. Here are at most ${store.MAX_PARTITIONS}.`,
  );
}

function alter(broker: Broker, request: Message): Message {
  const found = broker.store.topics[textIn(request, 'topic')];
  const count = numberIn(request, 'partitions', 0);
  if (!found) return unknownTopic();
  const { length } = found.partitions;
  if (!Number.isInteger(count) || count <= length)
    return failure(
      'InvalidPartitionsException',
      count === length
        ? `Topic already has ${length} partition(s).`
        : `The topic ${textIn(request, 'topic')} currently has ${length} partition(s); ${count} would not be an increase.`,
    );
  const tooMany = findExcess(broker, count - length);
  if (tooMany !== undefined) return tooMany;
  while (found.partitions.length < count) found.partitions.push(store.makePartition());
  touchAll(broker, textIn(request, 'topic'), count);
  return {};
}

function remove(broker: Broker, request: Message): Message {
  const name = textIn(request, 'topic');
  if (!broker.store.topics[name]) return unknownTopic();
  const { length } = broker.store.topics[name].partitions;
  store.removeTopic(broker.store, name);
  touchAll(broker, name, length);
  broker.touch('groups');
  return {};
}

const bytesOrNull = (value: Plain | undefined): Bytes | null => (typeof value === 'string' ? value : null);

function produce(broker: Broker, request: Message): Message {
  const topic = textIn(request, 'topic');
  const isNew = broker.store.topics[topic] === undefined;
  if (isNew && !broker.createsTopics) return unknownTopic();
  const made = isNew ? create(broker, { topic }) : {};
  if (made['error'] !== undefined) return made;
  const { length } = broker.store.topics[topic]!.partitions;
  const key = bytesOrNull(request['key']);
  const asked = numberIn(request, 'partition', -1);
  const partition =
    asked >= 0 ? asked : key === null ? Math.floor(broker.random() * length) : store.partitionOf(key, length);
  if (partition >= length || !Number.isInteger(partition)) return unknownTopic();
  const offset = store.append(broker.store, topic, partition, {
    key,
    value: bytesOrNull(request['value']),
    at: broker.now,
  });
  broker.touch('topics', store.placeOf(topic, partition));
  return { partition, offset, ...(isNew ? { isNew } : {}) };
}

function offsets({ store: { topics } }: Broker, request: Message): Message {
  const name = textIn(request, 'topic');
  if (name !== '' && !topics[name]) return unknownTopic();
  const found = name === '' ? Object.entries(topics) : [[name, topics[name]!] as const];
  return { topics: found.sort(([a], [b]) => (a < b ? -1 : 1)).map((one) => viewOf(...one)) };
}

const isKnown = ({ store: { groups }, members }: Broker, group: Bytes): boolean =>
  groups[group] !== undefined || members.some((one) => one.group === group);

const noGroup = (group: Bytes): Message => failure('GroupIdNotFoundException', `Group ${group} not found.`);

function describeOne(broker: Broker, request: Message): Message {
  const group = textIn(request, 'group');
  if (!isKnown(broker, group)) return noGroup(group);
  const members = membersOf(broker.members, group);
  return {
    rows: describeGroup(broker.store, broker.members, group),
    state: members.length > 0 ? 'Stable' : 'Empty',
    members: members.map(({ id, address, client, positions }) => ({
      id,
      address,
      client,
      count: Object.keys(positions).length,
    })),
  };
}

/** The offsets that a group goes on from. Models ConsumerGroupCommand.resetOffsets. */
function reset(broker: Broker, request: Message): Message {
  const [group, name, to] = [textIn(request, 'group'), textIn(request, 'topic'), textIn(request, 'to')];
  if (membersOf(broker.members, group).length > 0) return failure('ActiveGroup', '');
  const topic = broker.store.topics[name];
  if (!topic) return unknownTopic();
  const only = numberIn(request, 'partition', -1);
  const rows: Message[] = [];
  for (const [partition, one] of topic.partitions.entries()) {
    if (only >= 0 && only !== partition) continue;
    const place = store.placeOf(name, partition);
    const current = broker.store.groups[group]?.[place] ?? one.start;
    const wanted = {
      earliest: one.start,
      latest: store.endOf(one),
      current,
      shift: current + numberIn(request, 'by', 0),
    }[to];
    const offset = Math.min(store.endOf(one), Math.max(one.start, wanted ?? numberIn(request, 'by', 0)));
    rows.push({ topic: name, partition, offset });
    if (request['executes'] === true && !store.commit(broker.store, group, place, offset))
      return failure('PolicyViolationException', 'There are too many groups.');
  }
  if (request['executes'] === true) broker.touch('groups');
  return { rows };
}

function forget(broker: Broker, request: Message): Message {
  const group = textIn(request, 'group');
  if (!isKnown(broker, group)) return noGroup(group);
  if (membersOf(broker.members, group).length > 0) return failure('GroupNotEmptyException', 'The group is not empty.');
  delete broker.store.groups[group];
  broker.touch('groups');
  return {};
}
