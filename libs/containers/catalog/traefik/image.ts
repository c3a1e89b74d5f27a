import { alpineLayer } from '../../layers/index.js';
import { tolerating } from '../../programs/authority.js';
import { serverImage } from '../../programs/server.js';
import { addressesOfService, keepStatus } from '../../servers/ingress/status.js';
import { READY_MS, traefikProxy } from '../../servers/traefik/proxy.js';
import { selectedIngresses } from '../../servers/traefik/routers.js';
import { staticOf } from '../../servers/traefik/static.js';

/**
 * Traefik, configured by its command line, by Ingresses, and by its own IngressRoutes, Middlewares and TraefikServices.
 * Left out: TCP and UDP routers, Gateways, sticky sessions, mirroring, ACME, its dashboard's page, plug-ins.
 */
export const image = serverImage(
  {
    names: ['traefik', 'ghcr.io/traefik/traefik'],
    tags: /^(latest|v?[23](\.\d+){0,2}(-[\w.]+)?)$/,
    layersMB: [3.6, 45.2],
    files: alpineLayer(),
    commands: 'any',
    config: { entrypoint: ['/entrypoint.sh'], cmd: ['traefik'], exposedPorts: [80] },
  },
  {
    portsOf: (start) => staticOf(start).entryPoints.map(({ port }) => port),
    readyAfterMs: READY_MS,
    proxy: traefikProxy,
    tends: (api, start) =>
      tolerating(() => {
        const config = staticOf(start);
        if (config.publishedService !== '')
          keepStatus(api, selectedIngresses(api, config), addressesOfService(api, config.publishedService));
        return true;
      }),
  },
);
