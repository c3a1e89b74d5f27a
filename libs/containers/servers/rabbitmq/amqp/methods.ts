import type { Bytes } from '../../../../engine/kernel/bytes.js';
import {
  bind,
  BrokerFailure,
  declareExchange,
  declareQueue,
  deleteQueue,
  find,
  needQueue,
  publish,
  unbind,
  type Broker,
} from '../broker/broker.js';
import { makeChannel, type Channel, type Client, type Own, type Unacked } from '../own.js';
import { content, type Fields, long, longLong, method, octet, short, shortText } from './wire.js';

/** One method of a client on its way. */
export interface Call {
  readonly own: Own;
  readonly client: Client;
  readonly number: number;
  readonly channel: Channel;
  readonly fields: Fields;
  /** Of the connection: who owns exclusive queues. */
  readonly descriptor: number;
}

type Method = (call: Call) => Bytes;

const hasBit = (bits: number, bit: number): boolean => (bits & (1 << bit)) !== 0;
const brokerOf = ({ own }: Call): Broker => own.broker;

function queueDeclare(call: Call): Bytes {
  const { own, client, number, fields, descriptor } = call;
  fields.short();
  const given = fields.text();
  const bits = fields.octet();
  const name = given === '' ? `amq.gen-${(own.next++).toString(36)}` : given;
  const [isPassive, isDurable, isExclusive, autoDelete, isSilent] = [0, 1, 2, 3, 4].map((bit) => hasBit(bits, bit));
  const wanted = { isDurable: isDurable!, autoDelete: autoDelete!, owner: isExclusive ? descriptor : null };
  const queue = isPassive
    ? needQueue(own.broker, client.host, name)
    : declareQueue(own.broker, client.host, name, wanted);
  if (isSilent) return '';
  return method(number, [50, 11], shortText(name) + long(queue.messages.length) + long(0));
}

function queueBind(call: Call): Bytes {
  const { client, number, fields } = call;
  fields.short();
  const [queue, source, key] = [fields.text(), fields.text(), fields.text()];
  bind(brokerOf(call), client.host, { queue, source, key });
  return hasBit(fields.octet(), 0) ? '' : method(number, [50, 21]);
}

function queueUnbind(call: Call): Bytes {
  const { client, number, fields } = call;
  fields.short();
  const [queue, source, key] = [fields.text(), fields.text(), fields.text()];
  unbind(brokerOf(call), client.host, { queue, source, key });
  return method(number, [50, 51]);
}

function queuePurge(call: Call): Bytes {
  const { client, number, fields } = call;
  fields.short();
  const queue = needQueue(brokerOf(call), client.host, fields.text());
  const count = queue.messages.splice(0, queue.messages.length).length;
  return method(number, [50, 31], long(count));
}

function queueDelete(call: Call): Bytes {
  const { client, number, fields } = call;
  fields.short();
  const name = fields.text();
  const bits = fields.octet();
  const queue = find(brokerOf(call).hosts[client.host]!.queues, name);
  if (hasBit(bits, 1) && queue && queue.messages.length > 0)
    throw new BrokerFailure(406, `PRECONDITION_FAILED - queue '${name}' in vhost '${client.host}' not empty`);
  return method(number, [50, 41], long(deleteQueue(brokerOf(call), client.host, name)));
}

function exchangeDeclare(call: Call): Bytes {
  const { client, number, fields } = call;
  fields.short();
  const [name, type, bits] = [fields.text(), fields.text(), fields.octet()];
  const known = find(brokerOf(call).hosts[client.host]!.exchanges, name);
  if (hasBit(bits, 0) && known === undefined)
    throw new BrokerFailure(404, `NOT_FOUND - no exchange '${name}' in vhost '${client.host}'`);
  if (!hasBit(bits, 0))
    declareExchange(brokerOf(call), client.host, name, {
      type,
      isDurable: hasBit(bits, 1),
      autoDelete: hasBit(bits, 2),
    });
  return hasBit(bits, 4) ? '' : method(number, [40, 11]);
}

function exchangeDelete(call: Call): Bytes {
  const { client, number, fields } = call;
  fields.short();
  const name = fields.text();
  const own = brokerOf(call).hosts[client.host]!;
  delete own.exchanges[name];
  own.bindings = own.bindings.filter(({ source }) => source !== name);
  return method(number, [40, 21]);
}

function basicPublish({ channel, fields }: Call): Bytes {
  fields.short();
  const [exchange, key] = [fields.text(), fields.text()];
  channel.incoming = {
    message: { exchange, key, properties: '', body: '', isPersistent: false, isRedelivered: false },
    size: -1,
  };
  return '';
}

/** A message is whole: it is routed, and confirmed where that was asked for. */
export function finishPublish({ own, client, number, channel }: Omit<Call, 'fields'>): Bytes {
  const { message } = channel.incoming!;
  channel.incoming = null;
  publish(own.broker, client.host, message);
  if (channel.confirms === null) return '';
  return method(number, [60, 80], longLong(++channel.confirms) + octet(0));
}

function basicGet(call: Call): Bytes {
  const { client, number, channel, fields } = call;
  fields.short();
  const name = fields.text();
  const needsAck = !hasBit(fields.octet(), 0);
  const queue = needQueue(brokerOf(call), client.host, name);
  const message = queue.messages.shift();
  if (message === undefined) return method(number, [60, 72], shortText(''));
  const tag = channel.nextTag++;
  if (needsAck) channel.unacked.push({ tag, queue: name, message });
  const { exchange, key, properties, body, isRedelivered } = message;
  const head =
    longLong(tag) + octet(isRedelivered ? 1 : 0) + shortText(exchange) + shortText(key) + long(queue.messages.length);
  return method(number, [60, 71], head) + content(number, properties, body);
}

function basicConsume(call: Call): Bytes {
  const { own, client, number, channel, fields } = call;
  fields.short();
  const [name, given, bits] = [fields.text(), fields.text(), fields.octet()];
  needQueue(own.broker, client.host, name);
  const tag = given === '' ? `amq.ctag-${(own.next++).toString(36)}` : given;
  if (channel.consumers.some((one) => one.tag === tag))
    throw new BrokerFailure(530, `NOT_ALLOWED - attempt to reuse consumer tag '${tag}'`);
  channel.consumers.push({ tag, queue: name, needsAck: !hasBit(bits, 1) });
  return hasBit(bits, 3) ? '' : method(number, [60, 21], shortText(tag));
}

function basicCancel({ number, channel, fields }: Call): Bytes {
  const tag = fields.text();
  channel.consumers = channel.consumers.filter((one) => one.tag !== tag);
  return method(number, [60, 31], shortText(tag));
}

/** Those that an answer with a tag is about. */
function takeUnacked(channel: Channel, tag: number, isMany: boolean): Unacked[] {
  const isMeant = (one: Unacked): boolean => (isMany ? tag === 0 || one.tag <= tag : one.tag === tag);
  const taken = channel.unacked.filter(isMeant);
  if (taken.length === 0 && tag !== 0)
    throw new BrokerFailure(406, `PRECONDITION_FAILED - unknown delivery tag ${tag}`);
  channel.unacked = channel.unacked.filter((one) => !isMeant(one));
  return taken;
}

function basicAck({ channel, fields }: Call): Bytes {
  takeUnacked(channel, fields.longLong(), hasBit(fields.octet(), 0));
  return '';
}

function basicReject({ own, client, channel, fields }: Call, isNack: boolean): Bytes {
  const [tag, bits] = [fields.longLong(), fields.octet()];
  const taken = takeUnacked(channel, tag, isNack && hasBit(bits, 0));
  if (hasBit(bits, isNack ? 1 : 0)) requeue(own.broker, client.host, taken);
  return '';
}

/** Messages that nobody has confirmed go back to the head of their queues. */
export function requeue(broker: Broker, host: Bytes, unacked: readonly Unacked[]): void {
  for (const { queue, message } of [...unacked].reverse())
    find(broker.hosts[host]?.queues ?? {}, queue)?.messages.unshift({ ...message, isRedelivered: true });
}

function channelClose({ own, client, number, channel }: Call): Bytes {
  requeue(own.broker, client.host, channel.unacked);
  delete client.channels[number];
  return method(number, [20, 41]);
}

/** Methods by `class.method`; what is not here is not implemented. */
export const METHODS: Readonly<Record<string, Method>> = {
  '20.40': channelClose,
  '20.20': ({ number, fields }) => method(number, [20, 21], octet(fields.octet())),
  ...{ '40.10': exchangeDeclare, '40.20': exchangeDelete },
  ...{ '50.10': queueDeclare, '50.20': queueBind, '50.30': queuePurge, '50.40': queueDelete, '50.50': queueUnbind },
  '60.10': ({ number, channel, fields }) => {
    fields.long();
    channel.prefetch = fields.short();
    return method(number, [60, 11]);
  },
  ...{ '60.20': basicConsume, '60.30': basicCancel, '60.40': basicPublish, '60.70': basicGet, '60.80': basicAck },
  '60.90': (call) => basicReject(call, false),
  '60.120': (call) => basicReject(call, true),
  '85.10': ({ number, channel, fields }) => {
    channel.confirms ??= 0;
    return hasBit(fields.octet(), 0) ? '' : method(number, [85, 11]);
  },
};

/** Closes a channel with what went wrong. */
export const closeChannel = (number: number, failure: BrokerFailure, group: number, id: number): Bytes =>
  method(number, [20, 40], short(failure.code) + shortText(failure.message) + short(group) + short(id));

export function openChannel(client: Client, number: number): Bytes {
  client.channels[number] = makeChannel();
  return method(number, [20, 11], long(0));
}
