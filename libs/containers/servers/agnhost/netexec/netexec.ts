import { bytesOf, textOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { joinHostPort } from '../../../../engine/machinery/net/netip.js';
import { formatDuration, formatTime, parseDuration, quote } from '../../go.js';
import { httpDate, plainText, speakHttp, type AnswerParts, type HttpReply, type HttpRequest } from '../../http.js';
import { defineServer, type Connection, type Running, type ServerProgram } from '../../serve.js';
import { fatal, logTo, readFlags, type Command } from '../command/command.js';
import { beginDial, continueDialing, type DialTask } from './dial.js';
import { beginShell, continueShell, type ShellTask } from './shell.js';
import { saveUpload } from './upload.js';
import { readCertificate } from '../command/certificate.js';
import type { FlagTable } from '../command/flags.js';

const FLAGS: FlagTable = {
  'http-port': ['int', '8080'],
  'tls-cert-file': ['string', ''],
  'tls-private-key-file': ['string', ''],
  'udp-port': ['int', '8081'],
  'sctp-port': ['int', '-1'],
  'http-override': ['string', ''],
  'udp-listen-addresses': ['string', ''],
  delay: ['int', '0'],
  'delay-shutdown': ['int', '0'],
};
/** Until the process listens. */
export const READY_MS = 50;

type Own = { argv: Bytes[]; hasUdp: boolean; isListening: boolean; exitCode: number; exitsAt: number | null };
type ExitTask = { kind: 'exit' };
type Task = DialTask | ShellTask | ExitTask;
type Server = Running<Own>;

const http = speakHttp<Own>({
  answer: (request, server, connection) => {
    const override = readFlags(FLAGS, server.own.argv).text('http-override');
    return override === ''
      ? answer(request.route, request.query, request, server, connection)
      : answerOverride(override, request, server, connection);
  },
  resume: (task, _request, server) => resume(task as Task, server),
  headers: ({ sys }) => ({ date: httpDate(sys.now) }),
  tls: ({ sys, own }) => {
    const file = readFlags(FLAGS, own.argv).text('tls-cert-file');
    return file === '' ? undefined : readCertificate(sys, file);
  },
});

const program: ServerProgram<Own> = {
  start: (argv) => ({ argv: [...argv], hasUdp: false, isListening: false, exitCode: 0, exitsAt: null }),
  begin: (server) => server.tickAt(server.sys.now + READY_MS),
  tick(server) {
    if (!server.own.isListening) listen(server);
    else if (server.own.exitsAt !== null && server.sys.now >= server.own.exitsAt) server.exit(server.own.exitCode);
  },
  signals: ['TERM'],
  signal(server) {
    if (server.own.exitsAt !== null) return;
    const seconds = readFlags(FLAGS, server.own.argv).number('delay-shutdown');
    if (seconds <= 0) return server.exit(0);
    logTo(server, `Sleeping ${seconds} seconds before terminating...`);
    server.own.exitsAt = server.sys.now + seconds * 1_000;
    server.tickAt(server.own.exitsAt);
  },
  receive: (server, connection) =>
    connection.protocol === 'udp' ? receiveDatagram(server, connection) : http.receive(server, connection),
  resume: http.resume,
};

/** An HTTP and a UDP server that answer what they are asked. Models test/images/agnhost/netexec. Left out: SCTP. */
export const netexec: Command = { flags: FLAGS, signals: ['TERM'], program: defineServer(program) };

function listen(server: Server): void {
  const { own } = server;
  own.isListening = true;
  const flags = readFlags(FLAGS, own.argv);
  const port = flags.number('http-port');
  const udpPort = flags.number('udp-port');
  try {
    logTo(server, `Started HTTP server on port ${port}`);
    server.listen(port);
    if (udpPort !== -1) {
      for (const address of (flags.text('udp-listen-addresses') || '0.0.0.0').split(',')) {
        server.listen(udpPort, { address, protocol: 'udp' });
        logTo(server, `Started UDP server on port ${address === '0.0.0.0' ? '' : address} ${udpPort}`);
      }
      own.hasUdp = true;
    }
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    fatal(server, `listen tcp :${port}: bind: ${error.message.toLowerCase()}`);
  }
}

function answerOverride(override: string, request: HttpRequest, server: Server, connection: Connection): HttpReply {
  const [route = '', text = ''] = override.split(/\?(.*)/s);
  const query = new Map(text.split('&').map((part) => part.split(/=(.*)/s, 2) as [string, string]));
  return answer(bytesOf(route), query, request, server, connection);
}

function answer(
  route: Bytes,
  query: ReadonlyMap<string, string>,
  request: HttpRequest,
  server: Server,
  connection: Connection,
): HttpReply {
  const { sys, own } = server;
  const value = (name: string): string => query.get(name) ?? '';
  const log = (message: string): void => logTo(server, bytesOf(message));
  switch (route) {
    case '/hostname':
    case '/hostName':
      log(`GET ${route}`);
      return plainText(textOf(sys.hostname));
    case '/clientip':
      log('GET /clientip');
      return plainText(joinHostPort(connection.address, connection.remotePort));
    case '/echo':
      return echo(value('msg'), value('code'), log);
    case '/healthz':
      log('GET /healthz');
      return { status: own.hasUdp ? 200 : 412 };
    case '/readyz':
      log('GET /readyz');
      if (own.exitsAt !== null) return plainText('shutting down', 503);
      return own.hasUdp ? plainText('ok') : { status: 412 };
    case '/header': {
      const key = value('key');
      log(`GET /header?key=${key}`);
      return plainText(request.headers[key.toLowerCase()] ?? '');
    }
    case '/dial':
      return beginDial(server, query);
    case '/shell':
      return beginShell(server, value('shellCommand') || value('cmd'));
    case '/redirect':
      return redirect(value('location'), value('code'), request.method, log);
    case '/upload':
      return saveUpload(server, request);
    case '/shutdown':
      log('GET /shutdown');
      server.exit(0);
      return 'close';
    case '/exit':
      return exitLater(server, value, log);
    default:
      log('GET /');
      return plainText(`NOW: ${formatTime(sys.now)}`);
  }
}

function resume(task: Task, server: Server): HttpReply {
  if (task.kind === 'dial') return continueDialing(server, task);
  if (task.kind === 'shell') return continueShell(server, task);
  return { task: task as Plain, wait: {} };
}

type Log = (message: string) => void;

function echo(message: string, code: string, log: Log): AnswerParts {
  log(`GET /echo?msg=${message}&code=${code}`);
  if (code !== '' && !/^[-+]?\d+$/.test(code)) {
    return plainText(`argument 'code' must be an integer or empty, got ${quote(code)}\n`);
  }
  return plainText(message, code === '' ? 200 : Number(code));
}

const REASONS: Readonly<Record<number, string>> = {
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
};

function redirect(location: string, code: string, method: string, log: Log): AnswerParts {
  log(`${method} /redirect?msg=${location}&code=${code}`);
  if (code !== '' && !/^[-+]?\d+$/.test(code)) {
    return plainText(`argument 'code' must be an integer or empty, got ${quote(code)}\n`);
  }
  const status = code === '' ? 302 : Number(code);
  const escaped = location
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&#34;');
  return {
    status,
    headers: { location, 'content-type': 'text/html; charset=utf-8' },
    body: bytesOf(`<a href="${escaped}">${REASONS[status] ?? ''}</a>.\n\n`),
  };
}

/** The connection is held until the process ends. */
function exitLater(server: Server, value: (name: string) => string, log: Log): HttpReply {
  const [code, timeout, wait] = [value('code'), value('timeout'), value('wait')];
  log(`GET /exit?code=${code}&timeout=${timeout}&wait=${wait}`);
  for (const [name, text] of [
    ['timeout', timeout],
    ['wait', wait],
  ] as const) {
    if (text !== '' && parseDuration(text) === undefined) {
      return plainText(`argument '${name}' must be a valid golang duration or empty, got ${quote(text)}\n`);
    }
  }
  if (code !== '' && !/^[-+]?\d+$/.test(code)) {
    return plainText(`argument 'code' must be an integer [0-127] or empty, got ${quote(code)}\n`);
  }
  const waitMs = parseDuration(wait) ?? 0;
  const timeoutMs = parseDuration(timeout) ?? 0;
  log(
    `Will begin shutdown in ${formatDuration(waitMs)}, allowing ${formatDuration(timeoutMs)} for connections to close, then will exit with ${Number(code)}`,
  );
  server.own.exitCode = Number(code) & 255;
  server.own.exitsAt = server.sys.now + Math.ceil(waitMs);
  server.tickAt(server.own.exitsAt);
  if (timeoutMs > 0) return plainText('');
  return { task: { kind: 'exit' }, wait: { until: server.own.exitsAt } };
}

function receiveDatagram(server: Server, connection: Connection): void {
  const text = connection.received.trim().toLowerCase();
  const client = joinHostPort(connection.address, connection.remotePort);
  connection.received = '';
  if (text === 'hostname') {
    logTo(server, 'Sending udp hostName response');
    connection.unsent += server.sys.hostname;
  } else if (text.startsWith('echo ')) {
    const message = text.slice('echo '.length);
    logTo(server, `Echoing ${message} to UDP client ${client}`);
    connection.unsent += message;
  } else if (text === 'clientip') {
    logTo(server, `Sending clientip back to UDP client ${client}`);
    connection.unsent += client;
  } else if (text !== '') logTo(server, `Unknown UDP command received from ${client}: ${text}`);
}
