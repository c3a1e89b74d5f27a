import { bytesOf, textOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { continueDial, dial, isWholeAnswer, readAnswer, type Dial, type DialOutcome } from '../../dial.js';
import { errnoText, marshal } from '../../go.js';
import { httpDate, httpError, plainText, speakHttp, type HttpReply, type HttpRequest } from '../../http.js';
import { goLookupError, lookUp } from '../../lookup.js';
import { defineServer, type Running } from '../../serve.js';
import { fatal, logTo, readFlags, type Command } from '../command/command.js';
import type { FlagTable } from '../command/flags.js';

const FLAGS: FlagTable = {
  'http-port': ['string', '80'],
  'backend-port': ['string', '6379'],
  replicaof: ['string', ''],
};
const READY_MS = 50;
/** A replica tries so long, once a second, to register. */
const REGISTER_MS = 15_000;
const RETRY_MS = 1_000;
const TIMEOUT_MS = 5_000;

type Own = {
  argv: Bytes[];
  store: Record<string, string>;
  replicas: string[];
  isListening: boolean;
  /** Until when a replica tries to register; null: it need not, or is. */
  registersUntil: number | null;
  dial: Dial | null;
};
type Server = Running<Own>;
/** What is to be told to each replica, or to be asked of another server. */
type Task = { kind: 'set' | 'proxy'; request: Bytes; hosts: string[]; dial: Dial | null };

/** A key-value store with replicas, and its front end. Models test/images/agnhost/guestbook. */
export const guestbook: Command = {
  flags: FLAGS,
  program: defineServer<Own>({
    start: (argv) => ({
      ...{ argv: [...argv], store: {}, replicas: [], isListening: false, registersUntil: null, dial: null },
    }),
    begin(server) {
      if (flag(server, 'replicaof') !== '') server.own.registersUntil = server.sys.now + REGISTER_MS;
      server.tickAt(server.sys.now + READY_MS);
    },
    tick(server) {
      if (!server.own.isListening) listen(server);
      if (server.own.registersUntil !== null) register(server);
    },
    ...speakHttp<Own>({
      headers: ({ sys }) => ({ date: httpDate(sys.now) }),
      answer,
      resume: (task, _request, server) => goOn(server, task as Task),
    }),
  }),
};

const flag = ({ own }: Server, name: string): string => readFlags(FLAGS, own.argv).text(name);

function listen(server: Server): void {
  server.own.isListening = true;
  const port = flag(server, 'http-port');
  try {
    server.listen(Number(port));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    fatal(server, `listen tcp :${port}: bind: ${errnoText(error)}`);
  }
}

/** One attempt goes on, or the next one begins. */
function register(server: Server): void {
  const { sys, own } = server;
  const primary = flag(server, 'replicaof');
  const target = `${primary}:${flag(server, 'backend-port')}`;
  const retry = (message: string): void => {
    logTo(server, `${message}. Retrying in 1s.`);
    own.dial = null;
    if (sys.now + RETRY_MS >= own.registersUntil!) return fatal(server, 'Timed out while registering to primary.');
    server.tickAt(sys.now + RETRY_MS);
  };
  if (own.dial === null) {
    const found = lookUp(sys, primary);
    const [address] = found.addresses;
    if (address === undefined) {
      return retry(`unable to get IP ${target}: dial udp: ${goLookupError(primary, found)}`);
    }
    const request = `register?host=${ownAddress(server)}`;
    logTo(server, `Registering to primary: ${target}/${request}`);
    own.dial = ask(server, address, request);
  }
  const outcome = continueDial(sys, own.dial, isWholeAnswer);
  // Answers of other machines arrive within milliseconds: looking again is cheaper than another kind of wait.
  if ('wait' in outcome) return server.tickAt(sys.now + 1);
  const body = 'error' in outcome ? undefined : readAnswer(outcome.received)?.body;
  if (body === undefined) return retry(`encountered error while registering to primary: ${explain(own.dial, outcome)}`);
  own.store = (JSON.parse(textOf(body)) as { data: Record<string, string> }).data;
  own.registersUntil = null;
  own.dial = null;
  logTo(server, `Registered to node: ${primary}`);
}

const ownAddress = ({ sys }: Server): string =>
  sys
    .interfaces()
    .flatMap((one) => (one.name === 'lo' ? [] : one.addresses))
    .map((address) => address.split('/', 1)[0]!)[0] ?? '127.0.0.1';

function ask(server: Server, address: string, request: Bytes): Dial {
  const port = Number(flag(server, 'backend-port'));
  const head = `GET /${request} HTTP/1.1\r\nHost: ${address}:${port}\r\nConnection: close\r\n\r\n`;
  return dial(server.sys, address, port, 'tcp', head, TIMEOUT_MS);
}

function explain({ address, port }: Dial, outcome: DialOutcome): string {
  if (!('error' in outcome)) return 'EOF';
  const isTimeout = outcome.error === 'TIMEOUT' || outcome.error === 'ETIMEDOUT';
  const reason = isTimeout ? 'i/o timeout' : `connect: ${errnoText(new SystemError(outcome.error as 'EIO'))}`;
  return `dial tcp ${address}:${port}: ${reason}`;
}

function answer(request: HttpRequest, server: Server): HttpReply {
  const { own } = server;
  const value = (name: string): string => request.query.get(name) ?? '';
  const log = (message: string): void => logTo(server, bytesOf(message));
  switch (request.route) {
    case '/register': {
      const host = value('host');
      log(`GET /register?host=${host}`);
      own.replicas.push(host);
      log(`Node '${host}' registered.`);
      return plainText(marshal({ data: own.store }));
    }
    case '/get': {
      const key = value('key');
      log(`GET /get?key=${key}`);
      return plainText(marshal({ data: key === '' ? own.store : (own.store[key] ?? '') }));
    }
    case '/set': {
      const [key, text] = [value('key'), value('value')];
      log(`GET /set?key=${key}&value=${text}`);
      if (key === '') return httpError('cannot set with empty key.', 400);
      own.store[key] = text;
      const told: Task = { kind: 'set', request: `set?${request.queryText}`, hosts: [...own.replicas], dial: null };
      return goOn(server, told);
    }
    case '/guestbook':
      return proxy(request, server, value, log);
    default:
      return httpError('404 page not found', 404);
  }
}

function proxy(
  { queryText }: HttpRequest,
  server: Server,
  value: (name: string) => string,
  log: (message: string) => void,
): HttpReply {
  const command = value('cmd').toLowerCase();
  log(`GET /guestbook?cmd=${command}&key=${value('key')}&value=${value('value')}`);
  if (command !== 'get' && command !== 'set') return httpError(`unsupported cmd: '${command}'`, 400);
  if (command === 'set' && value('key') === '') return httpError('cannot set with empty key.', 400);
  const host = command === 'get' ? 'agnhost-replica' : 'agnhost-primary';
  const found = lookUp(server.sys, host);
  const [address] = found.addresses;
  if (address === undefined) {
    return httpError(`host and/or port param are invalid. ${goLookupError(host, found)}`, 400);
  }
  const request = `${command}?${queryText.replace(/(?:^|&)cmd=[^&]*/, '').replace(/^&/, '')}`;
  return goOn(server, { kind: 'proxy', request, hosts: [address], dial: null });
}

function goOn(server: Server, task: Task): HttpReply {
  for (let host = task.hosts[0]; host !== undefined; host = task.hosts[0]) {
    task.dial ??= ask(server, host, task.request);
    const outcome = continueDial(server.sys, task.dial, isWholeAnswer);
    if ('wait' in outcome) return { task: task as Plain, wait: outcome.wait };
    const body = 'error' in outcome ? undefined : readAnswer(outcome.received)?.body;
    if (task.kind === 'proxy') {
      return body === undefined
        ? httpError(`encountered error: ${explain(task.dial, outcome)}`, 417)
        : plainText(textOf(body));
    }
    if (body === undefined) {
      return httpError(`encountered error while propagating to replica '${host}': ${explain(task.dial, outcome)}`, 417);
    }
    task.hosts.shift();
    task.dial = null;
  }
  return plainText(marshal({ message: 'Updated' }));
}
