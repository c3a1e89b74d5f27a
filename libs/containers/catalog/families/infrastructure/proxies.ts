import { utc } from '../../../programs/server.js';
import { GO, goMetrics, html, json, routes, text } from './answers.js';
import { lines } from './lines.js';
import type { Row } from './row.js';

/** Proxies. */
export const proxies: readonly Row[] = [
  [
    'haproxy haproxytech/haproxy-alpine',
    'debian',
    'docker-entrypoint.sh haproxy -f /usr/local/etc/haproxy/haproxy.cfg',
    [],
    {
      log: lines('[NOTICE]   (1) : New worker (8) forked', '[NOTICE]   (1) : Loading success.'),
      serve: () =>
        html(
          '<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n',
          503,
        ),
    },
  ],
  [
    'envoyproxy/envoy',
    'debian',
    '/docker-entrypoint.sh envoy -c /etc/envoy/envoy.yaml',
    [10000],
    {
      serve: routes({
        '/ready': text('LIVE\n'),
        '/server_info': json({ state: 'LIVE' }),
        '/stats': text('server.live: 1\n'),
      }),
      readyAfterMs: 1_200,
      log: ({ at }) => [
        `[${utc(at).rfc}.000][1][info][main] [source/server/server.cc:1059] starting main dispatch loop`,
      ],
    },
  ],
  [
    'caddy',
    'alpine',
    'caddy run --config /etc/caddy/Caddyfile --adapter caddyfile',
    [80, 443, 2019],
    {
      ports: [80],
      serve: routes({
        '/': {
          status: 200,
          headers: { server: 'Caddy', 'content-type': 'text/html; charset=utf-8' },
          body: '<!DOCTYPE html>\n<html>\n<head>\n\t<title>Caddy works!</title>\n</head>\n<body>\n</body>\n</html>\n',
        },
        '': { status: 404, headers: { server: 'Caddy' }, body: '' },
      }),
      log: ({ at }) => [`{"level":"info","ts":${at / 1_000},"msg":"serving initial configuration"}`],
    },
  ],
  [
    'kong kong/kong-gateway',
    'debian',
    '/docker-entrypoint.sh kong docker-start',
    [8000, 8443, 8001, 8444],
    {
      ports: [8000, 8001],
      serve: (request) =>
        request.port === 8001
          ? json({ version: '3.9.0', tagline: 'Welcome to kong' })
          : json({ message: 'no Route matched with those values' }, 404),
      readyAfterMs: 4_000,
    },
  ],
  ['varnish', 'debian', '/usr/local/bin/docker-varnish-entrypoint', [80, 8443], { ports: [80] }],
  [
    'quay.io/oauth2-proxy/oauth2-proxy ghcr.io/dexidp/dex quay.io/dexidp/dex dexidp/dex',
    'alpine',
    '/usr/local/bin/docker-entrypoint',
    [5556],
    {
      serve: routes({
        '/healthz': text('Health check passed'),
        '/dex/.well-known/openid-configuration': json({ issuer: 'https://dex/dex' }),
        '/metrics': goMetrics(GO),
      }),
      log: ({ at }) => [`time=${utc(at).iso} level=INFO msg="listening on" server=http address=0.0.0.0:5556`],
    },
  ],
];
