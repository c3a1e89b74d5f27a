import { SystemError } from '../../../../../engine/kernel/errno.js';
import { defineTool } from '../../../../tools/framework/tool.js';
import { writeUsers } from './state.js';
import { storePassword } from './wire.js';

const SYSTEM = ['mysql', 'performance_schema', 'sys'];

/** `mysqld --initialize-insecure`, as the entrypoint calls it: directories, and root without a password. */
export const initialize = defineTool(({ args, sys, err }) => {
  const data = args[0] ?? '/var/lib/mysql';
  try {
    const names = sys.readDirectory(data).filter((name) => name !== 'lost+found' && !name.startsWith('.'));
    if (names.length > 0) {
      err(`[ERROR] [MY-010457] [Server] --initialize specified but the data directory has files in it. Aborting.\n`);
      return 1;
    }
    for (const name of SYSTEM) sys.makeDirectory(`${data}/${name}`, 0o750);
    const root = { name: 'root', ...storePassword('') };
    const grants = ['GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION'];
    writeUsers(sys, data, [{ ...root, host: 'localhost', grants }]);
    return 0;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    err(`[ERROR] [MY-010187] [Server] Could not open file '${data}': ${error.message}\n`);
    return 1;
  }
});
