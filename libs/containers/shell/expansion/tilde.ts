import { type Bytes, errorCodeOf } from '../kernel.js';
import type { Shell } from '../interpreter/shell.js';

const MAX_PASSWD = 64 * 1024;

/** The directory that ~, ~+, ~- or ~user stands for. */
export function expandTilde(shell: Shell, prefix: Bytes): Bytes | undefined {
  if (prefix === '~') return shell.get('HOME') ?? homeOf(shell, String(shell.sys.user), 2);
  if (prefix === '~+') return shell.isBash ? shell.get('PWD') : undefined;
  if (prefix === '~-') return shell.isBash ? shell.get('OLDPWD') : undefined;
  return /^~[\w.-]+$/.test(prefix) ? homeOf(shell, prefix.slice(1), 0) : undefined;
}

function homeOf(shell: Shell, key: Bytes, column: number): Bytes | undefined {
  return userEntry(shell, key, column)?.[5];
}

/** The fields of a line of /etc/passwd. */
export function userEntry(shell: Shell, key: Bytes, column: number): Bytes[] | undefined {
  const { sys } = shell;
  try {
    const descriptor = sys.open('/etc/passwd', { read: true });
    const text = sys.read(descriptor, MAX_PASSWD) ?? '';
    sys.close(descriptor);
    return text
      .split('\n')
      .map((line) => line.split(':'))
      .find((fields) => fields[column] === key);
  } catch (error) {
    errorCodeOf(error);
    return undefined;
  }
}
