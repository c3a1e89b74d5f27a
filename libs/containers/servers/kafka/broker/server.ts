import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { readSmallFile } from '../../../tools/accounts.js';
import { keepData, makeDirectories, readKept } from '../../keep.js';
import { defineServer, type Connection, type Running } from '../../serve.js';
import { frame, textIn, numberIn, takeMessage, type Message } from '../wire.js';
import { DEFAULTS, propertiesOf, readConfiguration, readProperties, type Configuration } from './configuration.js';
import { assign, commitOf, type Member } from './groups.js';
import { answer, type Broker } from './requests.js';
import { endOf, isTopic, makeStore, placeOf, type Partition, type Store, type Topic } from './store.js';

/** A broker's own state. */
export type Own = {
  argv: Bytes[];
  configuration: Configuration | null;
  store: Store;
  startedAt: number;
  isReady: boolean;
  endsAt: number | null;
  /** Files that have changed: 'topics', 'groups', 'orders-0'. */
  dirty: Bytes[];
  commitsAt: number | null;
  /** A consumer has not had all that is there. */
  hasMore: boolean;
};
type Server = Running<Own>;

const START_MS = 5_000;
const STOP_MS = 1_000;
/** What has changed is written down so soon; what consumers have read, as their auto.commit.interval.ms says. */
const KEEP_MS = 50;
const COMMIT_MS = 5_000;
const LOG = '00000000000000000000.log';
/** Messages that one consumer gets at once. */
const MAX_FETCH = 200;
/** What a consumer has not taken yet, before it gets more. */
const MAX_UNSENT = 1 << 20;

export function logLine(at: number, text: string, level = 'INFO'): string {
  return `[${new Date(at).toISOString().slice(0, 23).replace('T', ' ').replace('.', ',')}] ${level} ${text}\n`;
}

function begin(server: Server): void {
  const { own, sys } = server;
  const given = propertiesOf(sys.env);
  const file = readProperties(readSmallFile(sys, own.argv.at(-1) ?? ''));
  const properties = Object.keys(given).length > 0 ? given : { ...DEFAULTS, ...file };
  const read = readConfiguration(properties, sys.hostname);
  if (typeof read === 'string') return fail(server, `java.lang.IllegalArgumentException: ${read}`);
  own.configuration = read;
  try {
    makeDirectories(sys, read.directory);
    load(server);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return fail(server, `java.io.IOException: Failed to load log directory ${read.directory}: ${error.message}`);
  }
  server.out(logLine(sys.now, `[KafkaRaftServer nodeId=${read.id}] Starting (kafka.server.KafkaRaftServer)`));
  server.tickAt(own.startedAt + START_MS);
}

function fail(server: Server, message: string): void {
  server.err(logLine(server.sys.now, 'Exiting Kafka due to fatal exception (kafka.Kafka$)', 'ERROR') + `${message}\n`);
  server.exit(1);
}

const pathOf = ({ configuration }: Own, folder: Bytes): Bytes => `${configuration!.directory}/${folder}/${LOG}`;
const METADATA = '__cluster_metadata-0';
const OFFSETS = '__consumer_offsets-0';
/** Kafka's own files have names of their own, so that no topic can be one of them. */
const folderOf = (what: Bytes): Bytes => ({ topics: METADATA, groups: OFFSETS })[what] ?? what;

function load({ own, sys }: Server): void {
  const topics = readKept(sys, pathOf(own, METADATA)) as Record<Bytes, Topic> | null | undefined;
  const groups = readKept(sys, pathOf(own, OFFSETS)) as Store['groups'] | null | undefined;
  own.store = makeStore();
  for (const [name, topic] of Object.entries(topics ?? {})) {
    if (!isTopic(topic)) continue;
    const partitions = topic.partitions.map(
      (empty, i) => (readKept(sys, pathOf(own, placeOf(name, i))) as Partition | null | undefined) ?? empty,
    );
    own.store.topics[name] = { ...topic, partitions };
  }
  own.store.groups = groups ?? {};
  if (topics === undefined) own.dirty.push('topics');
}

function keep(server: Server): void {
  const { own, sys } = server;
  for (const what of own.dirty.splice(0, own.dirty.length)) {
    const value = contentOf(own, what);
    const folder = `${own.configuration!.directory}/${folderOf(what)}`;
    if (value === undefined) {
      forget(server, folder);
      continue;
    }
    makeDirectories(sys, folder);
    keepData(sys, pathOf(own, folderOf(what)), value);
  }
}

/** The folder of a partition that is gone. */
function forget({ sys }: Server, folder: Bytes): void {
  try {
    sys.unlink(`${folder}/${LOG}`);
    sys.removeDirectory(folder);
  } catch (error) {
    // It was never written, or somebody has put something into it.
    if (!(error instanceof SystemError)) throw error;
  }
}

function contentOf({ store }: Own, what: Bytes): unknown {
  if (what === 'groups') return store.groups;
  if (what !== 'topics') {
    const at = what.lastIndexOf('-');
    return store.topics[what.slice(0, at)]?.partitions[Number(what.slice(at + 1))];
  }
  const withoutEntries = ({ id, configs, partitions }: Topic): Topic => ({
    ...{ id, configs, partitions: partitions.map(({ start }) => ({ start, entries: [], bytes: 0 })) },
  });
  return Object.fromEntries(Object.entries(store.topics).map(([name, topic]) => [name, withoutEntries(topic)]));
}

function listen(server: Server): void {
  const { own, sys } = server;
  const { id, listeners } = own.configuration!;
  own.isReady = true;
  try {
    for (const { port } of listeners) server.listen(port);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return fail(
      server,
      `org.apache.kafka.common.KafkaException: Socket server failed to bind: Address already in use.`,
    );
  }
  const lines = listeners.map(
    ({ host, port }) =>
      `Awaiting socket connections on ${host || '0.0.0.0'}:${port}. (kafka.network.DataPlaneAcceptor)`,
  );
  for (const line of [...lines, `[KafkaRaftServer nodeId=${id}] Kafka Server started (kafka.server.KafkaRaftServer)`])
    server.out(logLine(sys.now, line));
  plan(server);
}

function plan(server: Server): void {
  const { own, sys } = server;
  if (!own.isReady || own.endsAt !== null) return;
  const isSoon = own.dirty.length > 0 || own.hasMore;
  const times = [isSoon ? sys.now + KEEP_MS : Infinity, own.commitsAt ?? Infinity];
  const next = Math.min(...times);
  if (next < Infinity) server.tickAt(next);
}

const memberOf = ({ own }: Connection): Member | null => own as Member | null;
const membersIn = (server: Server): Member[] => server.connections.flatMap((one) => memberOf(one) ?? []);

function brokerOf(server: Server): Broker {
  const { own, sys } = server;
  const { id, partitions, createsTopics } = own.configuration!;
  return {
    ...{ store: own.store, id, partitions, createsTopics, now: sys.now, random: () => sys.random() },
    members: membersIn(server),
    touch: (what, place) => {
      for (const one of place === undefined ? [what] : [place]) if (!own.dirty.includes(one)) own.dirty.push(one);
    },
  };
}

function receive(server: Server, connection: Connection): void {
  for (;;) {
    const taken = takeMessage(connection.received);
    if (taken === undefined) break;
    if (taken === 'bad') {
      connection.closes = true;
      server.err(
        logLine(
          server.sys.now,
          `Closing socket for /${connection.address}:${connection.remotePort}: Kafka's own protocol is not simulated, only its tools speak to this broker (kafka.network.Processor)`,
          'ERROR',
        ),
      );
      return;
    }
    connection.received = connection.received.slice(taken.length);
    server.sys.charge(50 + (taken.length >> 3));
    take(server, connection, taken.message);
  }
  deliver(server);
  plan(server);
}

function take(server: Server, connection: Connection, request: Message): void {
  const api = textIn(request, 'api');
  const reply = (message: Message): void => {
    connection.unsent += frame(message);
  };
  if (api === 'metadata') reply(metadataOf(server.own, connection.port));
  else if (api === 'consume') reply(consume(server, connection, request));
  else if (api === 'leave') leave(server, connection, true);
  else reply(answer(brokerOf(server), request));
}

/** Where a client is sent: the address that its listener advertises. */
function metadataOf({ configuration }: Own, port: number): Message {
  const { id, listeners, advertised } = configuration!;
  const name = listeners.find((one) => one.port === port)?.name;
  const to = advertised.find((one) => one.name === name) ?? advertised[0]!;
  return { id, host: to.host, port: to.port };
}

function consume(server: Server, connection: Connection, request: Message): Message {
  const broker = brokerOf(server);
  const topic = textIn(request, 'topic');
  const isNew = broker.store.topics[topic] === undefined;
  if (isNew) {
    const made = broker.createsTopics
      ? answer(broker, { api: 'create', topic })
      : { error: 'UnknownTopicOrPartitionException', message: '' };
    if (made['error'] !== undefined) return made;
  }
  const partition = numberIn(request, 'partition', -1);
  const found = broker.store.topics[topic]!.partitions[partition];
  if (partition >= 0 && !found) return { error: 'UnknownTopicOrPartitionException', message: '' };
  const reset = request['reset'] === 'earliest' ? 'earliest' : 'latest';
  const offset = numberIn(request, 'offset', -1);
  const begin = offset >= 0 ? offset : reset === 'earliest' ? (found?.start ?? 0) : found ? endOf(found) : 0;
  connection.own = {
    ...{ id: textIn(request, 'id'), client: textIn(request, 'client'), address: connection.address, topic, reset },
    group: found ? '' : textIn(request, 'group'),
    commits: !found && request['commits'] === true,
    positions: found ? { [partition]: begin } : {},
  } satisfies Member as Plain;
  if (!found) share(server, memberOf(connection)!);
  return isNew ? { isNew } : {};
}

function share(server: Server, { group, topic }: Member): void {
  assign(server.own.store, membersIn(server), group, topic);
  server.own.dirty.push('groups');
}

/** A consumer that says so has its last offsets written down. */
function leave(server: Server, connection: Connection, isTold: boolean): void {
  const member = memberOf(connection);
  connection.own = null;
  if (member === null) return;
  if (isTold && commitOf(server.own.store, member)) server.own.dirty.push('groups');
  if (member.group !== '') share(server, member);
}

/** Sends consumers what they have not had. */
function deliver(server: Server): void {
  const { own } = server;
  own.hasMore = false;
  for (const connection of server.connections) {
    const member = memberOf(connection);
    const partitions = member && own.store.topics[member.topic]?.partitions;
    if (!partitions || connection.closes) continue;
    if (connection.unsent.length > MAX_UNSENT) {
      own.hasMore = true;
      continue;
    }
    for (const [index, position] of Object.entries(member.positions)) {
      const partition = partitions[Number(index)];
      if (!partition) continue;
      const from = Math.max(position, partition.start);
      const entries = partition.entries.slice(from - partition.start, from - partition.start + MAX_FETCH);
      if (entries.length === 0) continue;
      own.hasMore ||= from + entries.length < endOf(partition);
      member.positions[Number(index)] = from + entries.length;
      connection.unsent += frame({ partition: Number(index), offset: from, entries });
      if (member.commits) own.commitsAt ??= server.sys.now + COMMIT_MS;
    }
  }
}

/** A broker alone, which is its own controller. Left out: Kafka's protocol, other brokers, transactions, ACLs, TLS. */
export const kafka = defineServer<Own>({
  signals: ['TERM', 'INT'],
  start: (argv, sys) => ({
    ...{ argv: [...argv], configuration: null, store: makeStore(), startedAt: sys.now, isReady: false },
    ...{ endsAt: null, dirty: [], commitsAt: null, hasMore: false },
  }),
  begin,
  tick(server) {
    const { own, sys } = server;
    if (own.endsAt !== null && sys.now >= own.endsAt) return server.exit(143);
    if (!own.isReady) return listen(server);
    if (own.commitsAt !== null && sys.now >= own.commitsAt) {
      own.commitsAt = null;
      for (const member of membersIn(server)) if (commitOf(own.store, member)) own.dirty.push('groups');
    }
    try {
      keep(server);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      return fail(server, `java.io.IOException: ${error.message}`);
    }
    deliver(server);
    plan(server);
  },
  signal(server) {
    const { own, sys } = server;
    if (own.endsAt !== null) return;
    server.out(
      logLine(
        sys.now,
        'Terminating process due to signal SIGTERM (org.apache.kafka.common.utils.LoggingSignalHandler)',
      ),
    );
    if (own.isReady) keep(server);
    own.endsAt = sys.now + STOP_MS;
    server.tickAt(own.endsAt);
  },
  receive,
  disconnect(server, connection) {
    leave(server, connection, false);
    plan(server);
  },
});
