import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { logLine } from '../broker/server.js';
import { textIn } from '../wire.js';
import { defineKafkaTool, type Talking } from './kafka-tool.js';

type Own = { topic: Bytes; parsesKey: boolean; separator: Bytes; waiting: number; isOver: boolean; isReady: boolean };

/** Messages that were sent and are not answered. */
const MAX_WAITING = 100;

/** `kafka-console-producer.sh`: a message for each line of its input. Left out: property files, headers, codecs. */
export const producer = defineKafkaTool<Own>({
  client: 'Producer clientId=console-producer',
  values: [
    'topic',
    'property',
    'reader-property',
    'producer-property',
    'request-required-acks',
    'timeout',
    'batch-size',
    'max-block-ms',
  ],
  flags: ['sync'],
  unsimulated: ['producer.config', 'reader-config', 'compression-codec', 'line-reader', 'broker-list'],
  timedOut: ({ topic }) =>
    `TIME Error when sending message to topic ${topic} with key: null, value: 0 bytes with error: (org.apache.kafka.clients.producer.internals.ErrorLoggingCallback)\norg.apache.kafka.common.errors.TimeoutException: Topic ${topic} not present in metadata after 60000 ms.\n`,
  start(options) {
    const topic = options.value('topic');
    if (topic === undefined) return 'Missing required option(s) [topic]';
    const properties = [...options.all('property'), ...options.all('reader-property')];
    const valueOf = (name: string): Bytes | undefined =>
      properties.findLast((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
    const separator = valueOf('key.separator') ?? '\t';
    return {
      ...{ topic, separator, parsesKey: valueOf('parse.key') === 'true', waiting: 0, isOver: false, isReady: false },
    };
  },
  ready(tool) {
    tool.own.isReady = true;
    tool.out('>');
  },
  take(tool, answer) {
    const { own, sys } = tool;
    own.waiting--;
    if (answer['isNew'] === true)
      tool.err(
        logLine(
          sys.now,
          `[Producer clientId=console-producer] The metadata response from the cluster reported a recoverable issue with correlation id 1 : {${own.topic}=UNKNOWN_TOPIC_OR_PARTITION} (org.apache.kafka.clients.NetworkClient)`,
          'WARN',
        ),
      );
    if (answer['error'] !== undefined)
      tool.err(
        logLine(
          sys.now,
          `Error when sending message to topic ${own.topic} (org.apache.kafka.clients.producer.internals.ErrorLoggingCallback)`,
          'ERROR',
        ) + `org.apache.kafka.common.errors.${textIn(answer, 'error')}: ${textIn(answer, 'message')}\n`,
      );
  },
  turn(tool) {
    if (tool.own.isReady && !tool.isEnded) readLines(tool);
  },
});

function readLines(tool: Talking<Own>): void {
  const { own } = tool;
  while (!own.isOver && own.waiting < MAX_WAITING) {
    const line = tool.line();
    if (line === undefined) return;
    if (line === null) own.isOver = true;
    else if (!send(tool, line)) return;
  }
  if (own.isOver && own.waiting === 0) tool.exit(0);
}

function send(tool: Talking<Own>, line: Bytes): boolean {
  const { own } = tool;
  const at = own.parsesKey ? line.indexOf(own.separator) : -1;
  if (own.parsesKey && at < 0) {
    tool.err(`org.apache.kafka.common.KafkaException: No key separator found on line number 1: '${line}'\n`);
    tool.exit(1);
    return false;
  }
  own.waiting++;
  tool.send({
    ...{ api: 'produce', topic: own.topic, value: at < 0 ? line : line.slice(at + own.separator.length) },
    key: at < 0 ? null : line.slice(0, at),
  });
  tool.out('>');
  return true;
}
