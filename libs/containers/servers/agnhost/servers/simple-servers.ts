import { bytesOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { formatDuration } from '../../go.js';
import {
  httpDate,
  httpError,
  plainText,
  speakHttp,
  unescapeUrl,
  type AnswerParts,
  type HttpRequest,
} from '../../http.js';
import { defineServer, type Connection, type Running } from '../../serve.js';
import { readCertificate } from '../command/certificate.js';
import { fatal, logTo, readFlags, type Command } from '../command/command.js';
import { serveFile } from '../command/file-server.js';
import type { FlagTable } from '../command/flags.js';

type Own = { argv: Bytes[]; startedAt: number; isListening: boolean; endsAt: number | null };

const READY_MS = 50;
const start = (argv: readonly Bytes[]): Own => ({ argv: [...argv], startedAt: 0, isListening: false, endsAt: null });

/** Go's net.Listen, and log.Fatal when it fails. */
function listenOrFail(server: Running<Own>, port: number, options: Parameters<Running<Own>['listen']>[1] = {}): void {
  try {
    server.listen(port, options);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    fatal(server, `listen ${options.protocol ?? 'tcp'} :${port}: bind: ${error.message.toLowerCase()}`);
  }
}

/** Begins to listen a while after the start, as a process needs it. */
const beginLater = (server: Running<Own>): void => {
  server.own.startedAt = server.sys.now;
  server.tickAt(server.sys.now + READY_MS);
};

const headers = ({ sys }: Running<Own>) => ({ date: httpDate(sys.now) });

const HOSTNAME_FLAGS: FlagTable = {
  tcp: ['bool', 'false'],
  udp: ['bool', 'false'],
  http: ['bool', 'true'],
  close: ['bool', 'false'],
  port: ['int', '9376'],
};
/** serve-hostname sleeps so long before it ends. */
const SHUTDOWN_MS = 60_000;

/** Serves the host's name. Models test/images/agnhost/serve-hostname. */
export const serveHostname: Command = {
  flags: HOSTNAME_FLAGS,
  signals: ['TERM'],
  program: (() => {
    const clientOf = ({ address, remotePort }: Connection): string => `${address}:${remotePort}`;
    const http = speakHttp<Own>({
      headers,
      answer(_request, server, connection) {
        logTo(server, `HTTP request from ${clientOf(connection)}`);
        const isLast = readFlags(HOSTNAME_FLAGS, server.own.argv).isSet('close');
        const answer = plainText(server.sys.hostname);
        return isLast ? { ...answer, headers: { ...answer.headers, connection: 'close' } } : answer;
      },
    });
    return defineServer<Own>({
      start,
      begin: beginLater,
      signals: ['TERM'],
      tick(server) {
        if (server.own.endsAt !== null) return server.exit(0);
        const flags = readFlags(HOSTNAME_FLAGS, server.own.argv);
        const port = flags.number('port');
        if (flags.isSet('http') && (flags.isSet('tcp') || flags.isSet('udp'))) {
          return fatal(server, "Can't server TCP/UDP mode and HTTP mode at the same time");
        }
        if (flags.isSet('http') || flags.isSet('tcp')) listenOrFail(server, port);
        if (flags.isSet('udp')) listenOrFail(server, port, { protocol: 'udp' });
        logTo(server, `Serving on port ${port}.`);
      },
      signal(server) {
        if (server.own.endsAt !== null) return;
        logTo(server, 'Shutting down after receiving signal: terminated.');
        logTo(server, 'Awaiting pod deletion.');
        server.own.endsAt = server.sys.now + SHUTDOWN_MS;
        server.tickAt(server.own.endsAt);
      },
      connect(server, connection) {
        const isRaw = connection.protocol === 'tcp' && !readFlags(HOSTNAME_FLAGS, server.own.argv).isSet('http');
        if (!isRaw) return;
        logTo(server, `TCP request from ${clientOf(connection)}`);
        connection.unsent = server.sys.hostname;
        connection.closes = true;
      },
      receive(server, connection) {
        if (connection.protocol === 'tcp') return http.receive(server, connection);
        logTo(server, `UDP request from ${clientOf(connection)}`);
        connection.received = '';
        connection.unsent += server.sys.hostname;
      },
      resume: http.resume,
    });
  })(),
};

const PORT_80: FlagTable = { port: ['int', '80'] };

/** Serves all files. Models test/images/agnhost/test-webserver. */
export const testWebserver: Command = {
  flags: PORT_80,
  program: defineServer<Own>({
    start,
    begin: beginLater,
    tick: (server) => listenOrFail(server, readFlags(PORT_80, server.own.argv).number('port')),
    ...speakHttp<Own>({
      headers: (server) => ({
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers':
          'DNT,X-Mx-ReqToken,Keep-Alive,User-Agent,X-Requested-With,Cache-Control,Content-Type',
        'access-control-allow-methods': 'GET, POST, OPTIONS',
        'access-control-allow-origin': '*',
        'cache-control': 'private',
        ...headers(server),
      }),
      answer: ({ route }, { sys }) => serveFile(sys, unescapeUrl(route)),
    }),
  }),
};

const HEALTHY_MS = 10_000;

/** Is healthy for ten seconds. Models test/images/agnhost/liveness. Left out: the URLs of slow and broken answers. */
export const liveness: Command = {
  flags: { port: ['int', '8080'] },
  program: defineServer<Own>({
    start,
    begin: beginLater,
    tick: (server) => listenOrFail(server, 8_080),
    ...speakHttp<Own>({ headers, answer: (request, server) => answerLiveness(request, server) }),
  }),
};

function answerLiveness({ route, query }: HttpRequest, { sys, own }: Running<Own>): AnswerParts {
  const alive = sys.now - own.startedAt;
  if (route === '/started') return plainText(formatDuration(alive));
  if (route === '/healthz') {
    return alive > HEALTHY_MS ? plainText(`error: ${alive / 1_000}`, 500) : plainText('ok');
  }
  if (route === '/redirect') {
    const location = query.get('loc') ?? '';
    const body = bytesOf(`<a href="${location}">Found</a>.\n\n`);
    return { status: 302, headers: { 'content-type': 'text/html; charset=utf-8', location }, body };
  }
  return httpError('404 page not found', 404);
}

const PORTER_FLAGS: FlagTable = { 'json-response': ['bool', 'false'] };
const SERVES = /^SERVE_(TCP_|UDP_|TLS_|SCTP_)?PORT_(\d+)$/;

const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** Serves values of variables at the ports that they name. Models test/images/agnhost/porter. Left out: SCTP. */
export const porter: Command = {
  flags: PORTER_FLAGS,
  program: (() => {
    const find = ({ sys }: Running<Own>, port: number, kinds: readonly string[]): [string, Bytes] | undefined =>
      Object.entries(sys.env).find(([name]) => {
        const [, kind = '', digits] = SERVES.exec(name) ?? [];
        return Number(digits) === port && kinds.includes(kind);
      });
    const http = speakHttp<Own>({
      headers,
      answer({ method }, server, { port }) {
        const [, value = ''] = find(server, port, ['', 'TCP_', 'TLS_']) ?? [];
        if (!readFlags(PORTER_FLAGS, server.own.argv).isSet('json-response')) {
          // Go's server looks at what it sends.
          const isPage = value.startsWith('<a ');
          return isPage ? { ...plainText(value), headers: HTML } : plainText(value);
        }
        const body = JSON.stringify({ Method: method, Body: value });
        return { status: 200, headers: { 'content-type': 'application/json' }, body };
      },
      tls(server, port) {
        if (find(server, port, ['TLS_']) === undefined) return undefined;
        return readCertificate(server.sys, server.sys.env['CERT_FILE'] ?? 'localhost.crt');
      },
    });
    return defineServer<Own>({
      start,
      begin: beginLater,
      tick(server) {
        for (const name of Object.keys(server.sys.env)) {
          const [, kind = '', port] = SERVES.exec(name) ?? [];
          if (port === undefined || kind === 'SCTP_') continue;
          const protocol = kind === 'UDP_' ? 'udp' : 'tcp';
          try {
            server.listen(Number(port), { protocol });
            if (protocol === 'udp') logTo(server, `Started UDP server on port ${port}`);
          } catch (error) {
            if (!(error instanceof SystemError)) throw error;
            const reason = error.message.toLowerCase();
            logTo(server, `server on port "${port}" failed: listen ${protocol} 0.0.0.0:${port}: bind: ${reason}`);
          }
        }
      },
      receive(server, connection) {
        if (connection.protocol === 'tcp') return http.receive(server, connection);
        connection.received = '';
        connection.unsent += find(server, connection.port, ['UDP_'])?.[1] ?? '';
      },
      resume: http.resume,
    });
  })(),
};

const PORT_8080: FlagTable = { port: ['int', '8080'] };

/** Resets each connection that sends something. Models test/images/agnhost/tcp-reset. */
export const tcpReset: Command = {
  flags: PORT_8080,
  signals: ['TERM'],
  program: defineServer<Own>({
    start,
    begin: beginLater,
    signals: ['TERM'],
    tick(server) {
      const port = readFlags(PORT_8080, server.own.argv).number('port');
      listenOrFail(server, port);
      logTo(server, `Serving on port ${port}.`);
    },
    signal(server) {
      logTo(server, 'Shutting down after receiving signal: terminated.');
      logTo(server, 'Awaiting pod deletion.');
      server.exit(0);
    },
    receive(server, connection) {
      logTo(server, `TCP request from ${connection.address}:${connection.remotePort}`);
      connection.closes = true;
    },
  }),
};

const PAUSE_CODES = { INT: 1, TERM: 2 } as const;

/** Waits for a signal. Models test/images/agnhost/pause. */
export const pause: Command = {
  flags: {},
  signals: ['INT', 'TERM'],
  program: defineServer<Own>({
    start,
    begin: (server) => server.out('Paused\n'),
    receive: () => undefined,
    signals: ['INT', 'TERM'],
    signal: (server, signal) => server.exit(PAUSE_CODES[signal as 'INT' | 'TERM']),
  }),
};
