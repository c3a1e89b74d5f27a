import type { Builtin } from '../../interpreter/builtin.js';
import { ShellFailure } from '../../interpreter/failure.js';
import type { Shell } from '../../interpreter/shell.js';
import { type Bytes, errorCodeOf, SystemError } from '../../kernel.js';
import { builtinFailure, parseOptions } from '../arguments.js';

const cd: Builtin = (shell, argv) => {
  const { options, operands } = parseOptions(shell, argv, 'LPe@');
  if (shell.isBash && operands.length > 1) {
    shell.complain('cd: too many arguments');
    return 1;
  }
  let target = operands[0];
  let isShown = false;
  if (target === undefined) {
    target = shell.get('HOME');
    if (target === undefined || target === '') {
      if (shell.isBash && target === undefined) {
        shell.complain('cd: HOME not set');
        return 1;
      }
      return 0;
    }
  } else if (target === '-') {
    target = shell.get('OLDPWD');
    if (target === undefined || target === '') {
      if (shell.isBash) {
        shell.complain('cd: OLDPWD not set');
        return 1;
      }
      target = shell.get('PWD') ?? '/';
    }
    isShown = true;
  }
  const found = searchDirectory(shell, target);
  changeDirectory(shell, 'cd', found?.path ?? target, target, options['P'] !== undefined);
  if (isShown || found?.isShown) shell.write(1, `${shell.get('PWD')}\n`);
  return 0;
};

/** CDPATH. */
function searchDirectory(shell: Shell, target: Bytes): { path: Bytes; isShown: boolean } | undefined {
  const list = shell.get('CDPATH');
  if (!list || /^(?:\/|\.\.?(?:\/|$))/.test(target)) return undefined;
  for (const directory of list.split(':')) {
    const path = directory === '' ? target : `${directory}/${target}`;
    try {
      if (shell.sys.stat(path).type === 'directory') return { path, isShown: directory !== '' && directory !== '.' };
    } catch (error) {
      errorCodeOf(error);
    }
  }
  return undefined;
}

/** Goes to a directory and sets PWD and OLDPWD. Throws ShellFailure. */
function changeDirectory(shell: Shell, builtin: Bytes, path: Bytes, shown: Bytes, isPhysical: boolean): void {
  const { sys } = shell;
  const before = shell.get('PWD') ?? sys.cwd();
  const logical = normalize(path.startsWith('/') ? path : `${before}/${path}`);
  try {
    if (shown === '' && shell.isBash) return;
    sys.chdir(isPhysical || shell.option('P') ? path : logical);
  } catch (error) {
    const code = errorCodeOf(error);
    const words = new SystemError(code).message;
    if (shell.isBash) throw new ShellFailure(`${builtin}: ${shown}: ${words}`, 1, 'command');
    throw builtinFailure(shell, builtin, `can't cd to ${shown}${shell.isAsh ? `: ${words}` : ''}`, 2);
  }
  shell.set('OLDPWD', undefined, before);
  shell.set('PWD', undefined, isPhysical || shell.option('P') ? sys.cwd() : logical);
  const exported = shell.variable('PWD')?.flags.includes('x');
  const old = shell.variable('OLDPWD');
  if (exported && old && !old.flags.includes('x')) old.flags += 'x';
}

/** Without . and .. and doubled slashes: what `cd` makes of a path without looking at links. */
function normalize(path: Bytes): Bytes {
  const names: Bytes[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') names.pop();
    else names.push(name);
  }
  return `/${names.join('/')}`;
}

const pwd: Builtin = (shell, argv) => {
  const { options } = parseOptions(shell, argv, 'LP');
  const isPhysical = options['P'] !== undefined || shell.option('P');
  shell.write(1, `${isPhysical ? shell.sys.cwd() : (shell.get('PWD') ?? shell.sys.cwd())}\n`, 'pwd');
  return 0;
};

const shortened = (shell: Shell, path: Bytes): Bytes => {
  const home = shell.get('HOME') ?? '';
  if (home.length < 2) return path;
  return path === home ? '~' : path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
};

function showDirectories(shell: Shell): void {
  const list = [shell.get('PWD') ?? '', ...shell.state.directories];
  shell.write(1, list.map((path) => shortened(shell, path)).join(' ') + '\n');
}

const pushd: Builtin = (shell, argv) => {
  const { state } = shell;
  const here = shell.get('PWD') ?? '';
  const target = argv[1] === '--' ? argv[2] : argv[1];
  if (target === undefined) {
    const next = state.directories[0];
    if (next === undefined) {
      shell.complain('pushd: no other directory');
      return 1;
    }
    changeDirectory(shell, 'pushd', next, next, false);
    state.directories[0] = here;
  } else if (/^\+\d+$/.test(target)) {
    const list = [here, ...state.directories];
    const count = Number(target);
    if (count >= list.length) {
      shell.complain(`pushd: ${target}: directory stack index out of range`);
      return 1;
    }
    const turned = [...list.slice(count), ...list.slice(0, count)];
    changeDirectory(shell, 'pushd', turned[0]!, turned[0]!, false);
    state.directories = turned.slice(1);
  } else {
    changeDirectory(shell, 'pushd', target, target, false);
    state.directories.unshift(here);
  }
  showDirectories(shell);
  return 0;
};

const popd: Builtin = (shell) => {
  const next = shell.state.directories[0];
  if (next === undefined) {
    shell.complain('popd: directory stack empty');
    return 1;
  }
  changeDirectory(shell, 'popd', next, next, false);
  shell.state.directories.shift();
  showDirectories(shell);
  return 0;
};

const dirs: Builtin = (shell, argv) => {
  const { options } = parseOptions(shell, argv, 'clpv');
  const list = [shell.get('PWD') ?? '', ...shell.state.directories];
  if (options['c'] !== undefined) shell.state.directories = [];
  else if (options['v'] !== undefined) {
    list.forEach((path, i) => shell.write(1, `${String(i).padStart(2)}  ${shortened(shell, path)}\n`));
  } else if (options['p'] !== undefined) for (const path of list) shell.write(1, `${shortened(shell, path)}\n`);
  else showDirectories(shell);
  return 0;
};

export const directories: Readonly<Record<string, Builtin>> = { cd, pwd };
export const bashDirectories: Readonly<Record<string, Builtin>> = { pushd, popd, dirs };
