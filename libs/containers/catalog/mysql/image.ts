import { databaseFiles } from '../databases.js';
import { serverImage, utc } from '../../programs/server.js';

const given = (env: Readonly<Record<string, string>>): boolean =>
  ['MYSQL', 'MARIADB'].some((p) =>
    [
      'ROOT_PASSWORD',
      'ALLOW_EMPTY_PASSWORD',
      'RANDOM_ROOT_PASSWORD',
      'ALLOW_EMPTY_ROOT_PASSWORD',
      'ROOT_PASSWORD_FILE',
    ].some((n) => env[`${p}_${n}`]),
  );

/** MySQL and MariaDB: refuse to start without a root password. */
export const image = serverImage(
  {
    names: ['mysql', 'mariadb', 'bitnami/mysql', 'bitnami/mariadb', 'public.ecr.aws/docker/library/mysql'],
    tags: /^(latest|lts|innovation|oracle|5|5\.[5-7](\.\d{1,2})?|8|8\.[0-4](\.\d{1,2})?|9|9\.\d(\.\d)?|1[0-2](\.\d{1,2}){0,2})(-(debian|oracle|oraclelinux9|jammy|noble|focal)[a-z0-9.]*)?$/,
    layersMB: [48.2, 0.9, 4.6, 14.1, 118.3, 0.01],
    files: databaseFiles('mysql'),
    variant: (tag) => ({ files: databaseFiles('mysql', tag) }),
    config: { exposedPorts: [3306, 33060], entrypoint: ['docker-entrypoint.sh'], cmd: ['mysqld'] },
  },
  {
    ports: [3306, 33060],
    readyAfterMs: 6500,
    stop: { afterMs: 900, code: 0 },
    fails: ({ env, at }) =>
      given(env)
        ? undefined
        : {
            code: 1,
            lines: [
              `${utc(at).rfc}+00:00 [Note] [Entrypoint]: Entrypoint script for MySQL Server started.`,
              `${utc(at).rfc}+00:00 [ERROR] [Entrypoint]: Database is uninitialized and password option is not specified`,
              '    You need to specify one of the following as an environment variable:',
              '    - MYSQL_ROOT_PASSWORD',
              '    - MYSQL_ALLOW_EMPTY_PASSWORD',
              '    - MYSQL_RANDOM_ROOT_PASSWORD',
            ],
          },
    log: ({ at }) => [
      `${utc(at).rfc}+00:00 [Note] [Entrypoint]: Entrypoint script for MySQL Server started.`,
      `${utc(at).rfc}+00:00 [Note] [Entrypoint]: Initializing database files`,
      `${utc(at).rfc}+00:00 [Note] [Entrypoint]: Database files initialized`,
      `${utc(at).rfc}+00:00 [Note] [Entrypoint]: MySQL init process done. Ready for start up.`,
      `${utc(at).iso} 0 [System] [MY-010931] [Server] /usr/sbin/mysqld: ready for connections. Socket: '/var/run/mysqld/mysqld.sock'  port: 3306  MySQL Community Server - GPL.`,
    ],
  },
);
