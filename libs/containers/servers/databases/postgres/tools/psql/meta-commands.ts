import { bytesOf } from '../../../../../../engine/kernel/bytes.js';
import { YIELD, type Wait } from '../../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../../../tools/accounts.js';
import { closeLink, makeLink, type Target } from '../connection.js';
import { askMeta } from '../meta.js';
import { readDatabaseName } from '../options.js';
import { runCopy } from './copy.js';
import { send } from './statements.js';
import { err, out, type State } from './state.js';

/** What a line that begins with a backslash does. */
export function runMeta(state: State, line: string, sys: Syscalls): void {
  const text = line.endsWith(';') ? line.slice(1, -1) : line.slice(1);
  const cut = text.search(/\s/);
  const [name, rest] = cut < 0 ? [text, ''] : [text.slice(0, cut), text.slice(cut)];
  const { style } = state;
  const argument = rest.trim();
  if (name === 'q') state.code = 0;
  else if (name === 'x') {
    style.isExpanded = argument === '' ? !style.isExpanded : argument === 'on';
    out(state, `Expanded display is ${style.isExpanded ? 'on' : 'off'}.\n`);
  } else if (name === 't') {
    style.isTuplesOnly = !style.isTuplesOnly;
    out(state, `Tuples only is ${style.isTuplesOnly ? 'on' : 'off'}.\n`);
  } else if (name === 'a') {
    style.isAligned = !style.isAligned;
    out(state, `Output format is ${style.isAligned ? 'aligned' : 'unaligned'}.\n`);
  } else if (name === 'echo') out(state, `${argument.replace(/^'(.*)'$/, '$1')}\n`);
  else if (name === 'set' && argument !== '') {
    const [key = '', ...words] = argument.split(/\s+/);
    state.variables[key] = words.join('').replace(/^'(.*)'$/, '$1');
    state.stopsOnError = ['1', 'on', 'true'].includes(state.variables['ON_ERROR_STOP'] ?? '');
  } else if (name === 'pset' && /^(?:pager|border)/.test(argument)) out(state, '');
  else if (name === 'pset' && argument.startsWith('null'))
    style.null = argument
      .slice(4)
      .trim()
      .replace(/^'(.*)'$/, '$1');
  else if (name === 'copy') runCopy(state, argument, sys);
  else if (name === 'i' || name === 'ir') openFile(state, argument, sys);
  else if ((name === 'c' || name === 'connect') && argument !== '') reconnect(state, argument, sys);
  else {
    const asked = askMeta(name, argument, infoOf(state.link.target));
    if (asked === undefined) {
      err(state, `invalid command \\${name}\nTry \\? for help.\n`);
      state.hasFailed = true;
    } else for (const one of asked) send(state, one.sql, one);
  }
}

const infoOf = ({ host, sockets, port, user, database }: Target): string =>
  host === ''
    ? `You are connected to database "${database}" as user "${user}" via socket in "${sockets}" at port "${port}".`
    : `You are connected to database "${database}" as user "${user}" on host "${host}" at port "${port}".`;

function reconnect(state: State, argument: string, sys: Syscalls): void {
  const [database = '-', user = '-'] = argument.split(/\s+/);
  const { target } = state.link;
  closeLink(state.link, sys);
  const next = { ...target };
  if (database !== '-') readDatabaseName(database, next);
  if (user !== '-') next.user = user;
  state.link = makeLink(next);
  // The message comes with the first answer of the new session.
  state.lineNumber = Math.max(1, state.lineNumber);
  out(state, `You are now connected to database "${next.database}" as user "${next.user}".\n`);
}

/** Its lines are read next. */
export function openFile(state: State, path: string, sys: Syscalls): Wait {
  if (!sys.access(bytesOf(path), 'r')) {
    err(
      state,
      `psql: error: ${path}: ${sys.access(bytesOf(path), '') ? 'Permission denied' : 'No such file or directory'}\n`,
    );
    state.code = 1;
    return YIELD;
  }
  state.input = readSmallFile(sys, bytesOf(path));
  state.fileName = path;
  state.isInputEnded = true;
  state.readsInput = true;
  state.lineNumber = 0;
  return YIELD;
}
