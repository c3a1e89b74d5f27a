import type { Program } from '../../../../engine/kernel/process/program.js';
import { mongod } from './server/server.js';
import { mongosh } from './shell/mongosh.js';

/** MongoDB: documents that lie in its data directory, its wire protocol, and its shell. */
export const programs: Readonly<Record<string, Program>> = {
  'mongo:mongod': mongod,
  'mongo:mongosh': mongosh,
};
