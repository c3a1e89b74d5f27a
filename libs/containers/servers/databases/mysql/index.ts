import type { Program } from '../../../../engine/kernel/process/program.js';
import { mysql } from './tools/client.js';
import { mysqldump } from './tools/dump.js';
import { backupPrograms } from './tools/xtrabackup.js';
import { initialize } from './server/initialize.js';
import { mysqld } from './server/server.js';

/** MySQL and MariaDB as their images have them. */
export const programs: Readonly<Record<string, Program>> = {
  'mysql:mysqld': mysqld,
  'mysql:mysql': mysql,
  'mysql:mysqladmin': mysql,
  'mysql:mysqldump': mysqldump,
  'mysql:initialize': initialize,
  ...backupPrograms,
};
