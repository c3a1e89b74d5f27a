import type { Program } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { gosu } from './gosu.js';
import { programs as memcached } from './memcached/index.js';
import { programs as mongo } from './mongo/index.js';
import { programs as mysql } from './mysql/index.js';
import { programs as postgres } from './postgres/index.js';
import { defineTool, type Tool } from '../../tools/tool.js';

/**
 * Clients of databases. The databases themselves are known by their summaries: they listen, but keep no data, so that
 * a client says what it says when there is no server, and fails.
 */
const failing = (code: number, explain: (args: readonly string[], sys: Syscalls) => string): Tool =>
  defineTool((tool) => {
    tool.err(`${explain(tool.args, tool.sys)}\n`);
    return code;
  });

const rabbitmqctl = failing(
  69,
  (_args, sys) => `Error: unable to perform an operation on node 'rabbit@${sys.hostname}'.`,
);

export const programs: Readonly<Record<string, Program>> = {
  ...memcached,
  ...mongo,
  ...mysql,
  ...postgres,
  'tool:gosu': gosu,
  'rabbitmq:rabbitmqctl': rabbitmqctl,
};
