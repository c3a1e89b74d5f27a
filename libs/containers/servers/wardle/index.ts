import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Plain, Program } from '../../../engine/kernel/process/program.js';
import { commonName } from '../../../engine/machinery/crypto/x509/name.js';
import type { ServerHello } from '../../../engine/node/cni/tls.js';
import { readSmallFile } from '../../tools/accounts.js';
import { readFlag, addressOf } from '../etcd/flags.js';
import { errnoText, klogHead, quote } from '../go.js';
import { httpDate, speakHttp } from '../http.js';
import { helloOf, selfSignedHello } from '../ingress/certificates.js';
import { defineServer, type Running } from '../serve.js';
import { askAll, readAll, tell } from './etcd.js';
import type { Own } from './own.js';
import { answer, resume } from './requests.js';

/** How long etcd may take to be there: the dialer's patience. */
const ETCD_MS = 20_000;
const RETRY_MS = 1_000;
/** Informers, certificates and post-start hooks. */
const READY_MS = 800;

/** Flags that are read; others of the real one are accepted and change nothing. */
const KNOWN =
  /^--?(?:etcd-|tls-|audit-|secure-port|bind-address|authentication-|authorization-|client-ca-|requestheader-|kubeconfig|v(?:=|$)|vmodule|feature-gates|enable-|disable-|admission-|cert-dir|egress-|contention-|profiling|permit-|http2-|shutdown-|watch-cache|default-watch|delete-collection|encryption-|storage-|lease-|log|peer-|logging-|emulated-version|min-compat|tracing-|debug-)/;

const print = (server: Running<Own>, level: 'I' | 'W' | 'E', source: string, text: string): void =>
  server.err(bytesOf(`${klogHead(level, server.sys.clock, server.sys.pid, source)}${text}\n`));

/** component-base's cli.Run. */
function fail(server: Running<Own>, why: string): void {
  print(server, 'E', 'run.go:72', `"command failed" err=${textOf(quote(bytesOf(why)))}`);
  server.exit(1);
}

function begin(server: Running<Own>): void {
  const { own, sys } = server;
  const unknown = own.argv.slice(1).find((word) => word.startsWith('-') && !KNOWN.test(word));
  if (unknown !== undefined) {
    server.err(bytesOf(`Error: unknown flag: ${textOf(unknown).split('=', 1)[0]}\n`));
    return server.exit(1);
  }
  const [cert, key] = [readFlag(own.argv, 'tls-cert-file'), readFlag(own.argv, 'tls-private-key-file')];
  for (const path of [cert, key])
    if (path !== '' && !sys.access(path, 'r')) return fail(server, `open ${textOf(path)}: no such file or directory`);
  const hello =
    (cert === '' ? undefined : helloOf(textOf(readSmallFile(sys, cert)))) ??
    selfSignedHello({ seed: textOf(sys.hostname), at: sys.clock }, commonName('localhost'), 'localhost');
  own.hello = hello as unknown as Plain;
  if (own.etcd === '') return fail(server, '--etcd-servers must be specified');
  if (own.etcd.startsWith('https:')) return fail(server, 'etcd over TLS is not simulated');
  own.until = sys.now + ETCD_MS;
  server.tickAt(sys.now);
}

/** It does not begin before its etcd answers, and gives up in the words of gRPC. */
function findEtcd(server: Running<Own>): void {
  const { own, sys } = server;
  const told = tell(sys, own.etcd, askAll(), own);
  if ('wait' in told) return server.tickAt(Math.min(sys.now + 10, own.until));
  if ('answer' in told) {
    own.since = readAll(told.answer).revision;
    own.isListening = true;
    return server.tickAt(sys.now + READY_MS);
  }
  if (sys.now >= own.until) return fail(server, 'context deadline exceeded');
  const { address, port } = addressOf(own.etcd);
  const to = `${address}:${port}`;
  const where = `{Addr: "${to}", ServerName: "${to}", }`;
  print(
    server,
    'W',
    'logging.go:59',
    `[core] [Channel #1 SubChannel #2] grpc: addrConn.createTransport failed to connect to ${where}. ` +
      `Err: connection error: desc = "transport: Error while dialing: ${told.error}"`,
  );
  server.tickAt(Math.min(sys.now + RETRY_MS, own.until));
}

function listen(server: Running<Own>): void {
  const { own } = server;
  const port = Number(readFlag(own.argv, 'secure-port', '443'));
  try {
    server.listen(port);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const why = `failed to listen on 0.0.0.0:${port}: listen tcp 0.0.0.0:${port}: bind: ${errnoText(error)}`;
    return fail(server, `failed to create listener: ${why}`);
  }
  print(server, 'I', 'requestheader_controller.go:169', 'Starting RequestHeaderAuthRequestController');
  const shown = readFlag(own.argv, 'tls-cert-file', 'apiserver.local.config/certificates/apiserver.crt');
  const key = readFlag(own.argv, 'tls-private-key-file', 'apiserver.local.config/certificates/apiserver.key');
  const name = `serving-cert::${textOf(shown)}::${textOf(key)}`;
  print(server, 'I', 'dynamic_serving_content.go:132', `"Starting controller" name="${name}"`);
  print(server, 'I', 'secure_serving.go:213', `Serving securely on [::]:${port}`);
}

/**
 * The API server of flunders and fischers: the engine's own API server over objects that are in etcd.
 * Models k8s.io/sample-apiserver. Left out: audit policies, TLS to etcd, changes that others write to etcd in watches.
 */
const sampleApiServer = defineServer<Own>({
  start: (argv: readonly Bytes[]) => ({
    ...{ argv: [...argv], etcd: textOf(readFlag(argv, 'etcd-servers')).split(',', 1)[0] ?? '', dial: null, until: 0 },
    ...{ hello: null, isListening: false, changes: [], since: -1 },
  }),
  begin,
  tick: (server) => (server.own.isListening ? listen(server) : findEtcd(server)),
  signals: ['TERM', 'INT'],
  signal(server) {
    print(server, 'I', 'secure_serving.go:258', 'Stopped listening on [::]:443');
    server.exit(0);
  },
  ...speakHttp<Own>({
    tls: ({ own }) => own.hello as unknown as ServerHello,
    headers: ({ sys }) => ({ date: httpDate(sys.clock) }),
    answer,
    resume,
  }),
});

export const programs: Readonly<Record<string, Program>> = { 'wardle:sample-apiserver': sampleApiServer };
