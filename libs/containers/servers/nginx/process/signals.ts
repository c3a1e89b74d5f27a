import { SystemError } from '../../../../engine/kernel/errno.js';
import { readSmallFile } from '../../../tools/accounts.js';
import { SIGNALS } from './command.js';
import { load } from './load.js';
import { type Server, fail } from './own.js';
import { listenAll } from './start.js';
import { slashed } from '../version.js';
import { replaceWorkers } from './workers.js';

/** Takes the configuration of now, and new workers; keeps what it has when it is refused. */
export function reload(server: Server): void {
  const { sys } = server;
  server.err(`${slashed(sys.now)} [notice] ${sys.pid}#${sys.pid}: signal 1 (SIGHUP) received from 0, reconfiguring\n`);
  server.err(`${slashed(sys.now)} [notice] ${sys.pid}#${sys.pid}: reconfiguring\n`);
  if (!load(server)) return;
  listenAll(server);
  replaceWorkers(server);
}

/** Says that logs are opened anew: they are streams, which stay. */
export function reopen({ sys, err }: Server): void {
  const head = `${slashed(sys.now)} [notice] ${sys.pid}#${sys.pid}:`;
  err(`${head} signal 10 (SIGUSR1) received from 0, reopening logs\n${head} reopening logs\n`);
}

/** nginx -s. */
export function signalMaster(server: Server): void {
  const { sys, own } = server;
  const pid = Number(readSmallFile(sys, '/run/nginx.pid').trim());
  if (!load(server)) return;
  server.err(`${slashed(sys.now)} [notice] ${sys.pid}#${sys.pid}: signal process started\n`);
  if (!(pid > 0)) return fail(server, 'nginx: [error] invalid PID number "" in "/run/nginx.pid"');
  try {
    sys.kill(pid, SIGNALS[own.signal as keyof typeof SIGNALS]);
    server.exit(0);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    fail(
      server,
      `nginx: [alert] kill(${pid}, ${own.signal}) failed (${error.code === 'ESRCH' ? 3 : 1}: ${error.message})`,
    );
  }
}
