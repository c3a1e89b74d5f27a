import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { logLine } from '../broker/server.js';
import type { Entry } from '../broker/store.js';
import { numberIn, textIn, type Message } from '../wire.js';
import { defineKafkaTool, type Talking } from './kafka-tool.js';

type Own = {
  request: Message;
  max: number;
  timeoutMs: number;
  prints: Record<string, boolean>;
  separator: Bytes;
  count: number;
  lastAt: number;
  isReading: boolean;
};

const COLUMNS = ['timestamp', 'partition', 'offset', 'key'] as const;

/** `kafka-console-consumer.sh`. Left out: patterns of topics, formatters, headers, deserializers. */
export const consumer = defineKafkaTool<Own>({
  client: 'Consumer clientId=console-consumer, groupId=console-consumer',
  values: [
    'topic',
    'group',
    'partition',
    'offset',
    'max-messages',
    'timeout-ms',
    'property',
    'formatter-property',
    'consumer-property',
  ],
  flags: ['from-beginning', 'skip-message-on-error'],
  unsimulated: [
    'include',
    'whitelist',
    'formatter',
    'formatter-config',
    'consumer.config',
    'isolation-level',
    'key-deserializer',
    'value-deserializer',
    'enable-systest-events',
  ],
  timedOut: () => '',
  start(options, sys) {
    const topic = options.value('topic');
    if (topic === undefined) return 'Exactly one of --include/--topic is required. ';
    const partition = options.value('partition');
    const offset = options.value('offset');
    if (offset !== undefined && partition === undefined) return 'The partition is required when offset is specified.';
    if (offset !== undefined && options.has('from-beginning'))
      return 'from-beginning and offset cannot be specified together.';
    if (options.has('group') && partition !== undefined)
      return 'Options group and partition cannot be specified together.';
    if (offset !== undefined && !/^(?:earliest|latest|\d{1,15})$/.test(offset))
      return `The provided offset value '${offset}' is incorrect. Valid values are 'earliest', 'latest', or a non-negative long.`;
    const properties = [...options.all('property'), ...options.all('formatter-property')];
    const own = options
      .all('consumer-property')
      .find((one) => one.startsWith('group.id='))
      ?.slice('group.id='.length);
    const group = options.value('group') ?? own;
    const id = (): Bytes =>
      Math.floor(sys.random() * 0x1_0000_0000)
        .toString(16)
        .padStart(8, '0');
    for (const signal of ['INT', 'TERM'] as const) sys.handleSignal(signal, 'catch');
    return {
      request: {
        ...{
          api: 'consume',
          topic,
          group: group ?? `console-consumer-${Math.floor(sys.random() * 100_000)}`,
          commits: group !== undefined,
        },
        ...{
          client: 'console-consumer',
          id: `console-consumer-${id()}-${id().slice(0, 4)}-${id().slice(0, 4)}-${id().slice(0, 4)}-${id()}${id().slice(0, 4)}`,
        },
        reset: options.has('from-beginning') || offset === 'earliest' ? 'earliest' : 'latest',
        ...(partition === undefined ? {} : { partition: Number(partition) }),
        ...(offset !== undefined && /^\d/.test(offset) ? { offset: Number(offset) } : {}),
      },
      max: Number(options.value('max-messages') ?? -1),
      timeoutMs: Number(options.value('timeout-ms') ?? -1),
      prints: Object.fromEntries(COLUMNS.map((name) => [name, properties.includes(`print.${name}=true`)])),
      separator: properties.findLast((one) => one.startsWith('key.separator='))?.slice('key.separator='.length) ?? '\t',
      ...{ count: 0, lastAt: sys.now, isReading: false },
    };
  },
  ready(tool) {
    tool.own.lastAt = tool.sys.now;
    tool.own.isReading = true;
    tool.send(tool.own.request);
  },
  take(tool, message) {
    const { own, sys } = tool;
    if (message['error'] !== undefined) {
      const topic = textIn(own.request, 'topic');
      tool.err(
        logLine(
          sys.now,
          `[${'Consumer'} clientId=console-consumer] The metadata response from the cluster reported a recoverable issue with correlation id 2 : {${topic}=UNKNOWN_TOPIC_OR_PARTITION} (org.apache.kafka.clients.NetworkClient)`,
          'WARN',
        ),
      );
      return end(tool, 1);
    }
    if (message['isNew'] === true)
      tool.err(
        logLine(
          sys.now,
          `[Consumer clientId=console-consumer] The metadata response from the cluster reported a recoverable issue with correlation id 2 : {${textIn(own.request, 'topic')}=UNKNOWN_TOPIC_OR_PARTITION} (org.apache.kafka.clients.NetworkClient)`,
          'WARN',
        ),
      );
    if (Array.isArray(message['entries'])) print(tool, message);
  },
  turn(tool) {
    const { own, sys } = tool;
    for (let signal = sys.takeSignal(); signal !== undefined; signal = sys.takeSignal())
      return end(tool, signal === 'INT' ? 130 : 143);
    if (!own.isReading || own.timeoutMs < 0) return;
    if (sys.now - own.lastAt < own.timeoutMs) return tool.wakeAt(own.lastAt + own.timeoutMs);
    tool.err(
      logLine(
        sys.now,
        'Error processing message, terminating consumer process:  (org.apache.kafka.tools.consumer.ConsoleConsumer)',
        'ERROR',
      ) + 'org.apache.kafka.common.errors.TimeoutException\n',
    );
    end(tool, 1);
  },
});

function end(tool: Talking<Own>, code: number): void {
  tool.send({ api: 'leave' });
  tool.err(`Processed a total of ${tool.own.count} messages\n`);
  tool.exit(code);
}

function print(tool: Talking<Own>, message: Message): void {
  const { own, sys } = tool;
  const first = numberIn(message, 'offset', 0);
  for (const [i, entry] of (message['entries'] as unknown as readonly Entry[]).entries()) {
    if (own.max >= 0 && own.count >= own.max) break;
    const shown: Readonly<Record<string, Bytes>> = {
      timestamp: `CreateTime:${entry.at}`,
      partition: `Partition:${numberIn(message, 'partition', 0)}`,
      offset: `Offset:${first + i}`,
      key: entry.key ?? 'null',
    };
    const columns = COLUMNS.filter((name) => own.prints[name]).map((name) => shown[name]!);
    tool.out(`${[...columns, entry.value ?? 'null'].join(own.separator)}\n`);
    own.count++;
  }
  own.lastAt = sys.now;
  if (own.max >= 0 && own.count >= own.max) end(tool, 0);
}
