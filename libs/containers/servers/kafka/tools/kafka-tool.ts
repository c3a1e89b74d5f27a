import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Plain, Program } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { logLine } from '../broker/server.js';
import { defineClient, type Calling } from '../../client.js';
import { lookUp } from '../../lookup.js';
import { frame, numberIn, takeMessage, textIn, type Message } from '../wire.js';
import { firstServer, readOptions, type OptionNames, type Options } from './options.js';

/** What every tool knows of its way to the broker; `own` is the tool's. */
type Way<Own extends Plain> = {
  own: Own;
  isAdvertised: boolean;
  startedAt: number;
  node: number;
  server: Bytes;
};

/** A tool that has reached a broker. */
export interface Talking<Own extends Plain> {
  readonly sys: Syscalls;
  readonly own: Own;
  readonly isEnded: boolean;
  send(message: Message): void;
  out(bytes: Bytes): void;
  err(bytes: Bytes): void;
  exit(code: number): void;
  line(): Bytes | null | undefined;
  wakeAt(at: number): void;
  /** The broker that it talks to. */
  readonly node: { readonly id: number; readonly host: Bytes; readonly port: number };
}

export interface KafkaTool<Own extends Plain> extends OptionNames {
  /** 'AdminClient clientId=adminclient-1'. */
  readonly client: string;
  /** What it says when nobody answers for a minute; '' : it goes on asking. */
  timedOut(own: Own): Bytes;
  /** From its options; a text is what is wrong. */
  start(options: Options, sys: Syscalls): Own | string;
  ready(tool: Talking<Own>): void;
  take?(tool: Talking<Own>, message: Message): void;
  /** After what has come was taken: lines, times and signals. */
  turn?(tool: Talking<Own>): void;
}

const TIMEOUT_MS = 60_000;
const RETRY_MS = 1_000;
const PLACE = '(org.apache.kafka.clients.NetworkClient)';
/** Of the server that is only asked for the others. */
const BOOTSTRAP_NODE = -1;

/** One of Kafka's tools: it asks its bootstrap server where the broker is, and goes there. */
export function defineKafkaTool<Own extends Plain>(tool: KafkaTool<Own>): Program {
  const talk = (client: Calling<Way<Own>>): Talking<Own> => {
    const { own: way } = client;
    const [host = '', port = '0'] = way.server.split(':');
    return {
      ...{ sys: client.sys, own: way.own, isEnded: client.isEnded },
      send: (message) => client.send(frame(message)),
      out: (bytes) => client.out(bytes),
      err: (bytes) => client.err(bytes),
      exit: (code) => client.exit(code),
      line: () => client.line(),
      wakeAt: (at) => client.wakeAt(at),
      node: { id: way.node, host, port: Number(port) },
    };
  };
  const lose = (client: Calling<Way<Own>>, why: Bytes): void => {
    const { own: way, sys } = client;
    const [host = '', port = '0'] = way.server.split(':');
    client.err(logLine(sys.now, `[${tool.client}] ${why} ${PLACE}`, 'WARN'));
    const last = tool.timedOut(way.own);
    if (last !== '' && sys.now - way.startedAt >= TIMEOUT_MS) {
      client.err(last.replaceAll('TIME', logLine(sys.now, '', 'ERROR').trimEnd()));
      return client.exit(1);
    }
    client.connect(host, Number(port), sys.now + RETRY_MS);
  };
  return defineClient<Way<Own>>({
    start(argv, sys, print) {
      const options = readOptions(argv.slice(1), {
        values: [...tool.values, 'bootstrap-server'],
        flags: tool.flags,
        unsimulated: [...(tool.unsimulated ?? []), 'command-config', 'zookeeper'],
      });
      const wrong = (text: string): number => {
        print.err(`${text}\n`);
        return 1;
      };
      if (typeof options === 'string') return wrong(options);
      const list = options.value('bootstrap-server');
      if (list === undefined) return wrong('Missing required argument "[bootstrap-server]"');
      const server = firstServer(list);
      if (!server) return wrong(`Invalid url in bootstrap.servers: ${list}`);
      const own = tool.start(options, sys);
      if (typeof own === 'string') return wrong(own);
      if (lookUp(sys, server.host).addresses.length === 0) {
        const name = `${server.host}:${server.port}`;
        print.err(
          logLine(
            sys.now,
            `Couldn't resolve server ${name} from bootstrap.servers as DNS resolution failed for ${server.host} (org.apache.kafka.clients.ClientUtils)`,
            'WARN',
          ),
        );
        return wrong(
          'org.apache.kafka.common.config.ConfigException: No resolvable bootstrap urls given in bootstrap.servers',
        );
      }
      const way = {
        own,
        isAdvertised: false,
        startedAt: sys.now,
        node: BOOTSTRAP_NODE,
        server: `${server.host}:${server.port}`,
      };
      return { own: way, ...server };
    },
    begin(client) {
      if (client.own.isAdvertised) tool.ready(talk(client));
      else client.send(frame({ api: 'metadata' }));
    },
    turn(client) {
      const { own: way } = client;
      for (let taken = takeMessage(client.received); taken !== undefined; taken = takeMessage(client.received)) {
        if (taken === 'bad') break;
        client.received = client.received.slice(taken.length);
        if (way.isAdvertised) tool.take?.(talk(client), taken.message);
        else if (goOn(client, taken.message)) return;
        else tool.ready(talk(client));
      }
      tool.turn?.(talk(client));
      if (client.isEnded) lose(client, `Node ${way.node} disconnected.`);
    },
    refused(client, why, host, port) {
      const address = lookUp(client.sys, host).addresses[0];
      const { node } = client.own;
      if (why === 'UNKNOWN_HOST')
        return lose(
          client,
          `Error connecting to node ${host}:${port} (id: ${node} rack: null): java.net.UnknownHostException: ${host}`,
        );
      lose(
        client,
        `Connection to node ${node} (${host}/${address ?? host}:${port}) could not be established. Node may not be available.`,
      );
    },
  });
}

/** Whether it has to go to another address than the one that it asked. */
function goOn<Own extends Plain>(client: Calling<Way<Own>>, metadata: Message): boolean {
  const { own: way } = client;
  const [host, port] = [textIn(metadata, 'host'), numberIn(metadata, 'port', 0)];
  const before = way.server;
  Object.assign(way, { isAdvertised: true, node: numberIn(metadata, 'id', 1), server: `${host}:${port}` });
  if (way.server === before) return false;
  client.connect(host, port);
  return true;
}

/** What a tool prints of an error that a broker answers with. */
export function errorText(at: number, command: Bytes, message: Message, place: Bytes): Bytes {
  const [error, text] = [textIn(message, 'error'), textIn(message, 'message')];
  return `Error while executing ${command} command : ${text}\n${logLine(at, `org.apache.kafka.common.errors.${error}: ${text}\n (${place})`, 'ERROR')}`;
}

export const timedOut = (command: Bytes, call: Bytes, place: Bytes): Bytes => {
  const text = `Timed out waiting for a node assignment. Call: ${call}`;
  return `Error while executing ${command} command : ${text}\nTIME org.apache.kafka.common.errors.TimeoutException: ${text}\n (${place})\n`;
};
