import type { FileNode, ImageFiles } from '../../../engine/kernel/files/file.js';
import { directory, file, joinLayers, readPrograms, withAccounts } from '../../layers/index.js';
import { DEFAULTS } from '../../servers/kafka/broker/configuration.js';
import { alpine, debian, shareLayer, withAlpinePackages } from '../bases.js';

const TOOLS = 'topics console-producer console-consumer consumer-groups get-offsets broker-api-versions'.split(' ');
/** What is there, and is not simulated. */
const OTHERS = (
  'acls cluster configs delete-records features leader-election log-dirs metadata-quorum mirror-maker ' +
  'producer-perf-test consumer-perf-test reassign-partitions run-class storage streams-application-reset ' +
  'transactions verifiable-producer verifiable-consumer'
).split(' ');

interface Layout {
  readonly base: () => ImageFiles;
  /** Where the tools are, what their names end with, and the server's properties. */
  readonly tools: string;
  readonly suffix: '.sh' | '';
  readonly properties: string;
  readonly java: string;
  readonly user: number;
  readonly account: string;
  readonly entrypoint: string;
  readonly own: readonly string[];
}

export const LAYOUTS = {
  apache: {
    ...{
      base: () => withAlpinePackages(alpine('3.22'), 'bash'),
      tools: '/opt/kafka/bin',
      suffix: '.sh',
      user: 1_000,
      account: 'appuser',
    },
    ...{
      properties: '/opt/kafka/config/server.properties',
      java: '/opt/java/openjdk/bin',
      entrypoint: '/etc/kafka/docker/run',
    },
    own: ['/var/lib/kafka', '/var/lib/kafka/data', '/mnt/shared/config', '/etc/kafka/secrets', '/opt/kafka/logs'],
  },
  confluent: {
    ...{ base: () => debian('bookworm'), tools: '/usr/bin', suffix: '', user: 1_000, account: 'appuser' },
    ...{
      properties: '/etc/kafka/kafka.properties',
      java: '/usr/lib/jvm/java-21/bin',
      entrypoint: '/etc/confluent/docker/run',
    },
    own: ['/var/lib/kafka', '/var/lib/kafka/data', '/etc/kafka/secrets'],
  },
  bitnami: {
    ...{
      base: () => debian('bookworm'),
      tools: '/opt/bitnami/kafka/bin',
      suffix: '.sh',
      user: 1_001,
      account: 'kafka',
    },
    ...{ properties: '/opt/bitnami/kafka/config/server.properties', java: '/opt/bitnami/java/bin' },
    entrypoint: '/opt/bitnami/scripts/kafka/run.sh',
    own: ['/bitnami/kafka', '/bitnami/kafka/data', '/opt/bitnami/kafka/logs'],
  },
} as const satisfies Readonly<Record<string, Layout>>;

/** Java in the place of the script that starts the server. */
const start = (java: string, properties: string): string =>
  `exec ${java}/java -Xmx1G -Xms1G -server -cp /opt/kafka/libs/* kafka.Kafka ${properties}\n`;

const runScript = (name: keyof typeof LAYOUTS, java: string, properties: string): string => {
  const check =
    name === 'confluent'
      ? 'if [ -n "$KAFKA_PORT" ]; then\n\techo "port is deprecated. Please use KAFKA_ADVERTISED_LISTENERS instead."\n\texit 1\nfi\n'
      : '';
  return `#!/bin/bash\necho '===> User'\nid\n${check}echo '===> Configuring ...'\necho '===> Launching ...'\n${start(java, properties)}`;
};

/** An image with a broker and its tools. */
export function kafkaFiles(name: keyof typeof LAYOUTS): ImageFiles {
  const { base, tools, suffix, properties, java, user, account, entrypoint, own }: Layout = LAYOUTS[name];
  return shareLayer(`kafka ${name}`, () => {
    const list = (names: readonly string[], program: (tool: string) => string): string =>
      names.map((tool) => `kafka-${tool}${suffix}=${program(tool)}`).join(' ');
    const owned = own.map((path): [string, FileNode] => [path, { ...directory(), user, group: user }]);
    const text = Object.entries(DEFAULTS).map(([key, value]) => `${key}=${value}\n`);
    return withAccounts(
      joinLayers(
        base(),
        readPrograms(`${java} kafka java`),
        readPrograms(`${tools} kafka ${list(TOOLS, (tool) => `kafka:${tool}`)} ${list(OTHERS, () => 'unsimulated')}`),
        {
          [entrypoint]: file(runScript(name, java, properties), 0o755),
          '/__cacert_entrypoint.sh': file('#!/bin/sh\nexec "$@"\n', 0o755),
          [`${tools}/kafka-server-start${suffix}`]: file(`#!/bin/bash\n${start(java, '"$1"')}`, 0o755),
          [properties]: { ...file(text.join('')), user, group: user },
        },
        Object.fromEntries(owned),
      ),
      [[account, user, user, '', `/home/${account}`, '/bin/sh']],
      [[account, user]],
    );
  });
}
