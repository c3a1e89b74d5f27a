import { bytesOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Program } from '../../../../engine/kernel/process/program.js';
import { readSmallFile } from '../../../tools/accounts.js';
import { findCommand } from '../../../tools/framework/command.js';
import { defineClient, type Calling } from '../../client.js';
import { unescapeUrl } from '../../http.js';
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
} from '../amqp/wire.js';

type Own = {
  tool: string;
  user: Bytes;
  password: Bytes;
  vhost: Bytes;
  queue: Bytes;
  exchange: Bytes;
  key: Bytes;
  /** Of amqp-publish; null: standard input. */
  body: Bytes | null;
  isDurable: boolean;
  count: number;
  prefetch: number;
  command: Bytes[];
  /** A message that is coming, and the process that gets it. */
  incoming: { tag: number; size: number; body: Bytes } | null;
  child: number | null;
  done: number;
  server: string;
  /** It has done what it was there for, or failed: that the server leaves then is no failure. */
  isOver: boolean;
};
type Client = Calling<Own>;

const CHANNEL = 1;
const CHILD_MS = 20;
const VALUES: Readonly<Record<string, string>> = {
  ...{ '-u': 'url', '--url': 'url', '-s': 'server', '--server': 'server', '--port': 'port', '--vhost': 'vhost' },
  ...{
    '--username': 'username',
    '--password': 'password',
    '-q': 'queue',
    '--queue': 'queue',
    '-r': 'key',
    '--routing-key': 'key',
  },
  ...{ '-e': 'exchange', '--exchange': 'exchange', '-b': 'body', '--body': 'body', '-c': 'count', '--count': 'count' },
};

function readOptions(tool: string, argv: readonly Bytes[]): { own: Own; host: Bytes; port: number } | string {
  const own: Own = {
    ...{ tool, user: 'guest', password: 'guest', vhost: '/', queue: '', exchange: '', key: '', body: null },
    ...{
      isDurable: false,
      count: 0,
      prefetch: 0,
      command: [],
      incoming: null,
      child: null,
      done: 0,
      server: '',
      isOver: false,
    },
  };
  let [host, port] = ['localhost', 5_672];
  for (let at = 1; at < argv.length; at++) {
    const [name = '', joined] = argv[at]!.startsWith('--') ? argv[at]!.split(/=(.*)/s) : [argv[at]];
    const option =
      tool === 'amqp-consume' && (name === '-p' || name === '--prefetch-count') ? 'prefetch' : VALUES[name];
    if (option === undefined && !name.startsWith('-')) {
      own.command = argv.slice(at);
      break;
    }
    if (['-d', '--durable', '--persistent', '-p'].includes(name) && option === undefined) {
      own.isDurable = true;
      continue;
    }
    if (option === undefined) return `${name}: unknown option`;
    const value = joined ?? argv[++at] ?? '';
    if (option === 'url') {
      const read = readUrl(own, value);
      if (read === undefined) return `Parsing URL '${value}': invalid argument`;
      [host, port] = read;
    } else if (option === 'server') host = value;
    else if (option === 'port') port = Number(value);
    else if (option === 'username') own.user = value;
    else if (option === 'count' || option === 'prefetch') own[option] = Number(value) || 0;
    else own[option as 'queue'] = value;
  }
  if (own.queue === '' && tool !== 'amqp-publish') return `${tool}: queue not specified`;
  if (tool === 'amqp-consume' && own.command.length === 0) return 'consuming command not specified';
  return { own: { ...own, server: `${host}:${port}` }, host, port };
}

/** `amqp://user:password@host:5672/vhost`. */
function readUrl(own: Own, url: Bytes): [Bytes, number] | undefined {
  if (!url.startsWith('amqp://')) return undefined;
  const rest = url.slice('amqp://'.length);
  const at = rest.lastIndexOf('@');
  const [place = '', ...path] = rest.slice(at + 1).split('/');
  if (at >= 0) {
    const [user = '', password = ''] = rest.slice(0, at).split(/:(.*)/s);
    [own.user, own.password] = [unescapeUrl(user), unescapeUrl(password)].map(bytesOf) as [Bytes, Bytes];
  }
  if (path.length > 0 && path[0] !== '') own.vhost = bytesOf(unescapeUrl(path.join('/')));
  const [host = 'localhost', port = '5672'] = place.split(':');
  return [host || 'localhost', Number(port)];
}

function fail(client: Client, doing: string, what: string): void {
  client.err(`${doing}: ${what}\n`);
  end(client, 1);
}

function end(client: Client, code: number): void {
  client.own.isOver = true;
  client.exit(code);
}

function turn(client: Client): void {
  if (client.own.child !== null && !reap(client)) return;
  for (let taken = takeFrame(client.received); taken !== undefined; taken = takeFrame(client.received)) {
    if (taken === 'bad') return fail(client, 'logging in to AMQP server', 'a bad frame was received');
    client.received = client.received.slice(taken.length);
    takeOne(client, taken);
    if (client.own.child !== null || client.own.isOver) return;
  }
  if (client.isEnded && !client.own.isOver) fail(client, client.own.tool, 'server closed the connection');
}

function takeOne(client: Client, { type, payload }: Frame): void {
  const { own } = client;
  const fields = new Fields(payload);
  if (type === FRAME.header && own.incoming) {
    fields.long();
    own.incoming.size = fields.longLong();
    if (own.incoming.size === 0) finishMessage(client);
  } else if (type === FRAME.body && own.incoming) {
    own.incoming.body += payload;
    if (own.incoming.body.length >= own.incoming.size) finishMessage(client);
  } else if (type === FRAME.method) takeMethod(client, `${fields.short()}.${fields.short()}`, fields);
}

function takeMethod(client: Client, name: string, fields: Fields): void {
  const { own } = client;
  // What came after the last one that was asked for goes back to its queue.
  if (name === '60.60' && own.count > 0 && own.done >= own.count) return;
  const send = (id: readonly [number, number], args: Bytes = ''): void =>
    client.send(method(id[0] === 10 ? 0 : CHANNEL, id, args));
  switch (name) {
    case '10.10': {
      const secret = longText(`\0${own.user}\0${own.password}`);
      return send([10, 11], table({ product: 'rabbitmq-c' }) + shortText('PLAIN') + secret + shortText('en_US'));
    }
    case '10.30':
      send([10, 31], short(fields.short()) + long(fields.long()) + short(0));
      return send([10, 40], `${shortText(own.vhost)}${shortText('')}${octet(0)}`);
    case '10.41':
      return send([20, 10], shortText(''));
    case '20.11':
      return begin(client, send);
    case '50.11':
      if (own.tool === 'amqp-declare-queue') client.out(`${fields.text()}\n`);
      return send([10, 50], short(200) + shortText('') + long(0));
    case '50.41':
      client.out(`${fields.long()}\n`);
      return send([10, 50], short(200) + shortText('') + long(0));
    case '60.72':
      return end(client, 2);
    case '60.71':
    case '60.60':
      if (name === '60.60') fields.text();
      own.incoming = { tag: fields.longLong(), size: 0, body: '' };
      return;
    case '10.50':
    case '20.40': {
      const [code, text] = [fields.short(), fields.text()];
      const doing = code === 403 || code === 530 ? 'logging in to AMQP server' : own.tool.slice(5);
      return fail(
        client,
        doing,
        `server ${name === '10.50' ? 'connection' : 'channel'} error ${code}, message: ${text}`,
      );
    }
    case '10.51':
      return end(client, 0);
    default:
  }
}

/** The channel is open: what the tool is there for. */
function begin(client: Client, send: (id: readonly [number, number], args: Bytes) => void): void {
  const { tool, queue, exchange, key, isDurable, body, prefetch } = client.own;
  if (tool === 'amqp-declare-queue')
    return send([50, 10], short(0) + shortText(queue) + octet(isDurable ? 2 : 0) + long(0));
  if (tool === 'amqp-delete-queue') return send([50, 40], short(0) + shortText(queue) + octet(0));
  if (tool === 'amqp-get') return send([60, 70], short(0) + shortText(queue) + octet(1));
  if (tool === 'amqp-consume') {
    send([60, 10], long(0) + short(prefetch || 1) + octet(0));
    return send([60, 20], short(0) + shortText(queue) + shortText('') + octet(0) + long(0));
  }
  const text = body ?? readAll(client);
  send([60, 40], short(0) + shortText(exchange) + shortText(key) + octet(0));
  client.send(content(CHANNEL, short(0x1000) + octet(isDurable ? 2 : 1), text));
  send([10, 50], short(200) + shortText('') + long(0));
}

/** The lines that are on standard input. */
function readAll(client: Client): Bytes {
  const lines: Bytes[] = [];
  for (let line = client.line(); typeof line === 'string'; line = client.line()) lines.push(line);
  return lines.length === 0 ? readSmallFile(client.sys, '/dev/stdin') : `${lines.join('\n')}\n`;
}

function finishMessage(client: Client): void {
  const { own, sys } = client;
  const { body } = own.incoming!;
  if (own.tool === 'amqp-get') {
    client.out(body);
    return end(client, 0);
  }
  try {
    const { reader, writer } = sys.pipe();
    own.child = sys.spawn({
      path: findCommand(sys, own.command[0]!),
      argv: own.command,
      descriptors: { 0: reader, 1: 1, 2: 2 },
    });
    sys.close(reader);
    sys.write(writer, body);
    sys.close(writer);
    client.wakeAt(sys.now + CHILD_MS);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    fail(client, own.command[0]!, error.message);
  }
}

/** Whether the command that has got a message is done: then the message is confirmed, or given back. */
function reap(client: Client): boolean {
  const { own, sys } = client;
  const ended = sys.wait(own.child!);
  if (ended === undefined) {
    client.wakeAt(sys.now + CHILD_MS);
    return false;
  }
  const { tag } = own.incoming!;
  [own.child, own.incoming] = [null, null];
  const isDone = ended.state === 'exited' && ended.code === 0;
  client.send(
    isDone ? method(CHANNEL, [60, 80], longLong(tag) + octet(0)) : method(CHANNEL, [60, 90], longLong(tag) + octet(1)),
  );
  own.done++;
  if (own.count > 0 && own.done >= own.count) client.send(method(0, [10, 50], short(200) + shortText('') + long(0)));
  return true;
}

const makeTool = (tool: string): Program =>
  defineClient<Own>({
    start(argv, _sys, print) {
      const read = readOptions(tool, argv);
      if (typeof read !== 'string') return read;
      print.err(`${read}\n`);
      return 1;
    },
    begin: (client) => client.send(PROTOCOL),
    turn,
    refused: (client, why) =>
      fail(
        client,
        `opening socket to ${client.own.server}`,
        why === 'UNKNOWN_HOST' ? 'could not resolve hostname' : 'a socket error occurred',
      ),
  });

const NAMES = ['amqp-declare-queue', 'amqp-delete-queue', 'amqp-publish', 'amqp-consume', 'amqp-get'];

/** The package amqp-tools. Left out: TLS, headers, what reads line by line. */
export const amqpTools: Readonly<Record<string, Program>> = Object.fromEntries(
  NAMES.map((name) => [`amqp:${name}`, makeTool(name)]),
);
