import { databaseFiles } from '../databases.js';
import { serverImage } from '../../programs/server.js';

export const image = serverImage(
  {
    names: ['memcached', 'bitnami/memcached'],
    tags: /^(latest|alpine|1|1\.\d(\.\d{1,2})?)(-[a-z0-9.]+)?$/,
    layersMB: [29.8, 1.2, 1.1],
    files: databaseFiles('memcached'),
    variant: (tag) => ({ files: databaseFiles('memcached', tag) }),
    config: { exposedPorts: [11211], cmd: ['memcached'] },
  },
  { ports: [11211], readyAfterMs: 20 },
);
