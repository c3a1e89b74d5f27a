import { textOf } from '../../../../engine/kernel/bytes.js';
import type { FilterContext } from '../../framework/filter.js';
import { parseOptions } from '../../framework/options.js';
import { ToolFailure } from '../../framework/tool.js';
import { defineSessionTool, type SessionCall } from '../../sessions/runtime-session.js';

const OPTIONS = [
  ...['4', '6', 'A', 'a', 'C', 'f', 'g', 'K', 'k', 'M', 'N', 'n', 'q', 's', 'T', 't', 'V', 'v', 'X', 'x', 'Y', 'y'],
  ...[
    'b:',
    'c:',
    'D:',
    'E:',
    'e:',
    'F:',
    'I:',
    'i:',
    'J:',
    'L:',
    'l:',
    'm:',
    'O:',
    'o:',
    'p:',
    'Q:',
    'R:',
    'S:',
    'W:',
    'w:',
  ],
];
const USAGE = `usage: ssh [-46AaCfGgKkMNnqsTtVvXxYy] [-B bind_interface] [-b bind_address]
           [-c cipher_spec] [-D [bind_address:]port] [-E log_file]
           [-e escape_char] [-F configfile] [-I pkcs11] [-i identity_file]
           [-J destination] [-L address] [-l login_name] [-m mac_spec]
           [-O ctl_cmd] [-o option] [-P tag] [-p port] [-R address]
           [-S ctl_path] [-W host:port] [-w local_tun[:remote_tun]]
           destination [command [argument ...]]
       ssh [-Q query_option]
`;
/** What ssh itself ends with. */
const FAILED = 255;
const UNSIMULATED = ['D', 'L', 'R', 'W', 'w', 'J', 'O', 'Q', 'N', 'f'];
const DEFAULT_PORT = '22';

/** ssh from one node to another, as root, whose key each node knows. Models OpenSSH's ssh(1). */
export const ssh = defineSessionTool({
  begin,
  end({ err }, { request, tty }, code) {
    if (tty) err(`Connection to ${String(request['host'])} closed.\r\n`);
    return code;
  },
  fail(tool, error) {
    if (!(error instanceof ToolFailure)) throw error;
    tool.err(`ssh: ${error.message}\r\n`);
    return FAILED;
  },
});

function begin(tool: FilterContext): SessionCall | number {
  const { sys } = tool;
  const options = parseOptions(tool, OPTIONS, true);
  if (options.has('V')) {
    tool.err('OpenSSH_10.0p2 Debian-7, OpenSSL 3.5.1 1 Jul 2025\n');
    return 0;
  }
  const [destination, ...words] = options.operands;
  if (destination === undefined) {
    tool.err(USAGE);
    return FAILED;
  }
  const unknown = UNSIMULATED.find((option) => options.has(option));
  if (unknown !== undefined) throw new ToolFailure(`-${unknown} is not simulated`);
  const { user, host } = readDestination(textOf(destination), options.value('l'));
  const port = options.value('p') ?? DEFAULT_PORT;
  if (port !== DEFAULT_PORT) throw new ToolFailure(`connect to host ${host} port ${port}: Connection refused`);
  const wantsTerminal = options.has('t') || (words.length === 0 && !options.has('T'));
  const tty = wantsTerminal && sys.isTerminal(0);
  if (wantsTerminal && !tty && !options.has('q'))
    tool.err('Pseudo-terminal will not be allocated because stdin is not a terminal.\r\n');
  return {
    operation: 'Ssh',
    request: { host, command: commandOf(user, words.map(textOf)) },
    stdin: !options.has('n'),
    tty,
  };
}

/** `root@node01`, `ssh://root@node01`. */
export function readDestination(
  text: string,
  login: string | undefined,
): { readonly user: string; readonly host: string } {
  const bare = text.replace(/^ssh:\/\//, '');
  const at = bare.lastIndexOf('@');
  return { user: at < 0 ? (login ?? 'root') : bare.slice(0, at), host: bare.slice(at + 1) };
}

/** The words are one line for the login shell of the user there. */
export function commandOf(user: string, words: readonly string[]): string[] {
  const line = words.join(' ');
  if (user !== 'root') return ['su', '-', user, ...(line === '' ? [] : ['-c', line])];
  return ['bash', '-c', line === '' ? 'cd; exec bash -l' : `cd; ${line}`];
}
