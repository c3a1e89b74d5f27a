import { type Bytes, errorCodeOf } from '../../kernel.js';
import type { Shell } from '../shell.js';
import { isName } from '../variables.js';

const SHOPTS_ON =
  'checkwinsize cmdhist complete_fullquote extquote force_fignore globasciiranges globskipdots hostcomplete interactive_comments patsub_replacement progcomp promptvars sourcepath';

/** Names of shopt with their values at the start. */
export function shoptDefaults(isInteractive: boolean): Record<string, boolean> {
  const off =
    'autocd assoc_expand_once cdable_vars cdspell checkhash checkjobs compat31 compat32 compat40 compat41 compat42 compat43 compat44 direxpand dirspell dotglob execfail extdebug extglob failglob globstar gnu_errfmt histappend histreedit histverify huponexit inherit_errexit lastpipe lithist localvar_inherit localvar_unset login_shell mailwarn no_empty_cmd_completion nocaseglob nocasematch noexpand_translation nullglob progcomp_alias restricted_shell shift_verbose varredir_close xpg_echo';
  const entries = [...off.split(' ').map((name) => [name, false]), ...SHOPTS_ON.split(' ').map((name) => [name, true])];
  return { ...(Object.fromEntries(entries) as Record<string, boolean>), expand_aliases: isInteractive };
}

export const VERSION = '5.2.15(1)-release';

/** The environment as variables, and those that the shell itself sets. */
export function importVariables(shell: Shell): void {
  const { state, sys } = shell;
  for (const [name, value] of Object.entries(sys.env)) {
    if (!isName(name)) continue;
    state.variables[name] = { value, flags: 'x' };
    state.bytes += value.length;
  }
  const define = (name: Bytes, value: Bytes, flags = ''): void => {
    state.variables[name] = { value, flags };
  };
  const defineUnlessSet = (name: Bytes, value: Bytes, flags = ''): void => {
    if (!shell.variable(name)) define(name, value, flags);
  };
  define('IFS', ' \t\n');
  define('OPTIND', '1');
  define('PPID', String(sys.parent), shell.isBash ? 'ir' : '');
  define('PWD', workingDirectory(shell), 'x');
  defineUnlessSet('PS4', '+ ');
  defineUnlessSet('PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin');
  if (!shell.isDash) define('SHLVL', String(Number(shell.variable('SHLVL')?.value ?? 0) + 1 || 1), 'x');
  if (shell.isBash) defineBash(shell, define, defineUnlessSet);
  else {
    defineUnlessSet('PS1', shell.isDash ? (sys.user === 0 ? '# ' : '$ ') : '\\w \\$ ');
    defineUnlessSet('PS2', '> ');
    if (shell.isAsh) defineUnlessSet('HOSTNAME', sys.hostname);
  }
}

type Define = (name: Bytes, value: Bytes, flags?: string) => void;

function defineBash(shell: Shell, define: Define, defineUnlessSet: Define): void {
  const { sys, state } = shell;
  define('BASH', '/bin/bash');
  define('BASH_VERSION', VERSION);
  state.variables['BASH_VERSINFO'] = {
    elements: { '0': '5', '1': '2', '2': '15', '3': '1', '4': 'release', '5': 'x86_64-pc-linux-gnu' },
    flags: 'ar',
  };
  define('UID', String(sys.user), 'ir');
  define('EUID', String(sys.user), 'ir');
  defineUnlessSet('HOSTNAME', sys.hostname);
  define('HOSTTYPE', 'x86_64');
  define('MACHTYPE', 'x86_64-pc-linux-gnu');
  define('OSTYPE', 'linux-gnu');
  define('OPTERR', '1');
  defineUnlessSet('TERM', 'dumb');
  if (state.isInteractive) {
    defineUnlessSet('PS1', '\\s-\\v\\$ ');
    defineUnlessSet('PS2', '> ');
  }
}

/** PWD of the environment when it is right, else the directory without links. */
function workingDirectory(shell: Shell): Bytes {
  const { sys } = shell;
  const given = shell.variable('PWD')?.value;
  try {
    if (given?.startsWith('/') && sys.realPath(given) === sys.cwd()) return given;
  } catch (error) {
    errorCodeOf(error);
  }
  return sys.cwd();
}
