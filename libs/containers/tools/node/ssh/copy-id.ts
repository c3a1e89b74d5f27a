import { textOf } from '../../../../engine/kernel/bytes.js';
import { readSmallFile } from '../../accounts.js';
import type { FilterContext } from '../../framework/filter.js';
import { parseOptions } from '../../framework/options.js';
import { defineSessionTool, type SessionCall } from '../../sessions/runtime-session.js';
import { ToolFailure } from '../../framework/tool.js';
import { commandOf, readDestination } from './ssh.js';

const NAME = '/usr/bin/ssh-copy-id';
const USAGE = `Usage: ${NAME} [-h|-?|-f|-n|-s|-x] [-i [identity_file]] [-t target_path] [-F ssh_config] [[-o ssh_option] ...] [-p port] [user@]hostname
`;
const KEYS = ['id_ed25519', 'id_ecdsa', 'id_rsa'];
/** How the script there says that the key is known. */
const KNOWN = 9;

/** ssh-copy-id: a public key into another node's authorized_keys. Models OpenSSH's contrib/ssh-copy-id. */
export const sshCopyId = defineSessionTool({
  begin,
  end(tool, { request }, code) {
    if (code === KNOWN) {
      tool.err(
        `\n${NAME}: WARNING: All keys were skipped because they already exist on the remote system.\n\t\t(if you think this is a mistake, you may want to use -f option)\n\n`,
      );
      return 0;
    }
    if (code !== 0) return code;
    tool.err(
      `${NAME}: INFO: 1 key(s) remain to be installed -- if you are prompted now it is to install the new keys\n`,
    );
    tool.out(
      `\nNumber of key(s) added: 1\n\nNow try logging into the machine, with:   "ssh '${String(request['shown'])}'"\nand check to make sure that only the key(s) you wanted were added.\n\n`,
    );
    return 0;
  },
  fail(tool, error) {
    if (!(error instanceof ToolFailure)) throw error;
    tool.err(
      /^(?:connect to|Could not)/.test(error.message)
        ? `\n${NAME}: ERROR: ssh: ${error.message}\n\n`
        : `${error.message}\n`,
    );
    return 1;
  },
});

function begin(tool: FilterContext): SessionCall | number {
  const { sys } = tool;
  const options = parseOptions(tool, ['h', 'f', 'n', 's', 'x', 'i:', 'p:', 'o:', 't:', 'F:']);
  const [destination] = options.operands.map(textOf);
  if (destination === undefined) {
    tool.err(USAGE);
    return 1;
  }
  const home = sys.env['HOME'] ?? '/root';
  const given = options.value('i');
  const file = (
    given === undefined
      ? KEYS.map((name) => `${home}/.ssh/${name}.pub`)
      : [given.endsWith('.pub') ? given : `${given}.pub`]
  ).find((path) => sys.access(path, 'r'));
  if (file === undefined)
    throw new ToolFailure(
      given === undefined
        ? `\n${NAME}: ERROR: No identities found`
        : `\n${NAME}: ERROR: failed to open ID file '${given}': No such file`,
    );
  tool.err(
    `${NAME}: INFO: Source of key(s) to be installed: "${file}"\n${NAME}: INFO: attempting to log in with the new key(s), to filter out any that are already installed\n`,
  );
  const key = textOf(readSmallFile(sys, file)).trim().replaceAll("'", '');
  const { user, host } = readDestination(destination, undefined);
  const script = [
    `umask 077; mkdir -p .ssh; k='${key}'`,
    ...(options.has('f') ? [] : [`if grep -qsxF "$k" .ssh/authorized_keys; then exit ${KNOWN}; fi`]),
    'echo "$k" >> .ssh/authorized_keys',
  ].join('; ');
  return {
    operation: 'Ssh',
    request: { host, command: commandOf(user, [script]), shown: destination },
    ...{ stdin: false, tty: false },
  };
}
