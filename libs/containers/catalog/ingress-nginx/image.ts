import { distrolessLayer } from '../../layers/index.js';
import { klogHead } from '../../servers/go.js';
import { serverImage } from '../../programs/server.js';
import { nginxProxy, READY_MS, serveOwn, webhookPort } from '../../servers/ingress/nginx/nginx.js';
import { tendEvents, tendReloads } from '../../servers/ingress/events.js';
import { ingressesOf } from '../../servers/ingress/ingresses.js';
import { selectionOf } from '../../servers/ingress/nginx/config/plan.js';
import { tendStatus } from '../../servers/ingress/status.js';

const COMPONENT = 'nginx-ingress-controller';

/**
 * The NGINX ingress controller. Left out: snippets, ModSecurity, OpenTelemetry, gRPC, and most keys of its ConfigMap.
 */
export const image = serverImage(
  {
    names: ['registry.k8s.io/ingress-nginx/controller', 'k8s.gcr.io/ingress-nginx/controller'],
    tags: /^v\d+(\.\d+){0,2}(-[\w.]+)?$/,
    layersMB: [3.4, 51.2, 38.6, 21.9],
    files: distrolessLayer,
    commands: 'any',
    config: { user: '101', exposedPorts: [80, 443], entrypoint: ['/usr/bin/dumb-init', '--'] },
  },
  {
    ports: [80, 443, 10_254],
    declared: true,
    portsOf: (start) => [webhookPort(start)].filter((port) => port !== undefined),
    readyAfterMs: READY_MS,
    serve: serveOwn,
    takenPort: (port, { at }) => {
      const flag = { 80: 'http-port', 443: 'https-port', 10_254: 'healthz-port' }[port] ?? 'default-server-port';
      const why = `port ${port} is already in use. Please check the flag --${flag}`;
      return { code: 255, lines: [`${klogHead('F', at, 7, 'main.go:66')}${why}`] };
    },
    proxy: nginxProxy,
    tends: (api, start, tools) => {
      const ingresses = ingressesOf(api, selectionOf(start));
      const hasChanged = tendEvents(api, tools, ingresses, COMPONENT);
      tendReloads(api, tools, start.pod, hasChanged, COMPONENT);
      return tendStatus(api, start, ingresses);
    },
  },
);
