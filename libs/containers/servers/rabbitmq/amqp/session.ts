import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Connection, Running } from '../../serve.js';
import { BrokerFailure, deleteQueue, find } from '../broker/broker.js';
import { hashPassword } from '../broker/password.js';
import type { Client, Own } from '../own.js';
import { closeChannel, finishPublish, METHODS, openChannel, requeue } from './methods.js';
import {
  content,
  Fields,
  FRAME,
  long,
  longLong,
  longText,
  method,
  octet,
  PROTOCOL,
  short,
  shortText,
  table,
  takeFrame,
  type Frame,
} from './wire.js';

type Server = Running<Own>;

const DETAILS = 'For details see the broker logfile.';
const MAX_TURN = 500;
const MAX_CHANNELS = 2_047;
const MAX_BODY = 4 << 20;
const MAX_UNSENT = 1 << 20;

/** Takes the frames that are whole. */
export function receiveAmqp(server: Server, connection: Connection): void {
  const client = connection.own as Client;
  if (client.phase === 'new' && !greet(server, connection, client)) return;
  for (let turn = 0; turn < MAX_TURN && !connection.closes; turn++) {
    const taken = takeFrame(connection.received);
    if (taken === undefined) break;
    if (taken === 'bad') {
      connection.closes = true;
      return;
    }
    connection.received = connection.received.slice(taken.length);
    server.sys.charge(40 + (taken.length >> 3));
    takeOne(server, connection, client, taken);
  }
  server.own.isDirty = true;
  deliver(server);
}

function greet(server: Server, connection: Connection, client: Client): boolean {
  if (connection.received.length < PROTOCOL.length) return false;
  if (!connection.received.startsWith(PROTOCOL)) {
    connection.unsent += PROTOCOL;
    connection.closes = true;
    return false;
  }
  connection.received = connection.received.slice(PROTOCOL.length);
  client.phase = 'start';
  const properties = {
    product: 'RabbitMQ',
    version: server.sys.env['RABBITMQ_VERSION'] ?? '',
    platform: 'Erlang/OTP 27',
    cluster_name: `rabbit@${server.sys.hostname}`,
  };
  connection.unsent += method(
    0,
    [10, 10],
    `${octet(0)}${octet(9)}${table(properties)}${longText('AMQPLAIN PLAIN')}${longText('en_US')}`,
  );
  return true;
}

function takeOne(server: Server, connection: Connection, client: Client, frame: Frame): void {
  if (frame.type === FRAME.heartbeat) return;
  const fields = new Fields(frame.payload);
  if (frame.type === FRAME.method) {
    const [group, id] = [fields.short(), fields.short()];
    if (group === 10) return takeConnection(server, connection, client, id, fields);
    return takeMethod(server, connection, client, frame.channel, group, id, fields);
  }
  const channel = client.channels[frame.channel];
  if (!channel?.incoming) return;
  const { incoming } = channel;
  if (frame.type === FRAME.header) {
    fields.long();
    incoming.size = fields.longLong();
    incoming.message.properties = fields.rest();
    incoming.message.isPersistent = isPersistent(incoming.message.properties);
    if (incoming.size > MAX_BODY) return closeConnection(connection, client, 501, 'FRAME_ERROR - message too large');
  } else incoming.message.body += frame.payload;
  if (incoming.size < 0 || incoming.message.body.length < incoming.size) return;
  guard(server, connection, client, frame.channel, [60, 40], () =>
    finishPublish({ own: server.own, client, number: frame.channel, channel, descriptor: connection.descriptor }),
  );
}

/** delivery-mode 2, which follows content-type, content-encoding and headers. */
function isPersistent(properties: Bytes): boolean {
  const fields = new Fields(properties);
  const flags = fields.short();
  if ((flags & 0x8000) !== 0) fields.text();
  if ((flags & 0x4000) !== 0) fields.text();
  if ((flags & 0x2000) !== 0) fields.longText();
  return (flags & 0x1000) !== 0 && fields.octet() === 2;
}

function takeConnection({ own }: Server, connection: Connection, client: Client, id: number, fields: Fields): void {
  if (id === 11 && client.phase === 'start') {
    fields.longText();
    const [mechanism, response] = [fields.text(), fields.longText()];
    const [, user = '', password = ''] = response.split('\0');
    if (mechanism !== 'PLAIN' || find(own.broker.users, user)?.password !== hashPassword(password)) {
      const refusal = `ACCESS_REFUSED - Login was refused using authentication mechanism ${mechanism}. ${DETAILS}`;
      return closeConnection(connection, client, 403, refusal);
    }
    client.user = user;
    client.phase = 'tune';
    connection.unsent += method(0, [10, 30], short(MAX_CHANNELS) + long(131_072) + short(60));
  } else if (id === 40 && client.phase === 'tune') {
    const host = fields.text();
    if (!Object.hasOwn(own.broker.hosts, host))
      return closeConnection(connection, client, 530, `NOT_ALLOWED - vhost ${host} not found`);
    if (!Object.hasOwn(own.broker.users[client.user]?.permissions ?? {}, host))
      return closeConnection(
        connection,
        client,
        530,
        `NOT_ALLOWED - access to vhost '${host}' refused for user '${client.user}'`,
      );
    client.host = host;
    client.phase = 'running';
    connection.unsent += method(0, [10, 41], shortText(''));
  } else if (id === 50) {
    connection.unsent += method(0, [10, 51]);
    connection.closes = true;
  } else if (id === 51) connection.closes = true;
}

function closeConnection(connection: Connection, client: Client, code: number, text: string): void {
  client.phase = 'closing';
  connection.unsent += method(0, [10, 50], short(code) + shortText(text) + short(0) + short(0));
}

function takeMethod(
  server: Server,
  connection: Connection,
  client: Client,
  number: number,
  group: number,
  id: number,
  fields: Fields,
): void {
  if (client.phase !== 'running') return;
  if (group === 20 && id === 10) {
    connection.unsent += openChannel(client, number);
    return;
  }
  const channel = client.channels[number];
  if (channel === undefined) return;
  guard(server, connection, client, number, [group, id], () => {
    const run = METHODS[`${group}.${id}`];
    if (run === undefined) throw new BrokerFailure(540, `NOT_IMPLEMENTED - method ${group}.${id} is not simulated`);
    return run({ own: server.own, client, number, channel, fields, descriptor: connection.descriptor });
  });
}

/** What goes wrong closes the channel, with the client's messages back in their queues. */
function guard(
  server: Server,
  connection: Connection,
  client: Client,
  number: number,
  [group, id]: readonly [number, number],
  run: () => Bytes,
): void {
  try {
    connection.unsent += run();
  } catch (error) {
    if (!(error instanceof BrokerFailure)) throw error;
    requeue(server.own.broker, client.host, client.channels[number]?.unacked ?? []);
    delete client.channels[number];
    connection.unsent += closeChannel(number, error, group, id);
  }
}

/** Gives messages to those that wait for them, one after another. */
export function deliver({ own, connections }: Server): void {
  for (const connection of connections) {
    const client = connection.own as Client | null;
    if (client?.phase !== 'running') continue;
    for (const [number, channel] of Object.entries(client.channels))
      for (const consumer of channel.consumers) {
        const queue = find(own.broker.hosts[client.host]!.queues, consumer.queue);
        while (queue && queue.messages.length > 0 && connection.unsent.length < MAX_UNSENT) {
          if (consumer.needsAck && channel.prefetch > 0 && channel.unacked.length >= channel.prefetch) break;
          const message = queue.messages.shift()!;
          const tag = channel.nextTag++;
          if (consumer.needsAck) channel.unacked.push({ tag, queue: consumer.queue, message });
          const { exchange, key, properties, body, isRedelivered } = message;
          const head =
            shortText(consumer.tag) +
            longLong(tag) +
            octet(isRedelivered ? 1 : 0) +
            shortText(exchange) +
            shortText(key);
          connection.unsent += method(Number(number), [60, 60], head) + content(Number(number), properties, body);
        }
      }
  }
}

/** A connection is over: what it has not confirmed is for others, and its own queues go with it. */
export function endAmqp(server: Server, connection: Connection): void {
  const client = connection.own as Client | null;
  if (!client || client.phase !== 'running') return;
  const { broker } = server.own;
  for (const channel of Object.values(client.channels)) requeue(broker, client.host, channel.unacked);
  for (const [name, queue] of Object.entries(broker.hosts[client.host]?.queues ?? {}))
    if (queue.owner === connection.descriptor) deleteQueue(broker, client.host, name);
  connection.own = null;
  server.own.isDirty = true;
  deliver(server);
}
