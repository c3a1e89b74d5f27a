import { findCommand, exitCodeOf } from '../framework/command.js';
import { readNames } from '../accounts.js';
import { parseOptions } from '../framework/options.js';
import { EXEC } from '../../../engine/kernel/process/program.js';
import { defineTool, strerror } from '../framework/tool.js';

const OPTIONS = ['E,preserve-env', 'i,login', 's,shell', 'n,non-interactive', 'u,user:', 'H,set-home', 'k', 'S,stdin'];
const USAGE =
  'usage: sudo -h | -K | -k | -V\nusage: sudo [-ABbEHnPS] [-g group] [-h host] [-p prompt] [-u user] [VAR=value] [-i | -s] [command [arg ...]]\n';

/** sudo of root, who needs no password. Left out: other users, and /etc/sudoers. */
export const sudo = defineTool((tool) => {
  const options = parseOptions(tool, OPTIONS, true);
  const { sys } = tool;
  const words = [...options.operands];
  const variables = { ...sys.env };
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? '')) {
    const [name = '', value = ''] = words.shift()!.split(/=(.*)/s);
    variables[name] = value;
  }
  if (sys.user !== 0) {
    tool.err(
      'sudo: a terminal is required to read the password; either use the -S option to read from standard input or configure an askpass helper\nsudo: a password is required\n',
    );
    return 1;
  }
  const asked = options.value('u') ?? 'root';
  const names = readNames(sys);
  const user = names.users.find(({ name, id }) => name === asked || `#${id}` === asked);
  if (user === undefined) {
    tool.err(`sudo: unknown user ${asked}\nsudo: error initializing audit plugin sudoers_audit\n`);
    return 1;
  }
  if (options.has('i', 's'))
    words.unshift('/bin/bash', ...(options.has('i') ? ['-l'] : []), ...(words.length > 0 ? ['-c'] : []));
  const [name] = words;
  if (name === undefined) {
    tool.err(USAGE);
    return 1;
  }
  const groups = names.groups.filter(({ members }) => members.includes(user.name)).map(({ id }) => id);
  if (user.id !== 0) sys.setUser(user.id, user.group, [...new Set([user.group, ...groups])]);
  Object.assign(variables, { USER: user.name, LOGNAME: user.name, SUDO_USER: 'root' });
  if (options.has('i', 'H')) variables['HOME'] = user.home;
  try {
    sys.exec(findCommand(sys, name, sys.env['PATH']), words, variables);
    return EXEC;
  } catch (error) {
    tool.err(`sudo: ${name}: ${exitCodeOf(error) === 127 ? 'command not found' : strerror(error)}\n`);
    return 1;
  }
});
