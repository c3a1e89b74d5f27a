import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import { readSmallFile } from '../../tools/accounts.js';
import { httpDate, speakHttp } from '../http.js';
import { keepData, makeDirectories, readKept } from '../keep.js';
import { defineServer, type Connection, type Running } from '../serve.js';
import { deliver, endAmqp, receiveAmqp } from './amqp/session.js';
import { isBroker, lastingPart, makeBroker } from './broker/broker.js';
import { answerControl } from './broker/control.js';
import { LATEST, logLine, READY_MS } from './lines.js';
import { answerManagement } from './management.js';
import type { Client, Own } from './own.js';

type Server = Running<Own>;

/** AMQP, rabbitmqctl's questions, the management's HTTP, and what else a node listens on. */
const PORTS = { amqp: 5_672, control: 25_672, management: 15_672, epmd: 4_369 } as const;
const DATA = '/var/lib/rabbitmq/mnesia';
/** What has changed is written down so soon. */
const KEEP_MS = 100;
const STOP_MS = 400;
const FROM_SCRATCH = 'Assuming we need to join an existing cluster or initialise from scratch...';
const MAX_LINE = 65_536;

const dataFile = ({ directory }: Own): Bytes => `${directory}/schema.DAT`;

function keep({ sys, own }: Server): void {
  own.isDirty = false;
  keepData(sys, dataFile(own), lastingPart(own.broker));
}

function begin(server: Server): void {
  const { own, sys } = server;
  server.out(logLine(sys.now, `Starting RabbitMQ ${sys.env['RABBITMQ_VERSION'] ?? LATEST} on Erlang 27.3.4 [jit]`));
  try {
    makeDirectories(sys, own.directory);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    server.err(logLine(sys.now, `Failed to create ${own.directory}: ${error.message}`, 'error'));
    return server.exit(1);
  }
  const kept = readKept(sys, dataFile(own));
  if (kept !== undefined && !isBroker(kept)) {
    server.err(logLine(sys.now, 'BOOT FAILED: schema is damaged', 'error'));
    return server.exit(1);
  }
  if (kept === undefined) {
    own.isDirty = true;
    server.out(logLine(sys.now, `Node database directory at ${own.directory} is empty. ${FROM_SCRATCH}`));
  } else own.broker = kept;
  server.tickAt(own.startedAt + READY_MS);
}

function listen(server: Server): void {
  const { own, sys } = server;
  own.isReady = true;
  const { management, ...others } = PORTS;
  try {
    for (const port of [...Object.values(others), ...(own.hasManagement ? [management] : [])]) server.listen(port);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    server.err(logLine(sys.now, `Failed to start Ranch listener: ${error.message}`, 'error'));
    return server.exit(1);
  }
  server.out(logLine(sys.now, `started TCP listener on [::]:${PORTS.amqp}`));
  if (own.hasManagement)
    server.out(logLine(sys.now, `Management plugin: HTTP (non-TLS) listener started on port ${management}`));
  const plugins = own.hasManagement
    ? ['rabbitmq_management', 'rabbitmq_management_agent', 'rabbitmq_web_dispatch']
    : [];
  const list = plugins.map((name) => `\n * ${name}`).join('');
  server.out(logLine(sys.now, `Server startup complete; ${plugins.length} plugins started.${list}`));
  plan(server);
}

/** What is changed is written down soon, and not before the node has ended. */
function plan(server: Server): void {
  if (server.own.isDirty && server.own.endsAt === null && server.own.isReady) server.tickAt(server.sys.now + KEEP_MS);
}

const http = speakHttp<Own>({
  headers: ({ sys }) => ({ date: httpDate(sys.now), server: 'Cowboy' }),
  answer: (request, server) => answerManagement(request, server),
});

function receive(server: Server, connection: Connection): void {
  const { port } = connection;
  if (port === PORTS.management) {
    http.receive(server, connection);
    deliver(server);
  } else if (port === PORTS.amqp) receiveAmqp(server, connection);
  else if (port === PORTS.control) {
    const answer = answerControl(server, connection.received);
    if (answer === undefined && connection.received.length < MAX_LINE) return;
    connection.unsent += answer ?? '';
    connection.closes = true;
  } else connection.closes = true;
  plan(server);
}

/** A node of RabbitMQ. Left out: clusters, quorum queues and streams, TLS, AMQP 1.0, MQTT, limits of permissions. */
export const rabbitmq = defineServer<Own>({
  signals: ['TERM', 'INT'],
  start(argv, sys) {
    const { RABBITMQ_DEFAULT_USER = 'guest', RABBITMQ_DEFAULT_PASS = 'guest', RABBITMQ_DEFAULT_VHOST = '/' } = sys.env;
    return {
      ...{ argv: [...argv], broker: makeBroker(RABBITMQ_DEFAULT_USER, RABBITMQ_DEFAULT_PASS, RABBITMQ_DEFAULT_VHOST) },
      directory: `${sys.env['RABBITMQ_MNESIA_BASE'] ?? DATA}/rabbit@${sys.hostname}`,
      hasManagement: readSmallFile(sys, '/etc/rabbitmq/enabled_plugins').includes('rabbitmq_management'),
      ...{ startedAt: sys.now, isReady: false, isDirty: false, endsAt: null, next: 1 },
    };
  },
  begin,
  tick(server) {
    const { own, sys } = server;
    if (own.endsAt !== null && sys.now >= own.endsAt) return server.exit(0);
    if (!own.isReady) return listen(server);
    try {
      if (own.isDirty) keep(server);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      own.isDirty = false;
      server.err(logLine(sys.now, `Disk resource limit alarm set: ${error.message}`, 'warning'));
    }
  },
  signal(server) {
    const { own, sys } = server;
    if (own.endsAt !== null) return;
    server.out(logLine(sys.now, 'SIGTERM received - shutting down', 'notice'));
    if (own.isReady) keep(server);
    own.endsAt = sys.now + STOP_MS;
    server.tickAt(own.endsAt);
  },
  connect(_server, connection) {
    if (connection.port === PORTS.amqp)
      connection.own = { phase: 'new', user: '', host: '/', channels: {} } satisfies Client as Plain;
  },
  receive,
  disconnect(server, connection) {
    if (connection.port === PORTS.amqp) endAmqp(server, connection);
    plan(server);
  },
});
