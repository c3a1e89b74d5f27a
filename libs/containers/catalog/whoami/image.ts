import { serverImage } from '../../programs/server.js';

export const image = serverImage(
  { names: ['traefik/whoami', 'containous/whoami', 'jwilder/whoami'], tags: /^(latest|v?1(\.\d{1,2}){0,2})$/, layersMB: [0.3, 2.5], config: { exposedPorts: [80], entrypoint: ['/whoami'] } },
  { ports: [80], declared: true, readyAfterMs: 20, log: () => ['Starting up on port 80'] },
);
