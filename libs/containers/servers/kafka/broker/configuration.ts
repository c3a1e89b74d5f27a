import type { Bytes } from '../../../../engine/kernel/bytes.js';

export type Listener = { name: Bytes; host: Bytes; port: number };
/** What of a broker's properties acts. */
export type Configuration = {
  id: number;
  listeners: Listener[];
  /** Where clients are sent, by the listener's name. */
  advertised: Listener[];
  directory: Bytes;
  partitions: number;
  createsTopics: boolean;
};

/** The properties of an image's own file, when no variable says anything. */
export const DEFAULTS: Readonly<Record<string, string>> = {
  'node.id': '1',
  'process.roles': 'broker,controller',
  listeners: 'PLAINTEXT://:9092,CONTROLLER://:9093',
  'advertised.listeners': 'PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093',
  'controller.listener.names': 'CONTROLLER',
  'listener.security.protocol.map':
    'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL',
  'controller.quorum.voters': '1@localhost:9093',
  'log.dirs': '/tmp/kraft-combined-logs',
  'num.partitions': '1',
  'offsets.topic.replication.factor': '1',
};

/** What variables of the image do not stand for a property. */
const OTHERS = /^KAFKA_(?:HEAP_OPTS|JVM_|JMX_|OPTS|LOG4J_|GC_|VERSION|HOME|PORT|SERVICE_|.*_(?:PORT|SERVICE)_)/;

/** `KAFKA_NODE_ID` is node.id, `KAFKA_CFG_NODE_ID` in Bitnami's image. */
export function propertiesOf(env: Readonly<Record<string, string>>): Record<string, string> {
  const isBitnami = Object.keys(env).some((name) => name.startsWith('KAFKA_CFG_'));
  const properties: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (isBitnami ? !name.startsWith('KAFKA_CFG_') : !name.startsWith('KAFKA_') || OTHERS.test(name)) continue;
    const words = name.slice(isBitnami ? 10 : 6).toLowerCase();
    properties[words.replaceAll('___', '-').replaceAll('__', '\0').replaceAll('_', '.').replaceAll('\0', '_')] = value;
  }
  if (properties['broker.id'] !== undefined) properties['node.id'] ??= properties['broker.id'];
  return properties;
}

/** Lines of NAME=VALUE. */
export function readProperties(text: Bytes): Record<string, string> {
  const lines = text.split('\n').filter((line) => /^\s*[^#!\s][^=]*=/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1).trim()]),
  );
}

/** A text is why the broker does not start. */
export function readConfiguration(given: Readonly<Record<string, string>>, hostname: string): Configuration | string {
  const { 'log.dir': oldDirectory, ...own } = given;
  const listeners = listenersOf(
    own['listeners'] ?? own['advertised.listeners']?.replaceAll(/:\/\/[^:,]*/g, '://') ?? 'PLAINTEXT://:9092',
  );
  const advertised = listenersOf(own['advertised.listeners'] ?? own['listeners'] ?? 'PLAINTEXT://:9092');
  if (typeof listeners === 'string') return listeners;
  if (typeof advertised === 'string') return advertised;
  const controllers = (own['controller.listener.names'] ?? '').split(',');
  const clients = listeners.filter(({ name }) => !controllers.includes(name));
  for (const { name } of clients) {
    const protocol = protocolOf(
      name,
      own['listener.security.protocol.map'] ?? DEFAULTS['listener.security.protocol.map']!,
    );
    if (protocol === undefined) return `No security protocol defined for listener ${name}`;
    if (protocol !== 'PLAINTEXT') return `the security protocol ${protocol} of listener ${name} is not simulated`;
  }
  const wild = advertised.find(({ name, host }) => host === '0.0.0.0' && !controllers.includes(name));
  if (wild)
    return 'requirement failed: advertised.listeners cannot use the nonroutable meta-address 0.0.0.0. Use a routable IP address.';
  const partitions = Number(own['num.partitions'] ?? 1);
  if (!Number.isInteger(partitions) || partitions < 1)
    return `Invalid value ${own['num.partitions']} for configuration num.partitions: Value must be at least 1`;
  return {
    id: Number(own['node.id'] ?? 1) || 1,
    listeners: clients,
    advertised: advertised.map((one) => ({ ...one, host: one.host || hostname })),
    directory: (own['log.dirs'] ?? oldDirectory ?? '/tmp/kafka-logs').split(',', 1)[0]!,
    ...{ partitions, createsTopics: own['auto.create.topics.enable'] !== 'false' },
  };
}

function listenersOf(text: string): Listener[] | string {
  const listeners: Listener[] = [];
  for (const one of text.split(',').map((word) => word.trim())) {
    const [, name, host, port] = /^([\w.-]+):\/\/([^:/]*):(\d{1,5})$/.exec(one) ?? [];
    if (name === undefined) return `requirement failed: Unable to parse ${one} to a broker endpoint`;
    listeners.push({ name: name.toUpperCase(), host: host!, port: Number(port) });
  }
  return listeners;
}

/** The protocol of a listener; undefined: the map does not say. */
const protocolOf = (name: string, map: string): string | undefined =>
  map
    .split(',')
    .map((pair) => pair.trim().split(':'))
    .find(([key]) => key === name)?.[1];
