import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { directory, file, joinLayers, readPrograms } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { LATEST } from '../../servers/databases/postgres/lines.js';
import { debian, shareLayer, versionOf } from '../bases.js';
import { RUN } from './entrypoint.js';

const BIN = '/opt/bitnami/postgresql/bin';
/** A user without an account, of the group root: so the image runs. */
const own = (mode = 0o775) => ({ ...directory(mode), user: 1_001, group: 0 });

const files = (): ImageFiles =>
  shareLayer('bitnami postgresql', () =>
    joinLayers(
      debian('bookworm'),
      readPrograms(`${BIN} postgres postgres initdb pg_ctl psql pg_isready pg_dump pg_dumpall`),
      readPrograms(`${BIN} postgres createdb dropdb createuser dropuser`),
      {
        '/opt/bitnami/scripts/postgresql/entrypoint.sh': file(RUN, 0o755),
        '/opt/bitnami/scripts/postgresql/run.sh': file('#!/bin/sh\nexec postgres -D "$PGDATA"\n', 0o755),
        '/opt/bitnami/postgresql/conf': own(),
        '/opt/bitnami/postgresql/tmp': own(),
        '/docker-entrypoint-initdb.d': own(),
        '/docker-entrypoint-preinitdb.d': own(),
        '/bitnami/postgresql': own(),
      },
    ),
  );

/** `tag`: '15.4.0-debian-11-r45' has PostgreSQL 15.4. */
function variables(tag: string): Readonly<Record<string, string>> {
  const version = /^\d+\.\d+/.exec(tag)?.[0] ?? versionOf(tag, LATEST);
  return {
    APP_VERSION: `${version}.0`,
    BITNAMI_APP_NAME: 'postgresql',
    LANG: 'en_US.UTF-8',
    PATH: `${BIN}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    PGDATA: '/bitnami/postgresql/data',
    PG_VERSION: version,
  };
}

/** PostgreSQL as Bitnami publishes it, and its charts run it: a user of its own, and variables POSTGRESQL_…. */
export const image = toolImage({
  names: ['bitnami/postgresql', 'bitnami/postgresql-repmgr'],
  tags: /^(latest|(9|1[0-8])(\.\d{1,2}){0,2})(-[a-z0-9.-]+)?$/,
  layersMB: [28.1, 62.4, 21.7],
  files: files(),
  variant: (tag) => ({ files: files(), env: variables(tag) }),
  config: {
    user: '1001',
    exposedPorts: [5432],
    entrypoint: ['/opt/bitnami/scripts/postgresql/entrypoint.sh'],
    cmd: ['/opt/bitnami/scripts/postgresql/run.sh'],
    env: variables('latest'),
  },
});
