import { bytesOf, textOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { continueDial, dial, isWholeAnswer, readAnswer, type Dial } from '../../dial.js';
import { formatDuration, formatTime, marshal, quote } from '../../go.js';
import { httpDate, httpError, plainText, speakHttp, type HttpReply, type HttpRequest } from '../../http.js';
import { lookUp } from '../../lookup.js';
import { defineServer, type Connection, type Running } from '../../serve.js';
import { beginListening, listenOrFail, newServer, type Own } from '../command/listening.js';
import { logTo, readFlags, type Command } from '../command/command.js';
import type { FlagTable } from '../command/flags.js';

const headers = ({ sys }: Running<Own>) => ({ date: httpDate(sys.now) });

/** What a request of one of these servers asks. */
type Handler = (request: HttpRequest, server: Running<Own>, connection: Connection) => HttpReply;

/** An HTTP server on one port, by the flag `port` or always the same. */
const simple = (flags: FlagTable, port: number | undefined, answer: Handler): Command => ({
  flags,
  program: defineServer<Own>({
    start: newServer,
    begin: beginListening,
    tick: (server) => listenOrFail(server, port ?? readFlags(flags, server.own.argv).number('port')),
    ...speakHttp<Own>({ headers, answer }),
  }),
});

/** Models test/images/agnhost/fakegitserver. */
export const fakeGitServer: Command = simple({}, 8_000, () => plainText('I am a fake git server'));

/** Writes the audit events that it gets. Models test/images/agnhost/audit-proxy. */
export const auditProxy: Command = simple({}, 8_080, ({ body }, server) => {
  try {
    const { kind, items = [] } = JSON.parse(textOf(body)) as { kind?: string; items?: readonly object[] };
    if (kind !== 'EventList') throw new SyntaxError('no EventList');
    for (const item of items)
      server.out(`${bytesOf(marshal({ kind: 'Event', apiVersion: 'audit.k8s.io/v1', ...item }))}\n`);
    return { status: 200 };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const bits = [...body.slice(0, 1_000)].map((byte) => byte.charCodeAt(0).toString(2)).join(' ');
    logTo(server, `failed decoding buf: [${bits}], apiVersion: audit.k8s.io/v1`);
    return { status: 500 };
  }
});

/** A request as JSON. Models test/images/agnhost/http-echo. */
export const httpEcho: Command = simple({ port: ['int', '8080'] }, undefined, (request, server, connection) => {
  const { path, method } = request;
  logTo(server, `Echoing back request made to ${path} to client (${connection.address}:${connection.remotePort})`);
  const { host = '', ...rest } = request.headers;
  const names = Object.entries(rest).map(([name, value]) => [
    name.replace(/(?:^|-)[a-z]/g, (part) => part.toUpperCase()),
    [value],
  ]);
  const body = {
    ...{ path: textOf(path), host, method, proto: 'HTTP/1.1' },
    headers: Object.fromEntries(names.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))) as object,
    httpPort: readFlags({ port: ['int', '8080'] }, server.own.argv).text('port'),
    namespace: textOf(server.sys.env['NAMESPACE'] ?? ''),
    pod: textOf(server.sys.env['POD_NAME'] ?? ''),
  };
  const type = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' };
  return { status: 200, headers: type, body: bytesOf(JSON.stringify(body, null, 1)) };
});

const SNAT_FLAGS: FlagTable = { port: ['string', '8080'] };
const ASK_MS = 5_000;
const MAX_ASKED = 100;

type SnatTask = { ips: string[]; errors: string[]; dial: Dial | null };

/** Whether others see this pod's own address. Models test/images/agnhost/no-snat-test. */
export const noSnatTest: Command = {
  flags: SNAT_FLAGS,
  program: defineServer<Own>({
    start: newServer,
    begin(server) {
      for (const name of ['POD_IP', 'NODE_IP']) {
        if (server.sys.env[name] !== undefined) continue;
        server.err(`${name} env var was not present in the environment\n`);
        return server.exit(1);
      }
      beginListening(server);
    },
    tick: (server) => listenOrFail(server, readFlags(SNAT_FLAGS, server.own.argv).number('port')),
    ...speakHttp<Own>({
      headers,
      answer({ route, query }, server, connection) {
        if (route === '/whoami') return plainText(`${connection.address}:${connection.remotePort}`);
        if (route !== '/checknosnat') return httpError('404 page not found', 404);
        const ips = (query.get('ips') ?? '').split(',').slice(0, MAX_ASKED);
        return checkNoSnat(server, { ips, errors: [], dial: null });
      },
      resume: (task, _request, server) => checkNoSnat(server, task as SnatTask),
    }),
  }),
};

function checkNoSnat(server: Running<Own>, task: SnatTask): HttpReply {
  for (let target = task.ips[0]; target !== undefined; target = task.ips[0]) {
    const [ip = '', port = '80'] = target.split(':');
    const head = `GET /whoami HTTP/1.1\r\nHost: ${target}\r\nConnection: close\r\n\r\n`;
    const [address = ip] = lookUp(server.sys, ip).addresses;
    task.dial ??= dial(server.sys, address, Number(port), 'tcp', head, ASK_MS);
    const outcome = continueDial(server.sys, task.dial, isWholeAnswer);
    if ('wait' in outcome) return { task: task as Plain, wait: outcome.wait };
    const answer = 'error' in outcome ? undefined : readAnswer(outcome.received)?.body;
    const error = answer === undefined ? `Get "http://${target}/whoami": EOF` : snatOf(answer, server);
    if (error !== undefined) task.errors.push(error);
    task.ips.shift();
    task.dial = null;
  }
  return task.errors.length > 0 ? plainText(task.errors.join(', '), 500) : { status: 200 };
}

function snatOf(answer: Bytes, { sys }: Running<Own>): string | undefined {
  const [returned = ''] = answer.split(':');
  const pod = sys.env['POD_IP'] ?? '';
  const node = sys.env['NODE_IP'] ?? '';
  if (returned === pod) return undefined;
  return returned === node
    ? `Returned ip ${quote(returned)} != my Pod ip ${quote(pod)}, == my Node ip ${quote(node)} - SNAT`
    : `Returned ip ${quote(returned)} != my Pod ip ${quote(pod)} or my Node ip ${quote(node)} - SNAT to unexpected ip (possible SNAT through unexpected interface on the way into another node)`;
}

const GRPC_FLAGS: FlagTable = {
  port: ['int', '5000'],
  'http-port': ['int', '8080'],
  'delay-unhealthy-sec': ['int', '-1'],
  service: ['string', ''],
};
const CHECK = '/grpc.health.v1.Health/Check';

/**
 * The gRPC health protocol, and two HTTP paths that change what it says. A call of Check is a POST to its path whose
 * body is the service's name, and whose answer has the status of gRPC in its header. Models
 * test/images/agnhost/grpc-health-checking. Left out: HTTP/2 and protobuf.
 */
export const grpcHealthChecking: Command = {
  flags: GRPC_FLAGS,
  program: defineServer<Own>({
    start: newServer,
    begin: beginListening,
    tick(server) {
      const flags = readFlags(GRPC_FLAGS, server.own.argv);
      logTo(server, `gRPC server starting to listen on :${flags.number('port')}`);
      listenOrFail(server, flags.number('port'));
      logTo(server, `Http server starting to listen on :${flags.number('http-port')}`);
      listenOrFail(server, flags.number('http-port'));
    },
    ...speakHttp<Own>({
      headers,
      answer({ route, body }, server, { port }) {
        const flags = readFlags(GRPC_FLAGS, server.own.argv);
        const alive = server.sys.now - server.own.startedAt;
        if (port === flags.number('port')) return checkHealth(server, route, textOf(body));
        if (route !== '/make-serving' && route !== '/make-not-serving') return httpError('404 page not found', 404);
        server.own.mark = route === '/make-serving' ? 'serving' : 'not serving';
        logTo(server, `Mark as ${route === '/make-serving' ? 'healthy' : 'unhealthy'}`);
        return plainText(formatDuration(alive));
      },
    }),
  }),
};

function checkHealth(server: Running<Own>, route: Bytes, service: string): HttpReply {
  const { own, sys } = server;
  const reply = (code: number, message: string, status = ''): HttpReply => ({
    status: 200,
    headers: { 'content-type': 'application/grpc', 'grpc-status': String(code), 'grpc-message': message },
    body: status,
  });
  if (route !== CHECK) return reply(12, 'unknown service');
  logTo(server, `Serving the Check request for health check, started at ${formatTime(own.startedAt)}`);
  const flags = readFlags(GRPC_FLAGS, own.argv);
  if (service !== textOf(flags.text('service'))) return reply(5, 'unknown service');
  const delay = flags.number('delay-unhealthy-sec');
  const isLate = delay >= 0 && sys.now - own.startedAt >= delay * 1_000;
  return reply(0, '', own.mark === 'not serving' || isLate ? 'NOT_SERVING' : 'SERVING');
}
