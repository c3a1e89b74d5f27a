import { textOf } from '../../../engine/kernel/bytes.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import { plainText } from '../http.js';
import { defineApp, json, option, type AppReply, type AppRequest, type AppServer } from './app.js';

const VERSION = '6.9.2';
const REVISION = 'e86405a8674ecab990d0a389824c7ebbd82973b5';
const COLOR = '#34577c';
const MESSAGE = `greetings from podinfo v${VERSION}`;
const MAX_DELAY = 60;

const value = ({ own, sys }: AppServer, flag: string, variable: string, otherwise: string): string =>
  textOf(option(own.argv, flag) ?? sys.env[variable] ?? otherwise);

const portOf = (argv: readonly string[]): number => Number(option(argv, 'port') ?? 9_898);

function logLine({ sys }: AppServer, caller: string, msg: string, fields: object = {}): string {
  return JSON.stringify({ level: 'info', ts: new Date(sys.now).toISOString(), caller, msg, ...fields });
}

/** stefanprodan/podinfo. Left out: its gRPC server, JWT, caching in Redis, WebSockets, and calls of back ends. */
const podinfo = defineApp({
  ports: (argv) => [portOf(argv), ...(option(argv, 'port-metrics') ? [Number(option(argv, 'port-metrics'))] : [])],
  readyMs: 80,
  memory: 14 * 2 ** 20,
  stop: { afterMs: 3_000, code: 0 },
  log(server) {
    const port = String(portOf(server.own.argv));
    return [
      logLine(server, 'podinfo/main.go:153', 'Starting podinfo', { version: VERSION, revision: REVISION, port }),
      logLine(server, 'http/server.go:224', 'Starting HTTP Server.', { addr: `:${port}` }),
    ];
  },
  access(request, _answer, server, { address, remotePort }) {
    if (/^\/(?:healthz|readyz|metrics)$/.test(request.route) || option(server.own.argv, 'level') !== 'debug')
      return undefined;
    return logLine(server, 'http/logging.go:35', 'request started', {
      ...{ proto: 'HTTP/1.1', uri: textOf(request.path), method: request.method },
      ...{ remote: `${address}:${remotePort}`, 'user-agent': request.headers['user-agent'] ?? '' },
    });
  },
  answer(request, server) {
    const { own } = server;
    own.data['requests'] = Number(own.data['requests'] ?? 0) + 1;
    return answer(request, server);
  },
});

const infoOf = (server: AppServer): Record<string, string> => ({
  hostname: textOf(server.sys.hostname),
  version: VERSION,
  revision: REVISION,
  color: value(server, 'ui-color', 'PODINFO_UI_COLOR', COLOR),
  logo: value(
    server,
    'ui-logo',
    'PODINFO_UI_LOGO',
    'https://raw.githubusercontent.com/stefanprodan/podinfo/gh-pages/cuddle_clap.gif',
  ),
  message: value(server, 'ui-message', 'PODINFO_UI_MESSAGE', MESSAGE),
  goos: 'linux',
  goarch: 'amd64',
  runtime: 'go1.24.5',
  num_goroutine: '8',
  num_cpu: '2',
});

function answer(request: AppRequest, server: AppServer): AppReply {
  const { own, sys } = server;
  const { route, method, headers, body } = request;
  const [, first = '', second = '', third = ''] = route.split('/');
  const ok = (isOk: boolean): AppReply =>
    json(isOk ? { status: 'OK' } : { status: 'Service Unavailable' }, isOk ? 200 : 503, 2);
  switch (first) {
    case '': {
      const isBrowser = (headers['user-agent'] ?? '').includes('Mozilla');
      if (!isBrowser) return json(infoOf(server), 200, 2);
      const { message, color, hostname } = infoOf(server);
      const page = `<!DOCTYPE html>\n<html>\n<head>\n  <title>${hostname}</title>\n</head>\n<body style="background-color: ${color}">\n<h1>${message}</h1>\n<p>Served by ${hostname}</p>\n</body>\n</html>\n`;
      return { ...plainText(page), headers: { 'content-type': 'text/html; charset=utf-8' } };
    }
    case 'healthz':
      return ok(own.data['unhealthy'] !== true && !isTrue(server, 'unhealthy'));
    case 'readyz':
      if (second === 'enable' || second === 'disable') {
        own.data['unready'] = second === 'disable';
        return { status: 202 };
      }
      return ok(own.data['unready'] !== true && !isTrue(server, 'unready'));
    case 'version':
      return json({ commit: REVISION, version: VERSION }, 200, 2);
    case 'env':
    case 'echo':
      if (first === 'echo')
        return {
          ...plainText(textOf(body), 202),
          headers: { 'content-type': 'text/plain; charset=utf-8', 'x-color': infoOf(server)['color']! },
        };
      return json(
        Object.entries(sys.env).map(([name, text]) => `${name}=${textOf(text)}`),
        200,
        2,
      );
    case 'headers':
      return json(
        Object.fromEntries(
          Object.entries(headers).map(([name, text]) => [
            name.replace(/(?:^|-)[a-z]/g, (c) => c.toUpperCase()),
            [text],
          ]),
        ),
        200,
        2,
      );
    case 'status': {
      const code = Number(second);
      return code >= 200 && code <= 599
        ? json({ status: code }, code, 2)
        : json({ code: 400, message: `strconv.Atoi: parsing "${second}": invalid syntax` }, 400, 2);
    }
    case 'delay': {
      const seconds = Math.min(Math.max(Number(second) || 0, 0), MAX_DELAY);
      return { after: seconds * 1_000, answer: json({ delay: seconds }, 200, 2) };
    }
    case 'panic':
      server.err('{"level":"info","msg":"Panic command received"}\n');
      server.exit(255);
      return { status: 500 };
    case 'api':
      return second === 'info'
        ? json(infoOf(server), 200, 2)
        : second === 'echo'
          ? plainText(textOf(body), 202)
          : notFound();
    case 'cache':
    case 'store':
      return store(request, server, second, third);
    case 'metrics':
      return method === 'GET' ? plainText(metricsOf(server)) : notFound();
    case 'configs':
      return json({}, 200, 2);
    default:
      return notFound();
  }
}

const isTrue = ({ own }: AppServer, name: string): boolean =>
  own.argv.includes(`--${name}`) || option(own.argv, name) === 'true';
const notFound = (): AppReply => plainText('404 page not found\n', 404);

const MAX_STORED = 100;

/** What is posted is found again by its hash, of which a running number is taken for. */
function store({ method, body, route }: AppRequest, { own }: AppServer, second: string, _third: string): AppReply {
  const isCache = route.startsWith('/cache');
  const key = `${isCache ? 'cache' : 'store'}/${second}`;
  if (isCache) return json({ code: 400, message: 'Redis is offline' }, 400, 2);
  if (method === 'POST' || method === 'PUT') {
    let hash = 7;
    for (const char of body) hash = (hash * 31 + char.charCodeAt(0)) >>> 0;
    const name = hash.toString(16).padStart(40, '0');
    if (Object.keys(own.data).filter((one) => one.startsWith('store/')).length < MAX_STORED)
      own.data[`store/${name}`] = body;
    return json({ hash: name }, 202, 2);
  }
  const stored = own.data[key];
  return typeof stored === 'string'
    ? plainText(textOf(stored), 202)
    : json({ code: 500, message: 'reading file failed' }, 500, 2);
}

function metricsOf({ own, sys }: AppServer): string {
  const requests = Number(own.data['requests'] ?? 0);
  return [
    '# HELP go_info Information about the Go environment.',
    '# TYPE go_info gauge',
    'go_info{version="go1.24.5"} 1',
    '# HELP http_request_duration_seconds Seconds spent serving HTTP requests.',
    '# TYPE http_request_duration_seconds histogram',
    `http_request_duration_seconds_bucket{method="GET",path="root",status="200",le="0.005"} ${requests}`,
    `http_request_duration_seconds_bucket{method="GET",path="root",status="200",le="+Inf"} ${requests}`,
    `http_request_duration_seconds_sum{method="GET",path="root",status="200"} ${(requests * 0.0005).toFixed(6)}`,
    `http_request_duration_seconds_count{method="GET",path="root",status="200"} ${requests}`,
    '# HELP http_requests_total The total number of HTTP requests.',
    '# TYPE http_requests_total counter',
    `http_requests_total{status="200"} ${requests}`,
    '# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.',
    '# TYPE process_start_time_seconds gauge',
    `process_start_time_seconds ${(own.startedAt / 1_000).toFixed(2)}`,
    '# HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.',
    '# TYPE process_cpu_seconds_total counter',
    `process_cpu_seconds_total ${(sys.cgroup().cpuUsedMs / 1_000).toFixed(2)}`,
    '',
  ].join('\n');
}

export const programs: Readonly<Record<string, Program>> = { 'apps:podinfo': podinfo };
