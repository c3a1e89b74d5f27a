import type { Program } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { gosu } from './gosu.js';
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

/** The value of `-h HOST`, `-hHOST` or `--host=HOST`. */
function hostOf(args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => word === '-h' || word === '--host');
  if (at >= 0) return args[at + 1];
  return args.map((word) => /^(?:--host=|-h)(.+)$/.exec(word)?.[1]).find((host) => host !== undefined);
}

const mysql = failing(1, (args) => {
  const host = hostOf(args);
  return host === undefined || host === 'localhost'
    ? "ERROR 2002 (HY000): Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2)"
    : `ERROR 2003 (HY000): Can't connect to MySQL server on '${host}:3306' (111)`;
});
const mysqladmin = failing(
  1,
  () =>
    "mysqladmin: connect to server at 'localhost' failed\nerror: 'Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2)'\nCheck that mysqld is running and that the socket: '/var/run/mysqld/mysqld.sock' exists!",
);
const mongosh = failing(1, () => 'MongoNetworkError: connect ECONNREFUSED 127.0.0.1:27017');
const rabbitmqctl = failing(
  69,
  (_args, sys) => `Error: unable to perform an operation on node 'rabbit@${sys.hostname}'.`,
);

export const programs: Readonly<Record<string, Program>> = {
  ...postgres,
  'tool:gosu': gosu,
  'mysql:mysql': mysql,
  'mysql:mysqladmin': mysqladmin,
  'mysql:mysqldump': failing(
    2,
    () =>
      "mysqldump: Got error: 2002: Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2) when trying to connect",
  ),
  'mongo:mongosh': mongosh,
  'rabbitmq:rabbitmqctl': rabbitmqctl,
};
