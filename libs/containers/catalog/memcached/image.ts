import { databaseFiles } from '../databases.js';
import { versionOf } from '../bases.js';
import { toolImage } from '../../programs/server.js';

const LATEST = '1.6.40';

/** Memcached: it runs in the pod's machine, whose process keeps what it is given. */
export const image = toolImage({
  names: ['memcached', 'bitnami/memcached'],
  tags: /^(latest|alpine(3\.\d{1,2})?|trixie|bookworm|bullseye|buster|1|1\.\d(\.\d{1,2})?)(-[a-z0-9.]+)?$/,
  layersMB: [29.8, 1.2, 1.1],
  files: databaseFiles('memcached'),
  variant: (tag) => ({ files: databaseFiles('memcached', tag), env: { MEMCACHED_VERSION: versionOf(tag, LATEST) } }),
  config: {
    exposedPorts: [11211],
    entrypoint: ['docker-entrypoint.sh'],
    cmd: ['memcached'],
    user: 'memcache',
    env: { MEMCACHED_VERSION: LATEST },
  },
});
