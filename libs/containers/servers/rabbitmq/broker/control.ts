import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Connection, Running } from '../../serve.js';
import type { Client, Own } from '../own.js';
import { deleteQueue, find, makeHost } from './broker.js';
import { hashPassword } from './password.js';

/** What rabbitmqctl asks a node: a line of JSON, in the place of Erlang's own protocol. */
export type Question = { ask: string; args: Bytes[]; host: Bytes };
/** Rows of named values, or an error with its exit code. */
export type Told = { rows?: Record<string, string | number | boolean>[]; error?: string; code?: number };

type Server = Running<Own>;
type Ask = (server: Server, args: readonly Bytes[], host: Bytes) => Told;

const [NO_USER, SOFTWARE] = [67, 70];
const DONE: Told = {};
const refuse = (error: string, code = SOFTWARE): Told => ({ error, code });

const clientsOf = ({ connections }: Server): { connection: Connection; client: Client }[] =>
  connections.flatMap((connection) => {
    const client = connection.own as Client | null;
    return client?.phase === 'running' ? [{ connection, client }] : [];
  });

/** Queues with what of them is with consumers. */
export function queueRows(server: Server, host: Bytes): Record<string, string | number | boolean>[] {
  const clients = clientsOf(server).filter(({ client }) => client.host === host);
  const channels = clients.flatMap(({ client }) => Object.values(client.channels));
  return Object.entries(find(server.own.broker.hosts, host)?.queues ?? {}).map(([name, queue]) => {
    const unacked = channels.reduce((sum, one) => sum + one.unacked.filter((each) => each.queue === name).length, 0);
    const consumers = channels.reduce(
      (sum, one) => sum + one.consumers.filter((each) => each.queue === name).length,
      0,
    );
    const ready = queue.messages.length;
    return {
      ...{
        name,
        vhost: host,
        durable: queue.isDurable,
        auto_delete: queue.autoDelete,
        exclusive: queue.owner !== null,
      },
      ...{ messages: ready + unacked, messages_ready: ready, messages_unacknowledged: unacked, consumers },
      ...{ state: 'running', type: 'classic' },
    };
  });
}

export const exchangeRows = ({ own }: Server, host: Bytes): Record<string, string | number | boolean>[] =>
  Object.entries(find(own.broker.hosts, host)?.exchanges ?? {}).map(([name, { type, isDurable, autoDelete }]) => ({
    ...{ name, vhost: host, type, durable: isDurable, auto_delete: autoDelete, internal: false },
  }));

export const bindingRows = ({ own }: Server, host: Bytes): Record<string, string | number | boolean>[] => {
  const known = find(own.broker.hosts, host);
  const own_ = Object.keys(known?.queues ?? {}).map((queue) => ({ source: '', queue, key: queue }));
  return [...own_, ...(known?.bindings ?? [])].map(({ source, queue, key }) => ({
    ...{
      source_name: source,
      source_kind: 'exchange',
      destination_name: queue,
      destination_kind: 'queue',
      routing_key: key,
    },
  }));
};

/** Throws nothing: what a user that is not there answers is an error. */
const withUser = (server: Server, name: Bytes, run: (user: Own['broker']['users'][string]) => Told): Told => {
  const user = find(server.own.broker.users, name);
  return user === undefined ? refuse(`User "${name}" does not exist`, NO_USER) : run(user);
};

const ASKS: Readonly<Record<string, Ask>> = {
  status: ({ own, sys, connections }) => ({
    rows: [
      {
        ...{
          pid: sys.pid,
          uptime: Math.floor((sys.now - own.startedAt) / 1_000),
          version: sys.env['RABBITMQ_VERSION'] ?? '',
        },
        ...{ directory: own.directory, management: own.hasManagement, connections: connections.length },
        queues: Object.values(own.broker.hosts).reduce((sum, { queues }) => sum + Object.keys(queues).length, 0),
        hosts: Object.keys(own.broker.hosts).length,
      },
    ],
  }),
  list_queues: (server, _args, host) =>
    find(server.own.broker.hosts, host)
      ? { rows: queueRows(server, host) }
      : refuse(`Virtual host '${host}' does not exist`, 65),
  list_exchanges: (server, _args, host) => ({ rows: exchangeRows(server, host) }),
  list_bindings: (server, _args, host) => ({ rows: bindingRows(server, host) }),
  list_vhosts: ({ own }) => ({ rows: Object.keys(own.broker.hosts).map((name) => ({ name })) }),
  list_users: ({ own }) => ({
    rows: Object.entries(own.broker.users).map(([user, { tags }]) => ({ user, tags: `[${tags.join(', ')}]` })),
  }),
  list_permissions: ({ own }, _args, host) => ({
    rows: Object.entries(own.broker.users).flatMap(([user, { permissions }]) => {
      const [configure, write, read] = find(permissions, host) ?? [];
      return configure === undefined ? [] : [{ user, configure, write: write!, read: read! }];
    }),
  }),
  list_connections: (server) => ({
    rows: clientsOf(server).map(({ connection, client }) => ({
      user: client.user,
      peer_host: connection.address,
      peer_port: connection.remotePort,
      state: 'running',
    })),
  }),
  list_consumers: (server, _args, host) => ({
    rows: clientsOf(server)
      .filter(({ client }) => client.host === host)
      .flatMap(({ client }) =>
        Object.values(client.channels).flatMap((channel) =>
          channel.consumers.map(({ tag, queue, needsAck }) => ({
            queue_name: queue,
            consumer_tag: tag,
            ack_required: needsAck,
            prefetch_count: channel.prefetch,
            active: true,
          })),
        ),
      ),
  }),
  add_user({ own }, [name = '', password = '']) {
    if (name === '__proto__' || find(own.broker.users, name)) return refuse(`User "${name}" already exists`);
    own.broker.users[name] = { password: hashPassword(password), tags: [], permissions: {} };
    return DONE;
  },
  delete_user: (server, [name = '']) =>
    withUser(server, name, () => {
      delete server.own.broker.users[name];
      return DONE;
    }),
  change_password: (server, [name = '', password = '']) =>
    withUser(server, name, (user) => {
      user.password = hashPassword(password);
      return DONE;
    }),
  authenticate_user: (server, [name = '', password = '']) =>
    find(server.own.broker.users, name)?.password === hashPassword(password)
      ? DONE
      : refuse(`failed to authenticate user "${name}"\nuser '${name}' - invalid credentials`, 65),
  set_user_tags: (server, [name = '', ...tags]) =>
    withUser(server, name, (user) => {
      user.tags = tags;
      return DONE;
    }),
  set_permissions: (server, [name = '', configure = '', write = '', read = ''], host) =>
    withUser(server, name, (user) => {
      if (!find(server.own.broker.hosts, host)) return refuse(`Virtual host '${host}' does not exist`, 65);
      user.permissions[host] = [configure, write, read];
      return DONE;
    }),
  clear_permissions: (server, [name = ''], host) =>
    withUser(server, name, (user) => {
      delete user.permissions[host];
      return DONE;
    }),
  add_vhost({ own }, [name = '']) {
    if (name === '__proto__' || Object.keys(own.broker.hosts).length > 100) return refuse('cannot create virtual host');
    own.broker.hosts[name] ??= makeHost();
    return DONE;
  },
  delete_vhost({ own }, [name = '']) {
    if (!find(own.broker.hosts, name)) return refuse(`Virtual host '${name}' does not exist`, 65);
    delete own.broker.hosts[name];
    for (const user of Object.values(own.broker.users)) delete user.permissions[name];
    return DONE;
  },
  purge_queue({ own }, [name = ''], host) {
    const queue = find(find(own.broker.hosts, host)?.queues ?? {}, name);
    if (!queue) return refuse(`Queue '${name}' in vhost '${host}' does not exist`);
    queue.messages = [];
    return DONE;
  },
  delete_queue({ own }, [name = ''], host) {
    if (!find(find(own.broker.hosts, host)?.queues ?? {}, name))
      return refuse(`Queue '${name}' in vhost '${host}' does not exist`);
    const count = deleteQueue(own.broker, host, name);
    return { rows: [{ count }] };
  },
};

/** The answer to a question, as a line; undefined: the line is not whole. */
export function answerControl(server: Server, received: Bytes): Bytes | undefined {
  if (!received.endsWith('\n')) return undefined;
  try {
    const { ask, args, host } = JSON.parse(received) as Question;
    const run = Object.hasOwn(ASKS, ask) ? ASKS[ask] : undefined;
    const isCall = Array.isArray(args) && args.every((one) => typeof one === 'string') && typeof host === 'string';
    server.own.isDirty = true;
    return `${JSON.stringify(run && isCall ? run(server, args, host) : refuse('Undefined command'))}\n`;
  } catch (error) {
    if (error instanceof SyntaxError) return '\n';
    throw error;
  }
}
