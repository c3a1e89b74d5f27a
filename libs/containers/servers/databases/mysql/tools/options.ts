import { type Bytes, textOf } from '../../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { addOutput } from '../../../../tools/framework/output.js';
import { versionOf } from '../lines.js';
import { type State, end } from './state.js';

export const ASKS_PASSWORD = '\0ask';

export function start(given: readonly Bytes[], sys: Syscalls): State {
  // Flags that stand together, as in -Ne, stand for themselves.
  const argv = given.flatMap((word, i) =>
    i > 0 && /^-[NtBsfEAw]{1,8}[a-zA-Z]/.test(word) ? splitFlags(word) : [word],
  );
  const name = (argv[0] ?? 'mysql').split('/').at(-1)!;
  const state: State = {
    ...{ name, host: 'localhost', port: 3_306, user: sys.env['USER'] ?? 'root', password: sys.env['MYSQL_PWD'] ?? '' },
    ...{ database: '', commands: [], readsInput: true, isTable: sys.isTerminal(1), hasNoNames: false, isForced: false },
    ...{ isVertical: false, descriptor: null, phase: 'new', unsent: '', received: '', pending: null, input: '' },
    ...{ isInputEnded: false, hasPrompt: false, isInteractiveInput: false, line: 0, output: [], code: null },
  };
  const words: string[] = [];
  for (let at = 1; at < argv.length; at++) {
    const word = textOf(argv[at]!);
    const cut = word.indexOf('=');
    const long = word.startsWith('--') ? word.slice(2, cut < 0 ? undefined : cut) : '';
    const value = (): string =>
      long !== '' && cut >= 0
        ? word.slice(cut + 1)
        : long === '' && word.length > 2
          ? word.slice(2)
          : textOf(argv[++at] ?? '');
    const short = long === '' && word.startsWith('-') ? word[1]! : '';
    if (short === 'u' || long === 'user') state.user = value();
    else if (short === 'p' || long === 'password')
      state.password = long !== '' ? (cut < 0 ? ASKS_PASSWORD : word.slice(cut + 1)) : word.slice(2) || ASKS_PASSWORD;
    else if (short === 'h' || long === 'host') state.host = value();
    else if (short === 'P' || long === 'port') state.port = Number(value());
    else if (short === 'e' || long === 'execute') state.commands.push(value());
    else if (short === 'D' || long === 'database') state.database = value();
    else if (short === 't' || long === 'table') state.isTable = true;
    else if (short === 'B' || short === 's' || long === 'batch' || long === 'silent') state.isTable = false;
    else if (short === 'N' || long === 'skip-column-names') state.hasNoNames = true;
    else if (short === 'f' || long === 'force') state.isForced = true;
    else if (short === 'E' || long === 'vertical') state.isVertical = true;
    else if (
      short === 'S' ||
      ['socket', 'protocol', 'default-character-set', 'connect-timeout', 'ssl-mode'].includes(long)
    )
      value();
    else if (short === 'V' || long === 'version')
      return end(state, 1, `${name}  Ver ${versionOf(sys)} for Linux on x86_64 (MySQL Community Server - GPL)\n`, 0);
    else if (
      short === 'A' ||
      short === 'w' ||
      ['no-auto-rehash', 'skip-ssl', 'get-server-public-key', 'no-beep', 'wait', 'raw', 'comments'].includes(long)
    )
      continue;
    else if (word.startsWith('-')) return end(state, 2, `${name}: [ERROR] unknown option '${word}'.\n`, 2);
    else words.push(word);
  }
  if (name.endsWith('admin')) {
    const asked = words[0] ?? '';
    if (!['ping', 'status', 'version', 'shutdown', 'processlist', 'create', 'drop', 'variables'].includes(asked))
      return end(state, 2, `${name}: Unknown command: '${asked}'\n`, 1);
    state.commands = [`admin ${words.join(' ')}`];
  } else if (words[0] !== undefined) state.database = words[0];
  state.readsInput = state.commands.length === 0;
  if (state.commands.length > 0) state.commands = [state.commands.join(';')];
  if (
    state.password !== '' &&
    state.password !== ASKS_PASSWORD &&
    argv.some((word) => /^(?:-p.|--password=)/.test(word)) &&
    sys.env['MARIADB_VERSION'] === undefined
  )
    addOutput(state.output, 2, `${name}: [Warning] Using a password on the command line interface can be insecure.\n`);
  return state;
}

function splitFlags(word: Bytes): Bytes[] {
  const flags: Bytes[] = [];
  let at = 1;
  for (; at < word.length - 1 && /[NtBsfEAw]/.test(word[at]!); at++) flags.push(`-${word[at]}`);
  return [...flags, `-${word.slice(at)}`];
}
