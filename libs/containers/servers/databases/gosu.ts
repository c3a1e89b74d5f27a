import { SystemError } from '../../../engine/kernel/errno.js';
import { EXEC, exit, type Program } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../tools/accounts.js';
import { findCommand } from '../../tools/framework/command.js';

const program: Program<null> = {
  start: () => null,
  step(_state, sys) {
    const [name, user = '', ...command] = sys.argv;
    if (command.length === 0) {
      sys.write(2, `Usage: ${name} user-spec command [args]\n`);
      return exit(1);
    }
    const found = accountOf(sys, user);
    if (found === undefined) {
      sys.write(
        2,
        `error: failed switching to "${user}": unable to find user ${user}: no matching entries in passwd file\n`,
      );
      return exit(1);
    }
    try {
      sys.setUser(found.user, found.group, []);
      sys.env['HOME'] = found.home;
      sys.exec(findCommand(sys, command[0]!), command);
      return EXEC;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      sys.write(2, `error: failed switching to "${user}": ${error.message.toLowerCase()}\n`);
      return exit(1);
    }
  },
};
/** Goes on as another user: what su-exec and setpriv are in other images. */
export const gosu = program as unknown as Program;

function accountOf(sys: Syscalls, spec: string): { user: number; group: number; home: string } | undefined {
  const [name] = spec.split(':');
  for (const line of readSmallFile(sys, '/etc/passwd').split('\n')) {
    const [own, , user, group, , home = '/'] = line.split(':');
    if (own === name || user === name) return { user: Number(user), group: Number(group), home };
  }
  return undefined;
}
