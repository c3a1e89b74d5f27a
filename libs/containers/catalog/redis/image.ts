import { serverImage, utc } from '../../programs/server.js';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Redis and what speaks its protocol. */
export const image = serverImage(
  {
    names: [
      'redis',
      'valkey/valkey',
      'bitnami/redis',
      'public.ecr.aws/docker/library/redis',
      'registry.k8s.io/redis',
      'gcr.io/google_samples/gb-redisslave',
      'gcr.io/google-samples/gb-redisslave',
      'us-docker.pkg.dev/google-samples/containers/gke/gb-redis-follower',
    ],
    tags: /^(latest|alpine|e2e|v\d|[2-9](\.\d{1,2}){0,2})(-(alpine|bookworm|bullseye|trixie)[a-z0-9.]*)?$/,
    layersMB: [29.8, 0.9, 1.4, 16.2, 0.001],
    config: { exposedPorts: [6379], entrypoint: ['docker-entrypoint.sh'], cmd: ['redis-server'] },
  },
  {
    ports: [6379],
    readyAfterMs: 40,
    stop: { afterMs: 120, code: 0 },
    log({ at, container }) {
      const { iso } = utc(at);
      const stamp = `${iso.slice(8, 10)} ${MONTHS[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)} ${iso.slice(11, 23)}`;
      const version = /:(\d+\.\d+\.\d+)/.exec(container.image ?? '')?.[1] ?? '8.4.0';
      return [
        `1:C ${stamp} # WARNING Memory overcommit must be enabled! Without it, a background save or replication may fail under low memory condition.`,
        `1:C ${stamp} * oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo`,
        `1:C ${stamp} * Redis version=${version}, bits=64, commit=00000000, modified=0, pid=1, just started`,
        `1:C ${stamp} # Warning: no config file specified, using the default config. In order to specify a config file use redis-server /path/to/redis.conf`,
        `1:M ${stamp} * monotonic clock: POSIX clock_gettime`,
        `1:M ${stamp} * Running mode=standalone, port=6379.`,
        `1:M ${stamp} * Server initialized`,
        `1:M ${stamp} * Ready to accept connections tcp`,
      ];
    },
  },
);
