import type { Program } from '../../../../engine/kernel/process/program.js';
import { initdb } from './tools/initdb.js';
import { pgCtl } from './tools/pg-ctl.js';
import { postgres } from './server/server.js';
import { pgIsReady } from './tools/isready.js';
import { pgDump } from './tools/dump/pg-dump.js';
import { script } from './tools/scripts.js';
import { psql } from './tools/psql/psql.js';

/** PostgreSQL as its image has it. */
export const programs: Readonly<Record<string, Program>> = {
  'postgres:postgres': postgres,
  'postgres:initdb': initdb,
  'postgres:pg_ctl': pgCtl,
  'postgres:psql': psql,
  'postgres:pg_isready': pgIsReady,
  'postgres:pg_dump': pgDump,
  ...{ 'postgres:createdb': script, 'postgres:dropdb': script },
  ...{ 'postgres:createuser': script, 'postgres:dropuser': script },
};
