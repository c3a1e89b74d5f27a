import { decodeBase64 } from '../../../engine/machinery/text/base64.js';
import { bytesOf, fromArray, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { json } from '../apps/app.js';
import { unescapeUrl, type AnswerParts, type HttpRequest } from '../http.js';
import type { Running } from '../serve.js';
import { BrokerFailure, declareQueue, deleteQueue, find, publish, type Broker } from './broker/broker.js';
import { bindingRows, exchangeRows, queueRows } from './broker/control.js';
import { hashPassword } from './broker/password.js';
import type { Own } from './own.js';

type Server = Running<Own>;

const MAX_FETCHED = 1_000;
const NOT_FOUND: AnswerParts = json({ error: 'Object Not Found', reason: 'Not Found' }, 404);
const notAuthorized = (): AnswerParts => {
  const { body } = json({ error: 'not_authorized', reason: 'Login failed' });
  return {
    status: 401,
    headers: { 'content-type': 'application/json', 'www-authenticate': 'Basic realm="RabbitMQ Management"' },
    body,
  };
};

function isKnown({ users }: Broker, authorization = ''): boolean {
  const credentials = /^Basic ([A-Za-z\d+/=]+)$/i.exec(authorization)?.[1];
  if (credentials === undefined) return false;
  const [user = '', password = ''] = fromArray(decodeBase64(credentials)).split(/:(.*)/s);
  return find(users, user)?.password === hashPassword(password);
}

const bodyOf = (request: HttpRequest): Record<string, unknown> | undefined => {
  try {
    const value = JSON.parse(textOf(request.body) || '{}') as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

/** The management plug-in's HTTP API. Left out: its pages, statistics, policies, definitions. */
export function answerManagement(request: HttpRequest, server: Server): AnswerParts {
  const { own } = server;
  const [first, kind = '', ...names] = request.route
    .split('/')
    .slice(1)
    .map((part) => bytesOf(unescapeUrl(part)));
  if (first !== 'api') {
    const body = '<!DOCTYPE html>\n<html><head><title>RabbitMQ Management</title></head><body></body></html>\n';
    return { status: request.route === '/' ? 200 : 404, headers: { 'content-type': 'text/html' }, body };
  }
  if (!isKnown(own.broker, request.headers['authorization'])) return notAuthorized();
  try {
    return answerApi(request, server, kind, names) ?? NOT_FOUND;
  } catch (error) {
    if (error instanceof BrokerFailure) return json({ error: 'bad_request', reason: error.message }, 400);
    throw error;
  }
}

function answerApi(
  request: HttpRequest,
  server: Server,
  kind: Bytes,
  names: readonly Bytes[],
): AnswerParts | undefined {
  const { own, sys } = server;
  const hosts = Object.keys(own.broker.hosts);
  const [host, name, action] = names;
  const isKnownHost = host === undefined || hosts.includes(host);
  if (!isKnownHost && kind !== 'users') return undefined;
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  if (kind === 'queues' && name !== undefined) return answerQueue(request, server, host!, name, action);
  if (kind === 'exchanges' && action === 'publish' && request.method === 'POST')
    return publishTo(request, server, host!, name!);
  if (!isReading) return json({ error: 'method_not_allowed', reason: 'not simulated' }, 405);
  const all = (rows: (server: Server, host: Bytes) => object[]): AnswerParts =>
    json((host === undefined ? hosts : [host]).flatMap((one) => rows(server, one)));
  switch (kind) {
    case 'queues':
      return all(queueRows);
    case 'exchanges':
      return all(exchangeRows);
    case 'bindings':
      return all(bindingRows);
    case 'vhosts':
      return json(hosts.map((one) => ({ name: one, tracing: false })));
    case 'users':
      return json(Object.entries(own.broker.users).map(([user, { tags }]) => ({ name: user, tags })));
    case 'whoami':
      return json({
        name: fromArray(decodeBase64(request.headers['authorization']!.slice(6))).split(':', 1)[0],
        tags: ['administrator'],
      });
    case 'overview': {
      const queues = hosts.flatMap((one) => queueRows(server, one));
      const sum = (field: string): number => queues.reduce((total, row) => total + Number(row[field]), 0);
      return json({
        ...{
          management_version: sys.env['RABBITMQ_VERSION'],
          rabbitmq_version: sys.env['RABBITMQ_VERSION'],
          product_name: 'RabbitMQ',
        },
        ...{ cluster_name: `rabbit@${sys.hostname}`, node: `rabbit@${sys.hostname}` },
        queue_totals: {
          messages: sum('messages'),
          messages_ready: sum('messages_ready'),
          messages_unacknowledged: sum('messages_unacknowledged'),
        },
        object_totals: { queues: queues.length, consumers: sum('consumers') },
      });
    }
    case 'nodes':
      return json([{ name: `rabbit@${sys.hostname}`, running: true, type: 'disc' }]);
    case 'health':
    case 'healthchecks':
    case 'aliveness-test':
      return json({ status: 'ok' });
    default:
      return undefined;
  }
}

function answerQueue(
  request: HttpRequest,
  server: Server,
  host: Bytes,
  name: Bytes,
  action: Bytes | undefined,
): AnswerParts | undefined {
  const { broker } = server.own;
  const queue = find(broker.hosts[host]!.queues, name);
  const body = bodyOf(request);
  if (body === undefined) return json({ error: 'bad_request', reason: 'not_json' }, 400);
  if (request.method === 'PUT') {
    declareQueue(broker, host, name, {
      isDurable: body['durable'] !== false,
      autoDelete: body['auto_delete'] === true,
      owner: null,
    });
    server.own.isDirty = true;
    return { status: queue ? 204 : 201 };
  }
  if (queue === undefined) return undefined;
  server.own.isDirty = true;
  if (request.method === 'DELETE') {
    if (action === 'contents') queue.messages = [];
    else deleteQueue(broker, host, name);
    return { status: 204 };
  }
  if (action === 'get' && request.method === 'POST') {
    const count = Math.min(MAX_FETCHED, Math.max(0, Number(body['count'] ?? 1) || 0));
    const left = queue.messages.length;
    const taken = queue.messages.slice(0, count);
    if (!String(body['ackmode'] ?? '').includes('requeue_true')) queue.messages.splice(0, count);
    return json(
      taken.map(({ body: payload, exchange, key, isRedelivered }, i) => ({
        payload: textOf(payload),
        payload_bytes: payload.length,
        payload_encoding: 'string',
        exchange,
        routing_key: key,
        redelivered: isRedelivered,
        message_count: left - i - 1,
      })),
    );
  }
  return action === undefined ? json(queueRows(server, host).find((row) => row['name'] === name)) : undefined;
}

function publishTo(request: HttpRequest, { own }: Server, host: Bytes, name: Bytes): AnswerParts {
  const { routing_key: key, payload, payload_encoding: encoding, properties } = bodyOf(request) ?? {};
  if (typeof key !== 'string' || typeof payload !== 'string')
    return json({ error: 'bad_request', reason: 'key_missing' }, 400);
  const body = encoding === 'base64' ? fromArray(decodeBase64(payload)) : bytesOf(payload);
  const isPersistent = (properties as { delivery_mode?: unknown } | undefined)?.delivery_mode === 2;
  const message = {
    exchange: name === 'amq.default' ? '' : name,
    key: bytesOf(key),
    body,
    isPersistent,
    isRedelivered: false,
  };
  const count = publish(own.broker, host, { ...message, properties: isPersistent ? '\x10\0\x02' : '\0\0' });
  own.isDirty = true;
  return json({ routed: count > 0 });
}
