import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { textIn, type Message } from '../wire.js';
import { defineKafkaTool, errorText, timedOut, type Talking } from './kafka-tool.js';

type Own = { request: Message; ifExists: boolean; ifNotExists: boolean };
type Partition = { readonly start: number; readonly end: number };
type TopicView = {
  readonly name: Bytes;
  readonly id: Bytes;
  readonly configs: Record<Bytes, Bytes>;
  readonly partitions: readonly Partition[];
};

const PLACE = 'org.apache.kafka.tools.TopicCommand';
const ACTIONS = ['list', 'describe', 'create', 'delete', 'alter'];
const CALLS: Readonly<Record<string, Bytes>> = {
  list: 'listTopics',
  describe: 'listTopics',
  create: 'createTopics',
  delete: 'listTopics',
  alter: 'listTopics',
};
const COLLIDES =
  "WARNING: Due to limitations in metric names, topics with a period ('.') or underscore ('_') could collide. To avoid issues it is best to use either, but not both.\n";

/** `kafka-topics.sh`. Left out: other filters of --describe, patterns of names. */
export const topics = defineKafkaTool<Own>({
  client: 'AdminClient clientId=adminclient-1',
  values: ['topic', 'partitions', 'replication-factor', 'config'],
  flags: [...ACTIONS, 'if-exists', 'if-not-exists', 'exclude-internal'],
  unsimulated: [
    'replica-assignment',
    'under-replicated-partitions',
    'unavailable-partitions',
    'topic-id',
    'topics-with-overrides',
  ],
  timedOut: ({ request }) => timedOut('topic', CALLS[textIn(request, 'api')]!, PLACE),
  start(options) {
    const [action, ...others] = ACTIONS.filter((one) => options.has(one));
    if (action === undefined || others.length > 0)
      return 'Command must include exactly one action: --list, --describe, --create, --alter or --delete';
    const topic = options.value('topic');
    if (topic === undefined && action !== 'list' && action !== 'describe') return 'Missing required argument "[topic]"';
    const numbers = (['partitions', 'replication-factor'] as const).map((name) => [name, options.value(name)] as const);
    for (const [name, text] of numbers)
      if (text !== undefined && !/^-?\d{1,9}$/.test(text)) return `Cannot parse argument '${text}' of option ${name}`;
    const [partitions, replicas] = numbers.map(([, text]) => (text === undefined ? undefined : Number(text)));
    const configs: Record<Bytes, Bytes> = {};
    for (const one of options.all('config')) configs[one.split('=', 1)[0]!] = one.slice(one.indexOf('=') + 1);
    const request: Message = {
      ...{ api: action, topic: topic ?? '', configs },
      ...(partitions === undefined ? {} : { partitions }),
      ...(replicas === undefined ? {} : { replicas }),
    };
    return { request, ifExists: options.has('if-exists'), ifNotExists: options.has('if-not-exists') };
  },
  ready(tool) {
    const { request } = tool.own;
    const topic = textIn(request, 'topic');
    if (request['api'] === 'create' && /[._]/.test(topic)) tool.out(COLLIDES);
    tool.send(request);
  },
  take(tool, answer) {
    const { own, sys } = tool;
    const topic = textIn(own.request, 'topic');
    const isMissing = answer['error'] === 'UnknownTopicOrPartitionException';
    if (isMissing && own.ifExists) return tool.exit(0);
    if (answer['error'] === 'TopicExistsException' && own.ifNotExists) return tool.exit(0);
    if (isMissing) {
      const text = `Topic '${topic}' does not exist as expected`;
      tool.err(
        errorText(sys.now, 'topic', { error: '', message: text }, PLACE).replace(
          'org.apache.kafka.common.errors.',
          'java.lang.IllegalArgumentException',
        ),
      );
      return tool.exit(1);
    }
    if (answer['error'] !== undefined) {
      tool.err(errorText(sys.now, 'topic', answer, PLACE));
      return tool.exit(1);
    }
    print(tool, answer, topic);
    tool.exit(0);
  },
});

function print(tool: Talking<Own>, answer: Message, topic: Bytes): void {
  const action = tool.own.request['api'];
  if (action === 'create') tool.out(`Created topic ${topic}.\n`);
  if (action === 'list') tool.out((answer['topics'] as Bytes[]).map((name) => `${name}\n`).join(''));
  if (action !== 'describe') return;
  for (const view of answer['topics'] as unknown as readonly TopicView[]) tool.out(describe(view, tool.node.id));
}

function describe({ name, id, configs, partitions }: TopicView, node: number): Bytes {
  const list = Object.entries(configs)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const head = `Topic: ${name}\tTopicId: ${id}\tPartitionCount: ${partitions.length}\tReplicationFactor: 1\tConfigs: ${list}\n`;
  const rows = partitions.map(
    (_one, i) =>
      `\tTopic: ${name}\tPartition: ${i}\tLeader: ${node}\tReplicas: ${node}\tIsr: ${node}\tElr: \tLastKnownElr: \n`,
  );
  return head + rows.join('');
}

type OffsetsOwn = { topic: Bytes; time: Bytes };

/** `kafka-get-offsets.sh`. */
export const getOffsets = defineKafkaTool<OffsetsOwn>({
  client: 'AdminClient clientId=GetOffsetShell',
  values: ['topic', 'time'],
  flags: ['exclude-internal-topics'],
  unsimulated: ['partitions', 'topic-partitions', 'broker-list'],
  timedOut: () => timedOut('offsets', 'listTopics', 'org.apache.kafka.tools.GetOffsetShell'),
  start(options) {
    const time = options.value('time') ?? 'latest';
    return ['-1', '-2', 'latest', 'earliest'].includes(time)
      ? { topic: options.value('topic') ?? '', time }
      : `Malformed time argument ${time}. It is simulated for -1 (latest) and -2 (earliest) only.`;
  },
  ready: (tool) => tool.send({ api: 'offsets', topic: tool.own.topic }),
  take(tool, answer) {
    if (answer['error'] !== undefined) {
      tool.err('Error occurred: Could not match any topic-partitions with the specified filters\n');
      return tool.exit(1);
    }
    const isFirst = ['-2', 'earliest'].includes(tool.own.time);
    for (const { name, partitions } of answer['topics'] as unknown as readonly TopicView[])
      tool.out(partitions.map(({ start, end }, i) => `${name}:${i}:${isFirst ? start : end}\n`).join(''));
    tool.exit(0);
  },
});

/** `kafka-broker-api-versions.sh`, which probes ask: the calls that are simulated. */
export const apiVersions = defineKafkaTool<Plain>({
  client: 'AdminClient clientId=admin-1',
  values: [],
  flags: [],
  timedOut: () => timedOut('api versions', 'listNodes', 'org.apache.kafka.tools.BrokerApiVersionsCommand'),
  start: () => ({}),
  ready({ node, out, exit }) {
    const calls = ['Produce(0): 0 to 13', 'Fetch(1): 4 to 17', 'ListOffsets(2): 1 to 10', 'Metadata(3): 0 to 13'];
    out(
      `${node.host}:${node.port} (id: ${node.id} rack: null isFenced: false) -> (\n${calls.map((call) => `\t${call} [usable: ${call.split(' ').at(-1)}]`).join(',\n')}\n)\n`,
    );
    exit(0);
  },
});
