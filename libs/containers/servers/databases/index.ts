import type { Program } from '../../../engine/kernel/process/program.js';
import { programs as cassandra } from './cassandra/nodetool.js';
import { gosu } from './gosu.js';
import { programs as memcached } from './memcached/index.js';
import { programs as mongo } from './mongo/index.js';
import { programs as mysql } from './mysql/index.js';
import { programs as postgres } from './postgres/index.js';

/** Databases, and the tools of their images. */
export const programs: Readonly<Record<string, Program>> = {
  ...cassandra,
  ...memcached,
  ...mongo,
  ...mysql,
  ...postgres,
  'tool:gosu': gosu,
};
