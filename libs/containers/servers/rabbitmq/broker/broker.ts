import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { hashPassword } from './password.js';

export type Message = {
  exchange: Bytes;
  key: Bytes;
  properties: Bytes;
  body: Bytes;
  isPersistent: boolean;
  isRedelivered: boolean;
};
/** `owner`: the connection that an exclusive queue ends with. */
export type Queue = { isDurable: boolean; autoDelete: boolean; owner: number | null; messages: Message[] };
export type Exchange = { type: Bytes; isDurable: boolean; autoDelete: boolean };
export type Binding = { source: Bytes; queue: Bytes; key: Bytes };
export type VirtualHost = { queues: Record<Bytes, Queue>; exchanges: Record<Bytes, Exchange>; bindings: Binding[] };
export type User = { password: string; tags: string[]; permissions: Record<Bytes, [string, string, string]> };

/** What a node knows. */
export type Broker = { users: Record<Bytes, User>; hosts: Record<Bytes, VirtualHost> };

/** An error of a channel: its reply code and text. */
export class BrokerFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const MAX_BYTES = 8 << 20;
const MAX_MESSAGES = 100_000;
const MAX_NAMES = 2_000;
const TYPES = ['direct', 'fanout', 'topic', 'headers'];

export const find = <T>(record: Readonly<Record<Bytes, T>>, name: Bytes): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

export function makeHost(): VirtualHost {
  const exchange = (type: Bytes): Exchange => ({ type, isDurable: true, autoDelete: false });
  const named = ['direct', 'fanout', 'headers', 'match', 'topic'].map((name): [string, Exchange] => [
    `amq.${name}`,
    exchange(name === 'match' ? 'headers' : name),
  ]);
  return { queues: {}, exchanges: { '': exchange('direct'), ...Object.fromEntries(named) }, bindings: [] };
}

export const makeBroker = (user: Bytes, password: Bytes, host: Bytes): Broker => ({
  users: {
    [user]: { password: hashPassword(password), tags: ['administrator'], permissions: { [host]: ['.*', '.*', '.*'] } },
  },
  hosts: { [host]: makeHost() },
});

/** What is written down: queues that last, and their messages that last. */
export const lastingPart = ({ users, hosts }: Broker): Broker => ({
  users,
  hosts: Object.fromEntries(
    Object.entries(hosts).map(([name, host]) => {
      const queues = Object.entries(host.queues)
        .filter(([, queue]) => queue.isDurable && queue.owner === null)
        .map(
          ([own, queue]) =>
            [own, { ...queue, messages: queue.messages.filter(({ isPersistent }) => isPersistent) }] as const,
        );
      const kept = new Set(queues.map(([own]) => own));
      const exchanges = Object.fromEntries(Object.entries(host.exchanges).filter(([, one]) => one.isDurable));
      const bindings = host.bindings.filter(({ queue, source }) => kept.has(queue) && Object.hasOwn(exchanges, source));
      return [name, { queues: Object.fromEntries(queues), exchanges, bindings }];
    }),
  ),
});

export function isBroker(value: unknown): value is Broker {
  const broker = value as Partial<Broker> | null;
  return typeof broker?.users === 'object' && typeof broker.hosts === 'object';
}

const shown = (kind: string, name: Bytes, host: Bytes): string => `${kind} '${name}' in vhost '${host}'`;

const differs = (argument: string, what: string, wanted: unknown, known: unknown): string =>
  `PRECONDITION_FAILED - inequivalent arg '${argument}' for ${what}: received '${String(wanted)}' but ` +
  `current is '${String(known)}'`;

export function needQueue(broker: Broker, host: Bytes, name: Bytes): Queue {
  const queue = find(broker.hosts[host]!.queues, name);
  if (queue === undefined) throw new BrokerFailure(404, `NOT_FOUND - no ${shown('queue', name, host)}`);
  return queue;
}

export function declareQueue(broker: Broker, host: Bytes, name: Bytes, wanted: Omit<Queue, 'messages'>): Queue {
  const { queues } = broker.hosts[host]!;
  const known = find(queues, name);
  if (known !== undefined) {
    if (known.owner !== null && known.owner !== wanted.owner)
      throw new BrokerFailure(
        405,
        `RESOURCE_LOCKED - cannot obtain exclusive access to locked ${shown('queue', name, host)}`,
      );
    if (known.isDurable !== wanted.isDurable)
      throw new BrokerFailure(406, differs('durable', shown('queue', name, host), wanted.isDurable, known.isDurable));
    return known;
  }
  if (Object.keys(queues).length >= MAX_NAMES || name === '__proto__')
    throw new BrokerFailure(
      406,
      `PRECONDITION_FAILED - cannot declare ${shown('queue', name, host)}: queue limit is reached`,
    );
  return (queues[name] = { ...wanted, messages: [] });
}

export function deleteQueue(broker: Broker, host: Bytes, name: Bytes): number {
  const own = broker.hosts[host]!;
  const count = find(own.queues, name)?.messages.length ?? 0;
  delete own.queues[name];
  own.bindings = own.bindings.filter(({ queue }) => queue !== name);
  return count;
}

export function declareExchange(broker: Broker, host: Bytes, name: Bytes, wanted: Exchange): void {
  const { exchanges } = broker.hosts[host]!;
  if (!TYPES.includes(wanted.type))
    throw new BrokerFailure(503, `COMMAND_INVALID - unknown exchange type '${wanted.type}'`);
  const known = find(exchanges, name);
  if (known !== undefined && known.type !== wanted.type)
    throw new BrokerFailure(406, differs('type', shown('exchange', name, host), wanted.type, known.type));
  if (name.startsWith('amq.') && known === undefined)
    throw new BrokerFailure(403, `ACCESS_REFUSED - exchange name '${name}' contains reserved prefix 'amq.*'`);
  if (Object.keys(exchanges).length >= MAX_NAMES || name === '__proto__')
    throw new BrokerFailure(406, 'PRECONDITION_FAILED - too many exchanges');
  exchanges[name] ??= wanted;
}

export function bind(broker: Broker, host: Bytes, binding: Binding): void {
  const own = broker.hosts[host]!;
  needQueue(broker, host, binding.queue);
  if (find(own.exchanges, binding.source) === undefined)
    throw new BrokerFailure(404, `NOT_FOUND - no ${shown('exchange', binding.source, host)}`);
  const isSame = (one: Binding): boolean =>
    one.queue === binding.queue && one.source === binding.source && one.key === binding.key;
  if (!own.bindings.some(isSame) && own.bindings.length < MAX_NAMES) own.bindings.push(binding);
}

export function unbind(broker: Broker, host: Bytes, { source, queue, key }: Binding): void {
  const own = broker.hosts[host]!;
  own.bindings = own.bindings.filter((one) => one.queue !== queue || one.source !== source || one.key !== key);
}

/** Puts a message into the queues that it is routed to; how many there are. */
export function publish(broker: Broker, host: Bytes, message: Message): number {
  const own = broker.hosts[host]!;
  const exchange = find(own.exchanges, message.exchange);
  if (exchange === undefined)
    throw new BrokerFailure(404, `NOT_FOUND - no ${shown('exchange', message.exchange, host)}`);
  if (exchange.type === 'headers')
    throw new BrokerFailure(540, 'NOT_IMPLEMENTED - headers exchanges are not simulated');
  const names =
    message.exchange === ''
      ? [message.key]
      : own.bindings
          .filter(({ source, key }) => source === message.exchange && routes(exchange.type, key, message.key))
          .map(({ queue }) => queue);
  let count = 0;
  for (const name of new Set(names)) {
    const queue = find(own.queues, name);
    if (queue === undefined) continue;
    needRoom(broker, message);
    queue.messages.push({ ...message });
    count++;
  }
  return count;
}

/** As the alarm for memory would stop a publisher. */
function needRoom({ hosts }: Broker, { body }: Message): void {
  let [bytes, count] = [body.length, 0];
  for (const { queues } of Object.values(hosts))
    for (const { messages } of Object.values(queues)) {
      count += messages.length;
      for (const message of messages) bytes += message.body.length;
    }
  if (bytes > MAX_BYTES || count >= MAX_MESSAGES)
    throw new BrokerFailure(506, 'RESOURCE_ERROR - the node keeps no more than 8 MiB of messages');
}

function routes(type: Bytes, pattern: Bytes, key: Bytes): boolean {
  if (type === 'fanout') return true;
  if (type !== 'topic') return pattern === key;
  return matchesTopic(pattern.split('.').slice(0, 128), key.split('.').slice(0, 128));
}

/** `*` is one word, `#` any number: the columns of a table, so that no pattern takes long. */
function matchesTopic(pattern: readonly Bytes[], words: readonly Bytes[]): boolean {
  let reached = [true, ...words.map(() => false)];
  for (const part of pattern) {
    const next = reached.map(() => false);
    for (let i = 0; i <= words.length; i++) {
      if (part === '#') next[i] = reached[i]! || (i > 0 && next[i - 1]!);
      else next[i] = i > 0 && reached[i - 1]! && (part === '*' || part === words[i - 1]);
    }
    reached = next;
  }
  return reached.at(-1)!;
}
