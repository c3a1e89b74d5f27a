import { bytesOf, textOf } from '../../../engine/kernel/bytes.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import { joinHostPort } from '../../../engine/machinery/net/netip.js';
import { httpError } from '../http.js';
import { defineApp, type AppReply } from './app.js';

const SET_HEADER = 'x-echo-set-header';
const MAX_DELAY_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

const title = (name: string): string => name.replace(/(?:^|-)[a-z]/g, (part) => part.toUpperCase());

/** The Gateway API's echo-basic, without its gRPC, TLS and WebSocket servers. Models conformance/echo-basic. */
const echoBasic = defineApp({
  ports: (_argv, env) => [Number(env['HTTP_PORT'] || 3_000)],
  log: ({ sys }) => [`Starting server, listening on port ${sys.env['HTTP_PORT'] || '3000'} (http)`],
  stop: { afterMs: 0, code: 2 },
  answer(request, server): AppReply {
    const { sys, out } = server;
    const { method, path, route, headers, query, connection } = request;
    if (route === '/health') return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'OK' };
    const wanted = /^\/status\/(\d{3})$/.exec(textOf(route))?.[1];
    if (route.startsWith('/status/') && wanted === undefined) return httpError('Invalid status code', 400);
    const client = joinHostPort(connection.address, connection.remotePort);
    out(`Echoing back request made to ${path} to client (${client})\n`);
    const { host = '', ...sent } = headers;
    const value = (name: string): string => textOf(sys.env[name] ?? '');
    const told = {
      ...{ path: textOf(path), host, method, proto: 'HTTP/1.1' },
      headers: Object.fromEntries(
        Object.entries(sent)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, text]) => [title(name), [text]]),
      ),
      httpPort: value('HTTP_PORT') || '3000',
      ...{ namespace: value('NAMESPACE'), ingress: value('INGRESS_NAME'), service: value('SERVICE_NAME') },
      pod: value('POD_NAME'),
    };
    const answer = {
      status: Number(wanted ?? 200),
      headers: {
        ...extraHeaders(headers[SET_HEADER]),
        ...{ 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
      },
      body: bytesOf(JSON.stringify(told, null, 1)),
    };
    const delay = delayOf(query.get('delay'));
    return delay > 0 ? { after: delay, answer } : answer;
  },
});

/** 'name: value, other: value'. */
function extraHeaders(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').flatMap((part) => {
    const colon = part.indexOf(':');
    return colon > 0 ? [[part.slice(0, colon).trim().toLowerCase(), part.slice(colon + 1).trim()] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function delayOf(text: string | undefined): number {
  const [, number, unit = ''] = /^(\d{1,6})(ms|s|m)$/.exec(text ?? '') ?? [];
  return number === undefined ? 0 : Math.min(MAX_DELAY_MS, Number(number) * UNITS[unit]!);
}

export const programs: Readonly<Record<string, Program>> = { 'apps:echo-basic': echoBasic };
