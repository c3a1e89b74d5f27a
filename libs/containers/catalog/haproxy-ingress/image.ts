import { alpineLayer } from '../../layers/index.js';
import { tolerating } from '../../programs/authority.js';
import { serverImage } from '../../programs/server.js';
import { flag } from '../../programs/task.js';
import { addressesOfService, keepStatus } from '../../servers/ingress/status.js';
import { haproxyProxy, OWN_PORTS, portsOf, READY_MS, serveOwn } from '../../servers/haproxy/proxy.js';
import { servedIngresses } from '../../servers/haproxy/serve.js';

/**
 * HAProxy's own ingress controller. Left out: snippets, TCP services, its custom resources, client certificates, sticky
 * sessions, CORS, and the page of its statistics.
 */
export const image = serverImage(
  {
    names: ['haproxytech/kubernetes-ingress'],
    tags: /^(latest|nightly|\d+\.\d+(\.\d+)?(-[\w.]+)?)$/,
    layersMB: [3.6, 71.3],
    files: alpineLayer(),
    commands: 'any',
    config: { user: '1000', entrypoint: ['/start.sh'], exposedPorts: [8_080, 8_443, 1_024] },
  },
  {
    ports: OWN_PORTS,
    portsOf,
    readyAfterMs: READY_MS,
    serve: (request) => serveOwn(request),
    proxy: haproxyProxy,
    tends: (api, start) =>
      tolerating(() => {
        const service = flag(start, 'publish-service');
        if (service !== '') keepStatus(api, servedIngresses(api, start), addressesOfService(api, service));
        return true;
      }),
  },
);
