import { textOf } from '../../../engine/kernel/bytes.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import { parseQuery } from '../http.js';
import { defineApp, html, json, option, type App, type AppReply, type AppRequest, type AppServer } from './app.js';

const MAX_SECONDS = 10;
const MAX_BYTES = 102_400;
const TEAPOT =
  '\n    -=[ teapot ]=-\n\n       _...._\n     .\'  _ _ `.\n    | ."` ^ `". _,\n    \\_;`"---"`|//\n      |       ;/\n      \\_     _/\n        `"""`\n';
const SLIDES = {
  slideshow: {
    author: 'Yours Truly',
    date: 'date of publication',
    slides: [
      { title: 'Wake up to WonderWidgets!', type: 'all' },
      {
        items: ['Why <em>WonderWidgets</em> are great', 'Who <em>buys</em> WonderWidgets'],
        title: 'Overview',
        type: 'all',
      },
    ],
    title: 'Sample Slide Show',
  },
};

const title = (name: string): string => name.replace(/(?:^|-)[a-z]/g, (part) => part.toUpperCase());

/** Python's httpbin has single values and an origin without a port, Go's has lists. */
function describe(request: AppRequest, isGo: boolean): Record<string, unknown> {
  const { headers, query, path, connection, method, body } = request;
  const list = (value: string): unknown => (isGo ? [value] : value);
  const own = Object.entries(headers).map(([name, value]): [string, unknown] => [title(name), list(value)]);
  const data = textOf(body);
  const isForm = (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  const isQuiet = method === 'GET' || method === 'HEAD';
  return {
    args: Object.fromEntries([...query].map(([name, value]) => [name, list(value)])),
    ...(isQuiet ? {} : { data: isForm ? '' : data, files: {} }),
    ...(isQuiet
      ? {}
      : { form: isForm ? Object.fromEntries([...parseQuery(body)].map(([name, value]) => [name, list(value)])) : {} }),
    headers: Object.fromEntries(own.sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(isQuiet ? {} : { json: parseJson(data) }),
    ...(isGo ? { method } : {}),
    origin: isGo ? `${connection.address}:${connection.remotePort}` : connection.address,
    url: `http://${headers['host'] ?? ''}${textOf(path)}`,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function answer(request: AppRequest, server: AppServer, isGo: boolean): AppReply {
  const { route, method, headers } = request;
  const [, first = '', second = '', third = ''] = route.split('/');
  const all = (): Record<string, unknown> => describe(request, isGo);
  const show = (value: unknown, status = 200): AppReply => json(value, status, 2);
  const isPlainVerb = ['get', 'post', 'put', 'patch', 'delete'].includes(first);
  if (isPlainVerb)
    return method === first.toUpperCase() || (first === 'get' && method === 'HEAD')
      ? show(all())
      : html(
          '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">\n<title>405 Method Not Allowed</title>\n<h1>Method Not Allowed</h1>\n<p>The method is not allowed for the requested URL.</p>\n',
          405,
        );
  switch (first) {
    case '':
      return html(
        '<!DOCTYPE html>\n<html lang="en">\n\n<head>\n    <meta charset="UTF-8">\n    <title>httpbin.org</title>\n</head>\n\n<body>\n    <h2 class="title">httpbin.org</h2>\n    <p>A simple HTTP Request &amp; Response Service.</p>\n</body>\n\n</html>\n',
      );
    case 'anything':
      return show({ ...all(), method });
    case 'ip':
      return show({ origin: all()['origin'] });
    case 'headers':
      return show({ headers: all()['headers'] });
    case 'user-agent':
      return show({ 'user-agent': headers['user-agent'] ?? null });
    case 'hostname':
      return isGo ? show({ hostname: textOf(server.sys.hostname) }) : notFound();
    case 'uuid':
      return show({ uuid: uuidOf(server) });
    case 'status':
      return status(second);
    case 'delay': {
      const seconds = Math.min(Math.max(Number(second.replace(/s$/, '')) || 0, 0), MAX_SECONDS);
      const { status: code, headers: own, body } = json(all(), 200, 2);
      return {
        after: seconds * 1_000,
        answer: { status: code, ...(own ? { headers: own } : {}), ...(body ? { body } : {}) },
      };
    }
    case 'bytes':
      return {
        status: 200,
        headers: { 'content-type': 'application/octet-stream' },
        body: 'x'.repeat(Math.min(Number(second) || 0, MAX_BYTES)),
      };
    case 'base64':
      return html(decode(second));
    case 'json':
      return show(SLIDES);
    case 'html':
      return html(
        '<!DOCTYPE html>\n<html>\n  <head>\n  </head>\n  <body>\n      <h1>Herman Melville - Moby-Dick</h1>\n  </body>\n</html>',
      );
    case 'robots.txt':
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /deny\n' };
    case 'redirect-to':
      return {
        status: Number(request.query.get('status_code') ?? 302) || 302,
        headers: { location: request.query.get('url') ?? '/' },
      };
    case 'redirect':
    case 'relative-redirect': {
      const count = Math.min(Number(second) || 1, 20);
      return { status: 302, headers: { location: count <= 1 ? '/get' : `/relative-redirect/${count - 1}` } };
    }
    case 'basic-auth': {
      const isGiven = headers['authorization'] === `Basic ${btoa(`${second}:${third}`)}`;
      if (isGiven) return show({ authenticated: true, user: second });
      return { status: 401, headers: { 'www-authenticate': 'Basic realm="Fake Realm"' } };
    }
    case 'bearer': {
      const [, token] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
      return token === undefined
        ? { status: 401, headers: { 'www-authenticate': 'Bearer' } }
        : show({ authenticated: true, token });
    }
    case 'response-headers':
      return {
        ...json(Object.fromEntries(request.query), 200, 2),
        headers: {
          'content-type': 'application/json',
          ...Object.fromEntries(
            [...request.query].map(([name, value]) => [
              name.toLowerCase().replace(/[^\w-]/g, ''),
              value.replace(/[\r\n]/g, ''),
            ]),
          ),
        },
      };
    case 'cookies':
      return show({
        cookies: Object.fromEntries(
          (headers['cookie'] ?? '')
            .split('; ')
            .filter(Boolean)
            .map((one) => one.split(/=(.*)/s, 2)),
        ) as object,
      });
    default:
      return notFound();
  }
}

const notFound = (): AppReply =>
  html(
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>The requested URL was not found on the server.  If you entered the URL manually please check your spelling and try again.</p>\n',
    404,
  );

function status(text: string): AppReply {
  const code = Number(text.split(/[,:]/, 1)[0]);
  if (!Number.isInteger(code) || code < 200 || code > 599) return html('Invalid status code', 400);
  if (code === 418)
    return { status: 418, headers: { 'x-more-info': 'http://tools.ietf.org/html/rfc2324' }, body: TEAPOT };
  if (code >= 301 && code <= 307 && code !== 304) return { status: code, headers: { location: '/redirect/1' } };
  if (code === 401) return { status: 401, headers: { 'www-authenticate': 'Basic realm="Fake Realm"' } };
  return html('', code);
}

function decode(text: string): string {
  try {
    return textOf(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return 'Incorrect Base64 data try: SFRUUEJJTiBpcyBhd2Vzb21l';
  }
}

function uuidOf({ sys }: AppServer): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(sys.random() * 16).toString(16)).join('');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
}

const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' };

const python: App = {
  ports: (argv) => [Number(option(argv, 'b')?.split(':').at(-1) ?? 80)],
  readyMs: 1_200,
  log: ({ sys }) => {
    const at = new Date(sys.now).toISOString().slice(0, 19).replace('T', ' ');
    return [
      `[${at} +0000] [1] [INFO] Starting gunicorn 19.9.0`,
      `[${at} +0000] [1] [INFO] Listening at: http://0.0.0.0:80 (1)`,
      `[${at} +0000] [1] [INFO] Using worker: gevent`,
      `[${at} +0000] [8] [INFO] Booting worker with pid: 8`,
    ];
  },
  logsTo: 'stderr',
  headers: ({ sys }) => ({ server: 'gunicorn/19.9.0', date: new Date(sys.now).toUTCString(), ...CORS }),
  answer: (request, server) => answer(request, server, false),
};

const go: App = {
  ports: (argv, env) => [Number(option(argv, 'port') ?? env['PORT'] ?? 8_080)],
  logsTo: 'stderr',
  log: ({ own, sys }) => [
    `time=${new Date(sys.now).toISOString()} level=INFO msg="go-httpbin listening on http://0.0.0.0:${option(own.argv, 'port') ?? sys.env['PORT'] ?? 8_080}"`,
  ],
  headers: ({ sys }) => ({ date: new Date(sys.now).toUTCString(), ...CORS }),
  answer: (request, server) => answer(request, server, true),
};

/** kennethreitz/httpbin and mccutchen/go-httpbin. Left out: compression, streams, images, digest-auth. */
export const programs: Readonly<Record<string, Program>> = {
  'apps:httpbin': defineApp(python),
  'apps:go-httpbin': defineApp(go),
};
