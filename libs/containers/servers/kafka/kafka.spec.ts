import { expect, test } from '@jest/globals';
import { FileTree } from '../../../engine/kernel/files/tree.js';
import type { Machine } from '../../../engine/kernel/machine.js';
import { image } from '../../catalog/kafka/image.js';
import { image as confluent } from '../../catalog/kafka-confluent/image.js';
import { programs } from '../../programs/index.js';
import { BOOT, exchange, execute, logOf, runTo, startImage } from '../testing.js';

const READY_MS = 8_000;

function serve(root = new FileTree('root', image.files ?? {}), env: Record<string, string> = {}): Machine {
  const machine = startImage(image, programs, { root, env: { ...image.config.env, ...env } });
  runTo(machine, BOOT + READY_MS);
  return machine;
}

const shell = (machine: Machine, script: string, waitMs = 10_000) => {
  const { stdout, stderr, code } = execute(machine, ['sh', '-c', script], waitMs);
  return { out: stdout, err: stderr.replaceAll(/\[\d{4}-[^\]]*\]/g, '[TIME]'), code };
};
const AT = '--bootstrap-server localhost:9092';
const topics = (machine: Machine, words: string) => shell(machine, `kafka-topics.sh ${AT} ${words}`);
const EXISTS = "Topic 'orders' already exists.";

test('topics are made, described, widened and deleted', () => {
  const machine = serve();
  const table: readonly (readonly [words: string, out: string, err?: string, code?: number])[] = [
    ['--create --topic orders --partitions 2', 'Created topic orders.\n'],
    [
      '--create --topic orders',
      '',
      `Error while executing topic command : ${EXISTS}\n[TIME] ERROR org.apache.kafka.common.errors.TopicExistsException: ${EXISTS}\n (org.apache.kafka.tools.TopicCommand)\n`,
      1,
    ],
    ['--create --topic orders --if-not-exists', ''],
    ['--list', 'orders\n'],
    ['--alter --topic orders --partitions 3', ''],
    ['--delete --topic orders', ''],
    ['--list', ''],
    [
      '--topic orders',
      '',
      'Command must include exactly one action: --list, --describe, --create, --alter or --delete\n',
      1,
    ],
    ['--create --topic x --bogus', '', 'bogus is not a recognized option\n', 1],
  ];
  for (const [words, out, err = '', code = 0] of table)
    expect([words, topics(machine, words)]).toEqual([words, { out, err, code }]);
  topics(machine, '--create --topic a --config retention.ms=1000');
  expect(topics(machine, '--describe --topic a').out).toMatch(
    /^Topic: a\tTopicId: [\w-]{22}\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: retention\.ms=1000\n\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\t/,
  );
});

test.each([
  [
    '--create --topic x --replication-factor 3',
    /The target replication factor of 3 cannot be reached because only 1 broker/,
  ],
  [
    '--create --topic a/b',
    /InvalidTopicException: Topic name is invalid: 'a\/b' contains one or more characters other/,
  ],
  ['--delete --topic none', /^Error while executing topic command : Topic 'none' does not exist as expected\n/],
  ['--create --topic x --partitions 5000', /PolicyViolationException/],
])('%s is refused', (words, expected) => {
  const { err, code } = topics(serve(), words);
  expect(err).toMatch(expected);
  expect(code).toBe(1);
});

const READ = `kafka-console-consumer.sh ${AT} --topic t --from-beginning --timeout-ms 1000`;

test('what is produced is consumed, in the order of its partition', () => {
  const machine = serve();
  const made = shell(machine, `printf 'one\\ntwo\\nthree\\n' | kafka-console-producer.sh ${AT} --topic t`);
  expect(made).toMatchObject({ out: '>>>>', code: 0 });
  expect(made.err).toContain('{t=UNKNOWN_TOPIC_OR_PARTITION}');
  expect(shell(machine, READ)).toEqual({
    out: 'one\ntwo\nthree\n',
    err: expect.stringMatching(/TimeoutException\nProcessed a total of 3 messages\n$/),
    code: 1,
  });
  expect(shell(machine, `${READ} --max-messages 2`)).toEqual({
    out: 'one\ntwo\n',
    err: 'Processed a total of 2 messages\n',
    code: 0,
  });
  expect(shell(machine, `kafka-get-offsets.sh ${AT} --topic t`).out).toBe('t:0:3\n');
});

test('messages of one key go to one partition', () => {
  const machine = serve();
  topics(machine, '--create --topic t --partitions 3');
  const properties = '--property parse.key=true --property key.separator=:';
  shell(machine, `printf 'a:1\\nb:2\\na:3\\nc:4\\n' | kafka-console-producer.sh ${AT} --topic t ${properties}`);
  const { out } = shell(
    machine,
    `${READ} --property print.key=true --property print.partition=true --property key.separator=,`,
  );
  const partitions = new Map<string, Set<string>>();
  for (const line of out.trimEnd().split('\n')) {
    const [partition, key] = line.split(',') as [string, string];
    partitions.set(key, (partitions.get(key) ?? new Set()).add(partition));
  }
  expect([...partitions.values()].map(({ size }) => size)).toEqual([1, 1, 1]);
});

const GROUPS = `kafka-consumer-groups.sh ${AT}`;

test('a group goes on where it was, and can be sent back', () => {
  const machine = serve();
  const produce = (text: string) => shell(machine, `echo ${text} | kafka-console-producer.sh ${AT} --topic t`);
  const consume = () => shell(machine, `${READ} --group g`).out;
  produce('one');
  expect(consume()).toBe('one\n');
  produce('two');
  expect(shell(machine, `${GROUPS} --describe --group g`)).toEqual({
    out: `\nGROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID     HOST            CLIENT-ID\ng               t               0          1               2               1               -               -               -\n`,
    err: "\nConsumer group 'g' has no active members.\n",
    code: 0,
  });
  expect(consume()).toBe('two\n');
  const reset = shell(machine, `${GROUPS} --group g --topic t --reset-offsets --to-earliest --execute`);
  expect(reset.out).toMatch(/^\nGROUP +TOPIC +PARTITION +NEW-OFFSET +\ng +t +0 +0 +\n$/);
  expect(consume()).toBe('one\ntwo\n');
  expect(shell(machine, `${GROUPS} --list`).out).toBe('g\n');
  expect(shell(machine, `${GROUPS} --describe --group other`).err).toBe(
    "\nError: Consumer group 'other' does not exist.\n",
  );
  expect(shell(machine, `${GROUPS} --delete --group g`).out).toBe(
    "Deletion of requested consumer groups ('g') was successful.\n",
  );
});

test('consumers of one group share the partitions', () => {
  const machine = serve();
  topics(machine, '--create --topic t --partitions 2');
  for (const name of ['one', 'two'])
    machine.exec(
      'c1',
      {
        argv: ['sh', '-c', `kafka-console-consumer.sh ${AT} --topic t --group g > /tmp/${name}`],
        ...{ stdin: false, terminal: false },
      },
      machine.now,
    );
  runTo(machine, machine.now + 1_000);
  const shown = shell(machine, `${GROUPS} --describe --group g --members`).out;
  expect(shown.match(/ 1 +$/gm)).toHaveLength(2);
  const lines = Array.from({ length: 20 }, (_, i) => `m${i}`);
  shell(machine, `printf '${lines.join('\\n')}\\n' | kafka-console-producer.sh ${AT} --topic t`);
  const read = ['one', 'two'].map((name) =>
    execute(machine, ['cat', `/tmp/${name}`])
      .stdout.split('\n')
      .filter(Boolean),
  );
  expect(read.every(({ length }) => length > 0)).toBe(true);
  expect(read.flat().sort()).toEqual([...lines].sort());
  const active = shell(machine, `${GROUPS} --group g --topic t --reset-offsets --to-latest --execute`);
  expect(active.err).toContain(
    "Assignments can only be reset if the group 'g' is inactive, but the current state is Stable.",
  );
});

test('topics, messages and offsets lie in files: they are there after a restart', () => {
  const root = new FileTree('root', image.files ?? {});
  const first = serve(root);
  shell(first, `printf 'kept\\n' | kafka-console-producer.sh ${AT} --topic t`);
  shell(first, `${READ} --group g`);
  const again = serve(root);
  expect(shell(again, READ).out).toBe('kept\n');
  expect(shell(again, `${READ} --group g`).out).toBe('');
  expect(execute(again, ['ls', '/tmp/kraft-combined-logs']).stdout).toBe(
    '__cluster_metadata-0\n__consumer_offsets-0\nt-0\n',
  );
  expect(topics(serve(), '--list').out).toBe('');
  topics(again, '--delete --topic t');
  expect(execute(again, ['ls', '/tmp/kraft-combined-logs']).stdout).not.toContain('t-0');
});

test('a client goes to the address that is advertised', () => {
  const settings = {
    ...{ KAFKA_NODE_ID: '2', KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093' },
    ...{ KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://10.9.9.9:9092', KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER' },
  };
  const machine = serve(undefined, settings);
  const { err, code } = shell(machine, `kafka-topics.sh ${AT} --list`, 400_000);
  expect(err).toContain(
    'Connection to node 2 (10.9.9.9/10.9.9.9:9092) could not be established. Node may not be available.',
  );
  expect(err).toMatch(/TimeoutException: Timed out waiting for a node assignment\. Call: listTopics\n/);
  expect(code).toBe(1);
});

test.each<[string, Record<string, string>, RegExp]>([
  [
    'a wild address',
    { KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' },
    /cannot use the nonroutable meta-address 0\.0\.0\.0/,
  ],
  [
    'another protocol',
    { KAFKA_LISTENERS: 'SSL://:9092' },
    /the security protocol SSL of listener SSL is not simulated/,
  ],
  ['what is no listener', { KAFKA_LISTENERS: 'x' }, /Unable to parse x to a broker endpoint/],
])('%s ends the broker', (_name, env, expected) => {
  const machine = serve(undefined, env);
  expect(machine.container('c1').exit?.code).toBe(1);
  expect(logOf(machine, 'stdout') + logOf(machine, 'stderr')).toMatch(expected);
});

test('bytes of another protocol end their connection, and the log says why', () => {
  const machine = serve();
  expect(exchange(machine, 9_092, '\0\0\0\x05hello')).toBe('');
  expect(logOf(machine, 'stdout') + logOf(machine, 'stderr')).toContain("Kafka's own protocol is not simulated");
});

test("Confluent's image has tools without an ending, and takes no KAFKA_PORT", () => {
  const env = { ...confluent.config.env, KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://localhost:9092' };
  const machine = startImage(confluent, programs, { env });
  runTo(machine, BOOT + READY_MS);
  expect(shell(machine, `kafka-topics ${AT} --create --topic t`).out).toBe('Created topic t.\n');
  const broken = startImage(confluent, programs, { env: { ...env, KAFKA_PORT: 'tcp://10.96.1.1:9092' } });
  runTo(broken, BOOT + READY_MS);
  expect(broken.container('c1').exit?.code).toBe(1);
});
