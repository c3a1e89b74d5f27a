import { bytesOf, textOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { continueDial, dial, isWholeAnswer, readAnswer, type Dial } from '../../dial.js';
import type { Fetch } from '../../../tools/network/fetch.js';
import { quote } from '../../go.js';
import { httpDate, httpError, plainText, speakHttp, type AnswerParts, type HttpRequest } from '../../http.js';
import { defineServer, type Running } from '../../serve.js';
import { fatal, logTo, readFlags, type Command } from '../command/command.js';
import type { FlagTable } from '../command/flags.js';
import { listenOrFail } from '../command/listening.js';
import { awaitAnswer, getWithToken, inClusterConfig } from './in-cluster.js';

const FLAGS: FlagTable = {
  port: ['int', '8080'],
  peers: ['int', '8'],
  service: ['string', 'nettest'],
  namespace: ['string', 'default'],
  'delay-shutdown': ['int', '0'],
};
const READY_MS = 50;
const PERIOD_MS = 5_000;
const PATIENCE_MS = 300_000;
const ROUNDS = 15;
const MAX_LOG = 500;
/** Of peers, errors and endpoints, what is kept. */
const MAX_KEPT = 1_000;
const GO_ENDED = 2;

type Own = {
  argv: Bytes[];
  startedAt: number;
  isListening: boolean;
  sent: Record<string, number> | null;
  received: Record<string, number> | null;
  errors: string[] | null;
  log: string[] | null;
  /** What it does beside serving: it asks for the version, waits for endpoints, contacts them. */
  phase: 'version' | 'endpoints' | 'contact' | 'done';
  rounds: number;
  next: number;
  fetch: Fetch | null;
  peers: string[];
  dial: Dial | null;
  endsAt: number | null;
};
type Server = Running<Own>;

const number = ({ own }: Server, name: string): number => readFlags(FLAGS, own.argv).number(name);
const text = ({ own }: Server, name: string): string => textOf(readFlags(FLAGS, own.argv).text(name));

/** A web server that contacts all other pods of its Service. Models test/images/agnhost/nettest. */
export const nettest: Command = {
  flags: FLAGS,
  signals: ['TERM'],
  program: defineServer<Own>({
    start: (argv) => ({
      ...{ argv: [...argv], startedAt: 0, isListening: false, sent: null, received: null, errors: null, log: null },
      ...{ phase: 'version', rounds: ROUNDS, next: 0, fetch: null, peers: [], dial: null, endsAt: null },
    }),
    begin(server) {
      server.own.startedAt = server.sys.now;
      server.tickAt(server.sys.now + READY_MS);
    },
    signals: ['TERM'],
    signal(server) {
      if (server.own.endsAt !== null) return;
      const seconds = number(server, 'delay-shutdown');
      if (seconds <= 0) return server.exit(GO_ENDED);
      logTo(server, `Sleeping ${seconds} seconds before exit ...`);
      server.own.endsAt = server.sys.now + seconds * 1_000;
      server.tickAt(server.own.endsAt);
    },
    tick,
    ...speakHttp<Own>({ headers: ({ sys }) => ({ date: httpDate(sys.now) }), answer }),
  }),
};

function tick(server: Server): void {
  const { own, sys } = server;
  if (own.endsAt !== null && sys.now >= own.endsAt) return server.exit(0);
  if (!own.isListening) {
    own.isListening = true;
    listenOrFail(server as Running<never>, number(server, 'port'));
  }
  if (own.phase === 'done') return own.endsAt === null ? undefined : server.tickAt(own.endsAt);
  // Answers of other machines arrive within milliseconds: looking again is cheaper than another kind of wait.
  const at = sys.now < own.next ? own.next : goOn(server);
  server.tickAt(Math.min(at, own.endsAt ?? Infinity));
}

/** Does the next thing; returns when it goes on. */
function goOn(server: Server): number {
  const { own, sys } = server;
  if (own.phase === 'contact' && own.peers.length > 0) return contact(server);
  if (own.fetch === null) {
    const config = inClusterConfig(sys);
    if ('error' in config) {
      fatal(server, `Unable to create config; error: ${config.error}`);
      return Infinity;
    }
    const path = `/api/v1/namespaces/${text(server, 'namespace')}/endpoints/${text(server, 'service')}`;
    const asked = own.phase === 'version' ? '/version' : bytesOf(path);
    own.fetch = getWithToken(sys, config.host, config.port, asked, config.token);
  }
  const outcome = awaitAnswer(sys, own.fetch);
  if ('wait' in outcome) return sys.now + 1;
  own.fetch = null;
  if ('error' in outcome) return afterAnswer(server, 0, outcome.error);
  return afterAnswer(server, outcome.answer.status, textOf(outcome.answer.body));
}

function afterAnswer(server: Server, status: number, body: string): number {
  const { own, sys } = server;
  const isLate = sys.now - own.startedAt >= PATIENCE_MS;
  if (own.phase === 'version') {
    if (status === 200) {
      logTo(server, `Server version: ${bytesOf(body.replace(/\s+/g, ' '))}`);
      own.phase = 'endpoints';
      return sys.now;
    }
    if (isLate) fatal(server, `Unable to contact Kubernetes: ${bytesOf(body)}`);
    else logTo(server, `Unable to get server version: ${bytesOf(body)}; retrying.`);
    return wait(server);
  }
  const found = status === 200 ? endpointsOf(body) : undefined;
  const [namespace, service] = [text(server, 'namespace'), text(server, 'service')];
  if (found === undefined) note(own, `Unable to read the endpoints for ${namespace}/${service}: ${messageOf(body)}.`);
  const all = found ?? [];
  if (own.phase === 'endpoints' && all.length < number(server, 'peers') && !isLate) {
    const counted = `${namespace}/${service} has ${all.length} endpoints ([${all.join(' ')}])`;
    const wanted = number(server, 'peers');
    note(own, `${counted}, which is less than ${wanted} as expected. Waiting for all endpoints to come up.`);
    return wait(server);
  }
  own.phase = 'contact';
  own.peers = all;
  return own.peers.length > 0 ? contact(server) : endRound(server);
}

function wait({ own, sys }: Server): number {
  own.next = sys.now + PERIOD_MS;
  return own.next;
}

function endRound(server: Server): number {
  if (--server.own.rounds > 0) return wait(server);
  server.own.phase = 'done';
  return Infinity;
}

/** Posts to the peers in turn. */
function contact(server: Server): number {
  const { own, sys } = server;
  const peer = own.peers[0]!;
  if (own.dial === null) {
    note(own, `Attempting to contact ${peer}`);
    own.dial = post(server, peer);
  }
  const outcome = continueDial(sys, own.dial, isWholeAnswer);
  if ('wait' in outcome) return sys.now + 1;
  own.dial = null;
  own.peers.shift();
  const answer = 'error' in outcome ? undefined : readAnswer(outcome.received);
  const hostname = answer && hostnameOf(textOf(answer.body));
  if (hostname !== undefined) own.sent = count(own.sent, hostname);
  else
    note(own, `Warning: unable to contact the endpoint ${quote(peer)}: ${'error' in outcome ? outcome.error : 'EOF'}`);
  return own.peers.length > 0 ? sys.now : endRound(server);
}

function post({ sys }: Server, peer: string): Dial {
  const [address = '', port = ''] = peer.slice('http://'.length).split(':');
  const body = bytesOf(JSON.stringify({ Source: textOf(sys.hostname), Dest: peer }));
  const head = `POST /write HTTP/1.1\r\nHost: ${address}:${port}\r\nContent-Type: application/json\r\n`;
  const bytes = `${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  return dial(sys, address, Number(port), 'tcp', bytes, PERIOD_MS);
}

function answer({ route, body }: HttpRequest, server: Server): AnswerParts | 'close' {
  switch (route) {
    case '/quit':
      server.exit(0);
      return 'close';
    case '/read':
      return plainText(show(server));
    case '/status':
      return plainText(statusOf(server));
    case '/write':
      return plainText(`${write(server, textOf(body))}\n`);
    default:
      return httpError('404 page not found', 404);
  }
}

/** json.MarshalIndent of the state; what is empty is null. */
function show({ sys, own }: Server): string {
  const { sent, received, errors, log } = own;
  const state = { Hostname: textOf(sys.hostname), Sent: sent, Received: received, Errors: errors, Log: log };
  return JSON.stringify({ ...state, StillContactingPeers: own.phase !== 'done' }, null, '\t');
}

function statusOf(server: Server): string {
  const { own } = server;
  const [sent, received] = [Object.keys(own.sent ?? {}).length, Object.keys(own.received ?? {}).length];
  const peers = number(server, 'peers');
  if (sent >= peers && received >= peers) return 'pass';
  if (own.phase !== 'done') return 'running';
  const where = `${text(server, 'namespace')}/${text(server, 'service')}`;
  note(own, `Declaring failure for ${where} with ${sent} sent and ${received} received and ${peers} peers`);
  return 'fail';
}

function write({ sys, own }: Server, body: string): string {
  const hostname = textOf(sys.hostname);
  const posted = parse(body);
  if (posted === undefined) fail(own, body === '' ? 'EOF' : 'invalid character in the request');
  const source = typeof posted?.['Source'] === 'string' ? posted['Source'] : '';
  if (source === '') fail(own, `${hostname}: Got request with no source`);
  else own.received = count(own.received, source);
  return JSON.stringify({ Hostname: hostname });
}

function count(known: Record<string, number> | null, name: string): Record<string, number> {
  const isFull = Object.keys(known ?? {}).length >= MAX_KEPT;
  const before = known !== null && Object.hasOwn(known, name) ? known[name]! : 0;
  return isFull && before === 0 ? known! : { ...known, [name]: before + 1 };
}

function fail(own: Own, message: string): void {
  own.errors = [...(own.errors ?? []), message].slice(-MAX_KEPT);
}

function note(own: Own, message: string): void {
  own.log = [...(own.log ?? []), message].slice(-MAX_LOG);
}

function parse(body: string): Record<string, Plain> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, Plain>) : undefined;
  } catch {
    return undefined;
  }
}

function hostnameOf(body: string): string | undefined {
  const name = parse(body)?.['Hostname'];
  return typeof name === 'string' ? name : undefined;
}

const messageOf = (body: string): string => {
  const message = parse(body)?.['message'];
  return typeof message === 'string' ? message : body;
};

interface Subset {
  readonly addresses?: readonly { readonly ip: string }[];
  readonly ports?: readonly { readonly port: number }[];
}

function endpointsOf(body: string): string[] {
  const { subsets = [] } = (parse(body) ?? {}) as { subsets?: readonly Subset[] };
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    addresses.flatMap(({ ip }) => ports.map(({ port }) => `http://${ip}:${port}`)),
  );
  return [...new Set(all)].sort().slice(0, MAX_KEPT);
}
