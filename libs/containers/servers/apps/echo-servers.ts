import { bytesOf, textOf } from '../../../engine/kernel/bytes.js';
import { ownAddress } from '../own-address.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import { joinHostPort } from '../../../engine/machinery/net/netip.js';
import { httpDate, httpError, plainText } from '../http.js';
import { defineApp, html, json, option, type AppRequest, type AppServer } from './app.js';

const title = (name: string): string => name.replace(/(?:^|-)[a-z]/g, (part) => part.toUpperCase());
const hostOf = ({ headers }: AppRequest): string => headers['host'] ?? '';
const stampOf = (at: number): string => new Date(at).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ');
/** Addresses of the pod. */
const addressesOf = ({ sys }: AppServer): string[] =>
  sys.interfaces().flatMap(({ addresses }) => addresses.map((address) => address.split('/', 1)[0]!));
const podAddress = ({ sys }: AppServer): string => ownAddress(sys);

/** gcr.io/google-samples/hello-app. */
const helloApp = (version: string) =>
  defineApp({
    ports: (_argv, env) => [Number(env['PORT'] || 8_080)],
    log: ({ sys }) => [`${stampOf(sys.now)} Server listening on port ${sys.env['PORT'] || '8080'}`],
    logsTo: 'stderr',
    stop: { afterMs: 0, code: 2 },
    answer: ({ route }, { sys, err }) => {
      err(`${stampOf(sys.now)} Serving request: ${route}\n`);
      return plainText(`Hello, world!\nVersion: ${version}\nHostname: ${textOf(sys.hostname)}\n`);
    },
  });

const bootcamp = (version: number) =>
  defineApp({
    ports: () => [8_080],
    stop: 'ignores',
    log: ({ sys }) => [
      `Kubernetes Bootcamp App Started At: ${new Date(sys.now).toISOString()} | Running On:  ${textOf(sys.hostname)} \n`,
    ],
    access: ({ method: _method }, _answer, { sys, own }) => {
      const requests = Number(own.data['requests'] ?? 0) + 1;
      own.data['requests'] = requests;
      const seconds = (sys.now - own.startedAt) / 1_000;
      return `Running On: ${textOf(sys.hostname)} | Total Requests: ${requests} | App Uptime: ${seconds} seconds | Log Time: ${new Date(sys.now).toISOString()}`;
    },
    answer: (_request, { sys }) => ({
      ...{ status: 200, headers: { 'content-type': 'text/plain' } },
      body: bytesOf(`Hello Kubernetes bootcamp! | Running on: ${textOf(sys.hostname)} | v=${version}\n`),
    }),
  });

const nodeHello = defineApp({
  ports: () => [8_080],
  stop: 'ignores',
  answer: () => plainText('Hello Kubernetes!'),
});

/** hashicorp/http-echo. */
const httpEcho = defineApp({
  ports: (argv) => [Number((option(argv, 'listen') ?? ':5678').split(':').at(-1))],
  refuse: (argv, env) =>
    (option(argv, 'text') ?? env['ECHO_TEXT'] ?? 'hello-world') === ''
      ? { message: 'Missing -text option!\n', code: 127 }
      : undefined,
  logsTo: 'stderr',
  log: ({ sys, own }) => [`${stampOf(sys.now)} [INFO] server is listening on ${option(own.argv, 'listen') ?? ':5678'}`],
  access: ({ method, path, headers }, { status, body = '' }, { sys }, { address, remotePort }) =>
    `${stampOf(sys.now)} ${headers['host'] ?? ''} ${address}:${remotePort} "${method} ${path} HTTP/1.1" ${status} ${body.length} "${headers['user-agent'] ?? ''}" 8.413µs`,
  answer: ({ route }, { own, sys }) => {
    if (route === '/health') return json({ status: 'ok' });
    const text = option(own.argv, 'text') ?? sys.env['ECHO_TEXT'] ?? 'hello-world';
    return {
      ...plainText(''),
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-app-name': 'http-echo', 'x-app-version': '1.0.0' },
      body: `${text}\n`,
    };
  },
});

/** registry.k8s.io/echoserver 1.10, nginx with Lua. */
const echoServer = defineApp({
  ports: () => [8_080, 8_443],
  headers: ({ sys }) => ({ server: 'echoserver', date: httpDate(sys.now) }),
  answer(request, { sys }) {
    const { method, path, headers, connection, queryText, body } = request;
    const own = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
    const value = (name: string): string => textOf(sys.env[name] ?? '');
    const pod =
      value('POD_NAME') === ''
        ? ['\t-no pod information available-']
        : [
            `\tnode name:\t${value('NODE_NAME')}`,
            `\tpod name:\t${value('POD_NAME')}`,
            `\tpod namespace:\t${value('POD_NAMESPACE')}`,
            `\tpod IP:\t${value('POD_IP')}`,
          ];
    const lines = [
      ...['', '', `Hostname: ${textOf(sys.hostname)}`, '', 'Pod Information:', ...pod, ''],
      ...['Server values:', '\tserver_version=nginx: 1.13.3 - lua: 10008', '', 'Request Information:'],
      ...[`\tclient_address=${connection.address}`, `\tmethod=${method}`, `\treal path=${textOf(path)}`],
      ...[`\tquery=${textOf(queryText)}`, '\trequest_version=1.1', '\trequest_scheme=http'],
      ...[`\trequest_uri=http://${hostOf(request).replace(/:\d+$/, '')}:8080${textOf(path)}`, '', 'Request Headers:'],
      ...own.map(([name, text]) => `\t${name}=${text}`),
      ...['', 'Request Body:', textOf(body) || '\t-no body in request-', '', ''],
    ];
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: bytesOf(lines.join('\n')) };
  },
});

/** The same, 1.4: the documentation's tutorial of source addresses shows it. */
const echoServer14 = defineApp({
  ports: () => [8_080, 8_443],
  headers: ({ sys }) => ({ server: 'nginx/1.10.0', date: httpDate(sys.now) }),
  answer(request) {
    const { method, path, headers, connection, queryText, body } = request;
    const own = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
    const lines = [
      ...['CLIENT VALUES:', `client_address=${connection.address}`, `command=${method}`, `real path=${textOf(path)}`],
      ...[`query=${textOf(queryText) || 'nil'}`, 'request_version=1.1'],
      ...[`request_uri=http://${hostOf(request).replace(/:\d+$/, '')}:8080${textOf(path)}`, '', 'SERVER VALUES:'],
      ...['server_version=nginx: 1.10.0 - lua: 10001', '', 'HEADERS RECEIVED:'],
      ...own.map(([name, text]) => `${name}=${text}`),
      ...['BODY:', textOf(body) || '-no body in request-'],
    ];
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: bytesOf(lines.join('\n')) };
  },
});

/** jmalloc/echo-server, which kicbase/echo-server is built from. */
const jmallocEcho = defineApp({
  ports: (_argv, env) => [Number(env['PORT'] || 8_080)],
  log: ({ sys }) => [`Echo server listening on port ${sys.env['PORT'] || '8080'}.`],
  stop: { afterMs: 0, code: 2 },
  access: ({ method, path }, _answer, _server, { address, remotePort }) =>
    `${address}:${remotePort} | ${method} ${path}`,
  answer(request, { sys }) {
    const { method, path, headers, body } = request;
    const lines = Object.entries(headers)
      .filter(([name]) => name !== 'host')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${title(name)}: ${value}`);
    const head = [`Request served by ${textOf(sys.hostname)}`, '', `${method} ${textOf(path)} HTTP/1.1`, ''];
    const text = [...head, `Host: ${hostOf(request)}`, ...lines, '', textOf(body)].join('\n');
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: bytesOf(text) };
  },
});

/** mendhak/http-https-echo. */
const mendhakEcho = defineApp({
  ports: (_argv, env) => [Number(env['HTTP_PORT'] || 8_080), Number(env['HTTPS_PORT'] || 8_443)],
  readyMs: 400,
  log: ({ sys }) => [
    `Listening on ports ${sys.env['HTTP_PORT'] || '8080'} for http, and ${sys.env['HTTPS_PORT'] || '8443'} for https.`,
  ],
  answer(request, { sys }) {
    const { method, route, headers, query, body, connection } = request;
    const value = {
      ...{ path: textOf(route), headers, method, body: textOf(body), fresh: false },
      ...{ hostname: hostOf(request).split(':', 1)[0], ip: `::ffff:${connection.address}`, ips: [], protocol: 'http' },
      query: Object.fromEntries(query),
      ...{ subdomains: [], xhr: false, os: { hostname: textOf(sys.hostname) }, connection: {} },
    };
    return {
      ...json(value, 200, 2),
      headers: { 'x-powered-by': 'Express', 'content-type': 'application/json; charset=utf-8' },
    };
  },
});

/** ealen/echo-server: a request may ask for a status, a body or a delay. */
const ealenEcho = defineApp({
  ports: (argv, env) => [Number(option(argv, 'port') ?? env['PORT'] ?? 80)],
  readyMs: 300,
  log: ({ own, sys }) => [`Listening on port ${option(own.argv, 'port') ?? sys.env['PORT'] ?? '80'}.`],
  answer(request, { sys }) {
    const { method, route, headers, query, body, connection } = request;
    const wish = (name: string): string | undefined => headers[`x-echo-${name}`] ?? query.get(`echo_${name}`);
    const status = Number(wish('code') ?? 200);
    const wished = wish('body');
    const all = {
      host: { hostname: hostOf(request).split(':', 1)[0], ip: `::ffff:${connection.address}`, ips: [] },
      http: { method, baseUrl: '', originalUrl: textOf(request.path), protocol: 'http' },
      request: {
        params: { 0: textOf(route) },
        query: Object.fromEntries(query),
        cookies: {},
        body: textOf(body),
        headers,
      },
      environment: Object.fromEntries(Object.entries(sys.env).map(([name, value]) => [name, textOf(value)])),
    };
    const answer = wished === undefined ? json(all) : plainText(wished);
    const valid = Number.isInteger(status) && status >= 200 && status <= 599 ? status : 200;
    const after = Math.min(Math.max(Number(wish('time') ?? 0) || 0, 0), 60_000);
    return { after, answer: { ...answer, status: valid } };
  },
});

/** traefik/whoami. */
const whoami = defineApp({
  ports: (argv, env) => [Number(option(argv, 'port') ?? env['WHOAMI_PORT_NUMBER'] ?? 80)],
  log: ({ own, sys }) => [
    `${stampOf(sys.now)} Starting up on port ${option(own.argv, 'port') ?? sys.env['WHOAMI_PORT_NUMBER'] ?? '80'}`,
  ],
  logsTo: 'stderr',
  stop: { afterMs: 0, code: 2 },
  answer(request, server) {
    const { method, route, path, headers, query, connection, body } = request;
    const { sys, own } = server;
    const name = textOf(option(own.argv, 'name') ?? sys.env['WHOAMI_NAME'] ?? '');
    const shown = Object.entries(headers)
      .filter(([key]) => key !== 'host')
      .map(([key, value]): [string, string] => [title(key), value])
      .sort();
    if (route === '/health') {
      if (method === 'POST') own.data['health'] = Number(textOf(body)) || 200;
      return { status: method === 'POST' ? 200 : Number(own.data['health'] ?? 200) };
    }
    if (route === '/data') {
      const size = Math.min(Number(query.get('size') ?? 1) || 1, 1_048_576);
      return plainText('|'.repeat(size));
    }
    if (route === '/api')
      return json({
        hostname: textOf(sys.hostname),
        ip: addressesOf(server),
        headers: Object.fromEntries(shown.map(([key, value]) => [key, [value]])),
        ...{ url: textOf(path), host: hostOf(request), method, ...(name === '' ? {} : { name }) },
        remoteAddr: joinHostPort(connection.address, connection.remotePort),
      });
    const lines = [
      ...(name === '' ? [] : [`Name: ${name}`]),
      `Hostname: ${textOf(sys.hostname)}`,
      ...addressesOf(server).map((address) => `IP: ${address}`),
      `RemoteAddr: ${connection.address}:${connection.remotePort}`,
      ...[`${method} ${textOf(path)} HTTP/1.1`, `Host: ${hostOf(request)}`],
      ...shown.map(([key, value]) => `${key}: ${value}`),
    ];
    const after = Math.min(
      /^(\d{1,5})(ms|s)$/
        .exec(query.get('wait') ?? '')
        ?.slice(1)
        .reduce((ms, part) => (part === 's' ? ms * 1_000 : part === 'ms' ? ms : Number(part)), 0) ?? 0,
      60_000,
    );
    return { after, answer: plainText(`${lines.join('\n')}\n\n`) };
  },
});

/** paulbouwer/hello-kubernetes 1.10. */
const helloKubernetes = defineApp({
  ports: (_argv, env) => [Number(env['CONTAINER_PORT'] || env['PORT'] || 8_080)],
  readyMs: 600,
  log: ({ sys }) => [
    '',
    '> hello-kubernetes@1.10.1 start',
    '> node server.js',
    '',
    `Listening on: http://${textOf(sys.hostname)}:${sys.env['PORT'] || '8080'}`,
  ],
  answer(_request, { sys }) {
    const value = (name: string, otherwise: string): string => textOf(sys.env[name] ?? otherwise);
    const rows = [
      ['namespace', value('KUBERNETES_NAMESPACE', '-')],
      ['pod', value('KUBERNETES_POD_NAME', textOf(sys.hostname))],
      ['node', `${value('KUBERNETES_NODE_NAME', '-')} (Linux 6.8.0)`],
    ];
    const cells = rows
      .map(([name, text]) => `    <tr>\n      <th>${name}:</th>\n      <td>${text}</td>\n    </tr>\n`)
      .join('');
    return html(
      `<!DOCTYPE html>\n<html>\n<head>\n    <title>Hello Kubernetes!</title>\n    <link rel="stylesheet" type="text/css" href="/css/main.css">\n</head>\n<body>\n\n  <div class="main">\n    <img src="/images/kubernetes.png"/>\n    <div class="content">\n      <div id="message">\n  ${value('MESSAGE', 'Hello world!')}\n</div>\n<div id="info">\n  <table>\n${cells}  </table>\n</div>\n    </div>\n  </div>\n\n</body>\n</html>\n`,
    );
  },
});

const two = (value: number): string => String(value).padStart(2, '0');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** nginxdemos/hello: the page, and plain text with the tag plain-text. */
const nginxHello = (isPlain: boolean) =>
  defineApp({
    ports: () => [80],
    headers: ({ sys }) => ({ server: 'nginx/1.27.0', date: httpDate(sys.now) }),
    access: ({ method, path, headers }, { status, body = '' }, { sys }, { address }) => {
      const at = new Date(sys.now);
      const day = `${two(at.getUTCDate())}/${MONTHS[at.getUTCMonth()]}/${at.getUTCFullYear()}:${at.toISOString().slice(11, 19)} +0000`;
      return `${address} - - [${day}] "${method} ${path} HTTP/1.1" ${status} ${body.length} "-" "${headers['user-agent'] ?? '-'}" "-"`;
    },
    answer(request, server) {
      const { sys } = server;
      const at = new Date(sys.now);
      const date = `${two(at.getUTCDate())}/${MONTHS[at.getUTCMonth()]}/${at.getUTCFullYear()}:${at.toISOString().slice(11, 19)} +0000`;
      const rows = [
        ['Server address', `${podAddress(server)}:80`],
        ['Server name', textOf(sys.hostname)],
        ['Date', date],
        ['URI', textOf(request.path)],
      ];
      const headers = {
        'content-type': isPlain ? 'text/plain' : 'text/html',
        expires: httpDate(sys.now - 1_000),
        'cache-control': 'no-cache',
      };
      const id = request.connection.remotePort.toString(16).padStart(32, '0');
      if (isPlain)
        return {
          status: 200,
          headers,
          body: bytesOf(`${[...rows, ['Request ID', id]].map(([name, text]) => `${name}: ${text}`).join('\n')}\n`),
        };
      const cells = rows
        .map(
          ([name, text]) =>
            `<p><span>${name!.replace('address', '&nbsp;address').replace('name', '&nbsp;name')}:</span> <span>${text}</span></p>\n`,
        )
        .join('');
      return {
        ...{ status: 200, headers },
        body: bytesOf(
          `<!DOCTYPE html>\n<html>\n<head>\n<title>Hello World</title>\n</head>\n<body>\n<div class="info">\n${cells}</div>\n<div id="footer">\n<div id="center" align="center">Request ID: ${id}<br/>\n&copy; NGINX, Inc. 2018</div>\n</div>\n</body>\n</html>\n`,
        ),
      };
    },
  });

/** registry.k8s.io/hpa-example: a PHP page that adds a million square roots. */
const phpApache = defineApp({
  ports: () => [80],
  readyMs: 400,
  cpu: 50,
  memory: 12 * 2 ** 20,
  headers: ({ sys }) => ({ date: httpDate(sys.now), server: 'Apache/2.4.10 (Debian)', 'x-powered-by': 'PHP/5.6.14' }),
  logsTo: 'stderr',
  log: (server) => {
    const line = `AH00558: apache2: Could not reliably determine the server's fully qualified domain name, using ${podAddress(server)}. Set the 'ServerName' directive globally to suppress this message`;
    return [line, line];
  },
  answer: ({ route }) =>
    route === '/' || route === '/index.php'
      ? { after: 62, answer: html('OK!') }
      : html(
          '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>404 Not Found</title>\n</head><body>\n<h1>Not Found</h1>\n</body></html>\n',
          404,
        ),
});

/** registry.k8s.io/serve_hostname. */
const serveHostname = defineApp({
  ports: (argv) => [Number(option(argv, 'port') ?? 9_376)],
  logsTo: 'stderr',
  log: ({ sys }) => [`${stampOf(sys.now)} Serving on port 9376.`],
  answer: (_request, { sys }) => plainText(textOf(sys.hostname)),
});

/** gcr.io/google-samples/hello-go-gke, the backend of the documentation's frontend. */
const helloGo = defineApp({
  ports: () => [80],
  stop: { afterMs: 0, code: 2 },
  answer: () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: bytesOf('{"message":"Hello"}'),
  }),
});

/** registry.k8s.io/e2e-test-images/liveness and the documentation's liveness: healthy for ten seconds. */
const liveness = defineApp({
  ports: () => [8_080],
  stop: { afterMs: 0, code: 2 },
  answer: ({ route }, { sys, own }) => {
    const seconds = (sys.now - own.startedAt) / 1_000;
    if (route === '/started') return plainText(`${seconds}s`);
    if (route !== '/healthz') return httpError('404 page not found', 404);
    return seconds > 10 ? plainText(`error: ${seconds}`, 500) : plainText('ok');
  },
});

export const programs: Readonly<Record<string, Program>> = {
  'apps:hello-app-1': helloApp('1.0.0'),
  'apps:hello-app-2': helloApp('2.0.0'),
  'apps:hello-go': helloGo,
  'apps:bootcamp-1': bootcamp(1),
  'apps:bootcamp-2': bootcamp(2),
  'apps:node-hello': nodeHello,
  'apps:http-echo': httpEcho,
  'apps:echoserver': echoServer,
  'apps:echoserver-1.4': echoServer14,
  'apps:jmalloc-echo': jmallocEcho,
  'apps:mendhak-echo': mendhakEcho,
  'apps:ealen-echo': ealenEcho,
  'apps:whoami': whoami,
  'apps:hello-kubernetes': helloKubernetes,
  'apps:nginx-hello': nginxHello(false),
  'apps:nginx-hello-plain': nginxHello(true),
  'apps:php-apache': phpApache,
  'apps:serve-hostname': serveHostname,
  'apps:liveness': liveness,
};
