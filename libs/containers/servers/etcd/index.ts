import { bytesOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import { errnoText } from '../go.js';
import { httpDate, plainText, speakHttp, type AnswerParts, type HttpRequest } from '../http.js';
import { keepData, makeDirectories, readKept } from '../keep.js';
import { defineServer, type Running } from '../serve.js';
import { answerGateway, GatewayError, VERSION } from './gateway.js';
import { addressOf, readFlag } from './flags.js';
import { newStore, readStore, type Store } from './store.js';

type Own = { argv: Bytes[]; store: Store; folder: Bytes; isListening: boolean };

/** Until it listens: it opens its files, and elects itself. */
const READY_MS = 600;
const DEFAULT_CLIENTS = 'http://localhost:2379';

const line = (server: Running<Own>, level: string, caller: string, msg: string, more: object = {}): void =>
  server.err(`${bytesOf(JSON.stringify({ level, ts: stamp(server.sys.now), caller, msg, ...more }))}\n`);

const stamp = (at: number): string => new Date(at).toISOString().replace('Z', '000Z');

const json = (value: object, status = 200): AnswerParts => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: bytesOf(JSON.stringify(value)),
});

function answer({ method, route, body }: HttpRequest, server: Running<Own>): AnswerParts {
  const { own, sys } = server;
  if (route === '/version') return json({ etcdserver: VERSION, etcdcluster: '3.6.0', storage: '3.6.0' });
  if (route === '/health' || route === '/readyz' || route === '/livez')
    return route === '/health' ? json({ health: 'true', reason: '' }) : plainText('ok\n');
  if (method !== 'POST') return plainText('404 page not found\n', 404);
  sys.charge(100 + (body.length >> 4));
  const before = own.store.revision;
  try {
    const answered = answerGateway(own.store, route, body);
    if (!answered) return json({ code: 12, message: `${route} is not simulated` }, 501);
    if (own.store.revision !== before) keepData(sys, `${own.folder}/member/snap/db`, own.store);
    return json(answered);
  } catch (error) {
    if (error instanceof GatewayError)
      return json({ error: error.message, code: error.code, message: error.message }, error.status);
    if (!(error instanceof SystemError)) throw error;
    line(server, 'fatal', 'backend/batch_tx.go:345', 'failed to commit tx', { error: errnoText(error) });
    server.exit(1);
    return json({ error: 'etcdserver: server stopped', code: 14, message: 'etcdserver: server stopped' }, 503);
  }
}

function open(server: Running<Own>): void {
  const { own, sys } = server;
  try {
    makeDirectories(sys, bytesOf(`${own.folder}/member/snap`));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const why = `cannot access data directory: mkdir ${own.folder}: ${errnoText(error)}`;
    line(server, 'fatal', 'etcdmain/etcd.go:183', 'discovery failed', { error: why });
    return server.exit(1);
  }
  own.store = readStore(readKept(sys, `${own.folder}/member/snap/db`)) ?? own.store;
  server.tickAt(sys.now + READY_MS);
}

function listen(server: Running<Own>): void {
  const { own } = server;
  own.isListening = true;
  const urls = readFlag(own.argv, 'listen-client-urls', DEFAULT_CLIENTS).split(',');
  for (const url of urls) {
    const { address, port } = addressOf(url);
    try {
      server.listen(port, address === '' ? {} : { address });
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      const why = `listen tcp ${address}:${port}: bind: ${errnoText(error)}`;
      line(server, 'fatal', 'etcdmain/etcd.go:183', 'discovery failed', { error: why });
      return server.exit(1);
    }
    line(server, 'info', 'embed/serve.go:220', 'serving client traffic insecurely; this is strongly discouraged!', {
      ...{ traffic: 'grpc+http', address: `${address}:${port}` },
    });
  }
}

/**
 * One etcd of its own: keys in a file of its data directory, by the JSON gateway at its client port. Models etcd's
 * server/embed. Left out: gRPC, TLS, other members, and what the gateway leaves out.
 */
const etcd = defineServer<Own>({
  start: (argv) => {
    const name = readFlag(argv, 'name', 'default');
    const folder = readFlag(argv, 'data-dir', `/${name}.etcd`);
    return {
      argv: [...argv],
      store: newStore(),
      folder: folder.startsWith('/') ? folder : `/${folder}`,
      isListening: false,
    };
  },
  begin(server) {
    line(server, 'info', 'etcdmain/etcd.go:64', 'Running: ', { args: server.own.argv });
    open(server);
  },
  tick(server) {
    if (!server.own.isListening) listen(server);
  },
  signals: ['TERM', 'INT'],
  signal(server) {
    line(server, 'info', 'osutil/interrupt_unix.go:65', 'received signal; shutting down', { signal: 'terminated' });
    server.exit(0);
  },
  ...speakHttp<Own>({ headers: ({ sys }) => ({ date: httpDate(sys.now) }), answer }),
});

export const programs: Readonly<Record<string, Program>> = { 'etcd:etcd': etcd };
