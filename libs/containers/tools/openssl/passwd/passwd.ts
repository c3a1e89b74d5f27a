import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { md5Crypt } from '../../../servers/ingress/nginx/access/passwords.js';
import { cutLines } from '../../names.js';
import { type OpensslContext, randomBytes, readInput } from '../context.js';
import { CommandFailure, type OpensslOptions } from '../options.js';
import { shaCrypt } from './sha-crypt.js';

export const PASSWD_OPTIONS = '1 apr1 5 6 salt: stdin in: table quiet noverify reverse';
const SALT_LETTERS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MAX_LENGTH = 256;
/** Hashing one password costs a real machine about a millisecond. */
const STEPS_OF_ONE = 10_000;
const MAX_PASSWORDS = 8;

/** `openssl passwd`: hashes as /etc/shadow and htpasswd files have them. Models apps/passwd.c. */
export function runPasswd(context: OpensslContext, options: OpensslOptions): number {
  const { tool } = context;
  const given = options.has('stdin') || options.has('in') ? linesOf(context, options) : options.operands;
  if (given.length === 0 && !options.has('stdin'))
    throw new CommandFailure('passwd: a password from the terminal is not simulated here: name it, or use -stdin');
  if (given.length > MAX_PASSWORDS) throw new CommandFailure(`passwd: not more than ${MAX_PASSWORDS} passwords here`);
  for (const long of given) {
    if (long.length > MAX_LENGTH) tool.err(`Warning: truncating password to ${MAX_LENGTH} characters\n`);
    const password = long.slice(0, MAX_LENGTH);
    tool.sys.charge(STEPS_OF_ONE);
    const hash = hashOf(context, options, password);
    if (!options.has('table')) tool.out(`${hash}\n`);
    else tool.out(options.has('reverse') ? `${hash}\t${password}\n` : `${password}\t${hash}\n`);
  }
  return 0;
}

const linesOf = (context: OpensslContext, options: OpensslOptions): Bytes[] =>
  cutLines(readInput(context, options.value('in'), 'file')).map((line) => line.replace(/\n$/, ''));

function hashOf(context: OpensslContext, options: OpensslOptions, password: Bytes): string {
  const kind = (['5', '6'] as const).find((one) => options.has(one));
  const length = kind === undefined ? 8 : 16;
  const salt = (options.value('salt') ?? makeSalt(context, length)).slice(0, length);
  if (kind !== undefined) return shaCrypt(password, salt, kind);
  return md5Crypt(password, salt, options.has('apr1') ? '$apr1$' : '$1$');
}

const makeSalt = ({ tool }: OpensslContext, length: number): string =>
  Array.from(randomBytes(tool, length), (byte) => SALT_LETTERS[byte & 63]).join('');
