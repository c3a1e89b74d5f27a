import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { keepData, makeDirectories, readKept } from '../../keep.js';
import { defineServer, type Connection, type Running } from '../../serve.js';
import { readConfiguration } from './configuration.js';
import { startLines } from './lines.js';
import { answerPeer } from './peers.js';
import { beginWork, continueWork, type Outcome, type Own, type Work } from './quorum.js';
import { answerChange, answerConnect, answerReading, readConnect, readRequest, type Request } from './requests.js';
import { isTree, makeTree, type Change } from './tree.js';
import { OPERATION, takeFrame } from '../wire.js';
import { ABOUT_QUORUM, answerWord, isAllowed, WORDS } from './words.js';

type Server = Running<Own>;
/** What a connection waits for. */
type Task = { work: Work; word?: string; timeout?: number; request?: Request; writes?: true };
/** A client's own: its session's number. */
type Session = { session: number };

const READY_MS = 1_500;
const SESSION_BITS = 2 ** 44;

const dataPath = ({ configuration }: Own): Bytes => `${configuration!.dataDir}/version-2/snapshot.0`;

function keep({ sys, own }: Server): void {
  keepData(sys, dataPath(own), own.tree);
}

function begin(server: Server): void {
  const { own, sys } = server;
  const path = own.argv.at(-1)!;
  const read = readConfiguration(sys, path, own.version.startsWith('3.4'));
  if (typeof read === 'string') {
    server.err(`Invalid config, exiting abnormally\nInvalid config, exiting abnormally: ${read}\n`);
    return server.exit(2);
  }
  own.configuration = read;
  try {
    makeDirectories(sys, `${read.dataDir}/version-2`);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    server.err(`Unable to access datadir, exiting abnormally\n${read.dataDir}: ${error.message}\n`);
    return server.exit(3);
  }
  const kept = readKept(sys, dataPath(own));
  if (kept !== undefined && !isTree(kept)) {
    server.err('Unexpected exception, exiting abnormally\njava.io.IOException: Unreasonable length\n');
    return server.exit(1);
  }
  own.tree = kept ?? own.tree;
  own.ended = Object.values(own.tree.nodes)
    .map(({ owner }) => owner)
    .filter((owner) => Math.floor(owner / SESSION_BITS) === read.id);
  server.tickAt(own.startedAt + READY_MS);
}

function listen(server: Server): void {
  const { own } = server;
  const { clientPort, peerPort, id, peers } = own.configuration!;
  own.isReady = true;
  try {
    server.listen(clientPort);
    if (peers.length > 0) server.listen(peerPort);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    server.err('Unexpected exception, exiting abnormally\njava.net.BindException: Address already in use\n');
    return server.exit(1);
  }
  server.out(startLines(server.sys.now, id, own.argv.at(-1)!, clientPort, peers.length === 0));
}

function receive(server: Server, connection: Connection): void {
  const { own } = server;
  if (connection.port !== own.configuration!.clientPort) return receivePeer(server, connection);
  while (connection.task === null && !connection.closes) {
    if (connection.own === null && WORDS.includes(connection.received.slice(0, 4))) return takeWord(server, connection);
    const taken = takeFrame(connection.received);
    if (taken === undefined) break;
    if (taken === 'bad') {
      connection.closes = true;
      return;
    }
    connection.received = connection.received.slice(taken.length);
    server.sys.charge(50 + (taken.length >> 3));
    own.packets.received++;
    if (connection.own === null) connect(server, connection, taken.body);
    else serve(server, connection, readRequest(taken.body, (connection.own as Session).session));
  }
  if (connection.isEnded && connection.task === null) endSession(server, connection);
}

/** A session that ends without saying so takes its nodes with it when the next one is closed. */
function endSession({ own }: Server, connection: Connection): void {
  const session = (connection.own as Session | null)?.session;
  connection.own = null;
  if (session !== undefined && Object.values(own.tree.nodes).some(({ owner }) => owner === session))
    own.ended.push(session);
}

function takeWord(server: Server, connection: Connection): void {
  const word = connection.received.slice(0, 4);
  const { words, peers } = server.own.configuration!;
  connection.received = '';
  if (!isAllowed(words, word)) {
    connection.unsent += `${word} is not executed because it is not in the whitelist.\n`;
    connection.closes = true;
  } else if (ABOUT_QUORUM.includes(word) && peers.length > 0)
    wait(server, connection, { work: beginWork(server.sys, server.own, null), word });
  else {
    connection.unsent += answerWord(server, word, 'standalone');
    connection.closes = true;
  }
}

function connect(server: Server, connection: Connection, body: Bytes): void {
  const timeout = readConnect(body);
  if (timeout === undefined) {
    connection.unsent += answerConnect(0, 0);
    connection.closes = true;
    return;
  }
  const { minSessionTimeout, maxSessionTimeout } = server.own.configuration!;
  const bounded = Math.min(maxSessionTimeout, Math.max(minSessionTimeout, timeout));
  wait(server, connection, { work: beginWork(server.sys, server.own, null), timeout: bounded });
}

function serve(server: Server, connection: Connection, request: Request): void {
  const { sys, own } = server;
  const { session } = connection.own as Session;
  const change = request.type === OPERATION.close ? endOf(own, session) : request.change;
  if (change !== null) return wait(server, connection, { work: beginWork(sys, own, change), request });
  own.packets.sent++;
  connection.unsent += answerReading(own.tree, request);
  connection.closes ||= request.type === OPERATION.close;
}

/** What goes with a session, and with those that ended before it without saying so; null: nothing. */
function endOf(own: Own, session: number): Change | null {
  const owners = [...own.ended.splice(0, own.ended.length), session];
  const isOwner = Object.values(own.tree.nodes).some(({ owner }) => owner !== 0 && owners.includes(owner));
  return isOwner ? { type: 'end', path: '/', owners } : null;
}

function receivePeer(server: Server, connection: Connection): void {
  const { own, sys } = server;
  const answer = answerPeer(sys, own, connection.received, () => keep(server));
  if (answer === undefined) return;
  connection.received = '';
  if (typeof answer === 'string') {
    connection.unsent += answer;
    connection.closes = true;
  } else wait(server, connection, { work: beginWork(sys, own, answer, true), writes: true });
}

function wait(server: Server, connection: Connection, task: Task): void {
  connection.task = task as unknown as Plain;
  resume(server, connection);
}

function resume(server: Server, connection: Connection): void {
  const { sys, own } = server;
  const task = connection.task as unknown as Task;
  const { descriptor } = connection;
  const outcome = continueWork({ sys, own, descriptor, keep: () => keep(server) }, task.work);
  if ('wait' in outcome) {
    connection.wait = outcome.wait;
    return;
  }
  connection.task = null;
  finish(server, connection, task, outcome);
  if (connection.received !== '' && !connection.closes) receive(server, connection);
}

function finish(server: Server, connection: Connection, task: Task, { role, result }: Outcome): void {
  const { own } = server;
  const { word, timeout, request, writes } = task;
  if (writes) {
    connection.unsent += `${JSON.stringify({ id: own.configuration!.id, zxid: own.tree.zxid, result })}\n`;
    connection.closes = true;
  } else if (word !== undefined) {
    connection.unsent += answerWord(server, word, role);
    connection.closes = true;
  } else if (role === undefined) connection.closes = true;
  else if (timeout !== undefined) {
    const session = own.configuration!.id * SESSION_BITS + own.sessions++;
    connection.own = { session } satisfies Session;
    connection.unsent += answerConnect(session, timeout);
  } else if (request !== undefined) {
    own.packets.sent++;
    connection.unsent += answerChange(own.tree, request, request.type === OPERATION.close ? '/' : result);
    connection.closes ||= request.type === OPERATION.close;
  }
}

/** `java … QuorumPeerMain ZOO.CFG`. Left out: Zab, access lists, watches, the admin server, dynamic ensembles. */
export const zookeeper = defineServer<Own>({
  start: (argv, sys) => ({
    ...{ argv: [...argv], version: versionOf(argv), problem: '', configuration: null, tree: makeTree() },
    ...{ startedAt: sys.now, isReady: false, sessions: Math.floor(sys.now / 1_000), writer: null, ended: [] },
    packets: { received: 0, sent: 0 },
  }),
  begin,
  signals: ['TERM', 'INT'],
  signal: (server) => server.exit(143),
  tick(server) {
    if (!server.own.isReady) listen(server);
  },
  receive,
  resume,
  disconnect(server, connection) {
    if (server.own.writer === connection.descriptor) server.own.writer = null;
    endSession(server, connection);
  },
});

const versionOf = (argv: readonly Bytes[]): string =>
  argv.find((word) => word.startsWith('-Dzookeeper.version='))?.slice('-Dzookeeper.version='.length) ?? '3.9.3';
