import { databaseFiles } from '../databases.js';
import { serverImage, utc } from '../../programs/server.js';

const NO_PASSWORD = [
  'Error: Database is uninitialized and superuser password is not specified.',
  '       You must specify POSTGRES_PASSWORD to a non-empty value for the',
  '       superuser. For example, "-e POSTGRES_PASSWORD=password" on "docker run".',
  '',
  '       You may also use "POSTGRES_HOST_AUTH_METHOD=trust" to allow all',
  '       connections without a password. This is *not* recommended.',
  '',
  '       See PostgreSQL documentation about "trust":',
  '       https://www.postgresql.org/docs/current/auth-trust.html',
];

/** PostgreSQL: refuses to start without a password, as the official image. */
export const image = serverImage(
  {
    names: ['postgres', 'bitnami/postgresql', 'postgis/postgis', 'public.ecr.aws/docker/library/postgres'],
    tags: /^(latest|alpine|(9|1[0-8])(\.\d{1,2}){0,2})(-(alpine|bookworm|bullseye|trixie)?[a-z0-9.-]*)?$/,
    layersMB: [29.8, 4.5, 1.5, 8.1, 1.2, 112.4, 0.01],
    files: databaseFiles('postgres'),
    variant: (tag) => ({ files: databaseFiles('postgres', tag) }),
    config: { exposedPorts: [5432], entrypoint: ['docker-entrypoint.sh'], cmd: ['postgres'], stopSignal: 'SIGINT' },
  },
  {
    ports: [5432],
    readyAfterMs: 1800,
    stop: { afterMs: 150, code: 0 },
    fails: ({ env }) =>
      env['POSTGRES_PASSWORD'] ||
      env['POSTGRESQL_PASSWORD'] ||
      env['POSTGRES_PASSWORD_FILE'] ||
      env['POSTGRES_HOST_AUTH_METHOD'] === 'trust' ||
      env['ALLOW_EMPTY_PASSWORD'] === 'yes'
        ? undefined
        : { code: 1, lines: NO_PASSWORD },
    log({ at }) {
      const line = (text: string, pid = 1): string => `${utc(at).rfc}.000 UTC [${pid}] LOG:  ${text}`;
      return [
        'The files belonging to this database system will be owned by user "postgres".',
        'This user must also own the server process.',
        '',
        'The database cluster will be initialized with locale "en_US.utf8".',
        'PostgreSQL init process complete; ready for start up.',
        '',
        line('listening on IPv4 address "0.0.0.0", port 5432'),
        line('listening on IPv6 address "::", port 5432'),
        line('listening on Unix socket "/var/run/postgresql/.s.PGSQL.5432"'),
        line('database system is ready to accept connections'),
      ];
    },
  },
);
