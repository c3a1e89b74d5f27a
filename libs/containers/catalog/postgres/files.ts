import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { directory, file, joinLayers, readPrograms, withAccounts, type Account } from '../../layers/index.js';
import { LATEST } from '../../servers/databases/postgres/lines.js';
import { alpine, debian, releaseOf, shareLayer, versionOf } from '../bases.js';
import { ENTRYPOINT } from './entrypoint.js';

const DEBIAN: Account = ['postgres', 999, 999, '', '/var/lib/postgresql', '/bin/bash'];
const ALPINE: Account = ['postgres', 70, 70, '', '/var/lib/postgresql', '/bin/sh'];

/** Where the image keeps its data: since 18 below a directory of the version. */
export const dataDirectory = (tag: string): string => {
  const [major = ''] = versionOf(tag, LATEST).split('.');
  return Number(major) >= 18 ? `/var/lib/postgresql/${major}/docker` : '/var/lib/postgresql/data';
};

export function postgresFiles(tag: string): ImageFiles {
  const isAlpine = tag.includes('alpine');
  const below = isAlpine ? alpine(tag) : debian(tag);
  const data = dataDirectory(tag);
  return shareLayer(`postgres ${releaseOf(below)} ${data}`, () => {
    const account = isAlpine ? ALPINE : DEBIAN;
    const own = { ...directory(), user: account[1], group: account[2] };
    return withAccounts(
      joinLayers(
        below,
        readPrograms('/usr/local/bin postgres postgres initdb pg_ctl psql pg_isready pg_dump pg_dumpall'),
        readPrograms('/usr/local/bin postgres createdb dropdb createuser dropuser'),
        readPrograms('/usr/local/bin tool gosu'),
        {
          '/usr/local/bin/docker-entrypoint.sh': file(ENTRYPOINT, 0o755),
          '/docker-entrypoint-initdb.d': directory(),
          '/var/lib/postgresql': own,
          [data]: { ...own, mode: 0o1777 },
          '/run/postgresql': { ...own, mode: 0o3777 },
        },
      ),
      [account],
      [['postgres', account[2]]],
    );
  });
}

export const postgresVariables = (tag: string): Readonly<Record<string, string>> => {
  const version = versionOf(tag, LATEST);
  return {
    LANG: 'en_US.utf8',
    PG_MAJOR: version.split('.', 1)[0]!,
    PG_VERSION: tag.includes('alpine') ? version : `${version}-1.pgdg13+2`,
    PGDATA: dataDirectory(tag),
  };
};
