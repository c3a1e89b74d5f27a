import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { directory, file, joinLayers, readPrograms, withAccounts } from '../../layers/index.js';
import { LATEST } from '../../servers/databases/mysql/lines.js';
import { debian, releaseOf, shareLayer, versionOf } from '../bases.js';
import { ENTRYPOINT } from './entrypoint.js';

const CONFIGURATION =
  '[mysqld]\nskip-host-cache\nskip-name-resolve\ndatadir=/var/lib/mysql\nsocket=/var/run/mysqld/mysqld.sock\nsecure-file-priv=/var/lib/mysql-files\nuser=mysql\npid-file=/var/run/mysqld/mysqld.pid\n\n[client]\nsocket=/var/run/mysqld/mysqld.sock\n\n!includedir /etc/mysql/conf.d/\n';
export const LATEST_MARIA = '12.1.2';

/** MySQL's and MariaDB's images, which name their programs otherwise. Left out: Oracle Linux below mysql. */
export function mysqlFiles(isMaria: boolean): ImageFiles {
  const below = debian('bookworm');
  return shareLayer(`${isMaria ? 'mariadb' : 'mysql'} ${releaseOf(below)}`, () => {
    const own = { ...directory(), user: 999, group: 999 };
    const maria =
      'mysqld mysql mysqladmin mysqldump mariadbd=mysql:mysqld mariadb=mysql:mysql mariadb-admin=mysql:mysqladmin mariadb-dump=mysql:mysqldump';
    return withAccounts(
      joinLayers(
        below,
        readPrograms(
          `/usr/bin mysql ${isMaria ? maria : 'mysql mysqladmin mysqldump mysqld'} mysql-initialize=mysql:initialize`,
        ),
        readPrograms('/usr/local/bin tool gosu'),
        {
          '/usr/local/bin/docker-entrypoint.sh': file(ENTRYPOINT, 0o755),
          '/etc/my.cnf': file(CONFIGURATION),
          '/etc/mysql/conf.d': directory(),
          '/docker-entrypoint-initdb.d': directory(),
          '/var/lib/mysql': { ...own, mode: 0o1777 },
          '/var/lib/mysql-files': own,
          '/run/mysqld': { ...own, mode: 0o1777 },
        },
      ),
      [['mysql', 999, 999, '', '/var/lib/mysql', '/bin/false']],
      [['mysql', 999]],
    );
  });
}

export const mysqlVariables = (tag: string): Readonly<Record<string, string>> => {
  const version = versionOf(tag, LATEST);
  return {
    MYSQL_MAJOR: version.split('.', 1)[0]!,
    MYSQL_VERSION: `${version}-1.el9`,
    SERVER_VERSION: `${version}-1.el9`,
  };
};

export const mariaVariables = (tag: string): Readonly<Record<string, string>> => {
  const version = versionOf(tag, LATEST_MARIA);
  return {
    ...{ MARIADB_VERSION: version, SERVER_VERSION: `1:${version}+maria~ubu2404`, SERVER_NAME: 'MariaDB' },
    ...{ SERVER_PREFIX: 'MARIADB', SERVER_EMPTY: 'ROOT_' },
  };
};
