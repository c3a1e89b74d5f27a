import type { Bytes } from '../bytes.js';
import { SystemError } from '../errno.js';
import type { FileNode } from '../files/file.js';
import { EXECUTE, requirePermission } from '../files/permissions.js';
import { resolveExisting, type Viewer } from '../files/resolve.js';
import type { Programs } from './program.js';

/** What an executable file turns out to be. */
export interface Execution {
  readonly program: string;
  readonly argv: Bytes[];
  readonly name: Bytes;
  readonly executable: Bytes;
  /** Of a set-user-ID file: its owner. */
  readonly user?: number;
  /** Of a set-group-ID file: its group. */
  readonly groupId?: number;
}

const SET_USER_ID = 0o4000;
const SET_GROUP_ID = 0o2000;

/** BINPRM_BUF_SIZE: a longer first line is cut. */
const MAX_INTERPRETER_LINE = 255;
const MAX_INTERPRETERS = 5;
const MAX_ARGUMENTS_BYTES = 2 * 1024 * 1024;

/** A binary that was written while the machine ran: names of Programs follow, of which the first known one counts. */
export const BINARY_MAGIC = '\x7fELF\x02\x01\x01';

/**
 * Finds the program behind an executable file; a script's is its interpreter's. `noNewPrivileges`: set-user-ID files
 * are like any other (PR_SET_NO_NEW_PRIVS). Throws ENOENT, EACCES, ENOEXEC, ELOOP, E2BIG. Models fs/exec.c and
 * fs/binfmt_script.c.
 */
export function findExecution(
  programs: Programs,
  viewer: Viewer,
  path: Bytes,
  argv: readonly Bytes[],
  env: Readonly<Record<string, Bytes>>,
  noNewPrivileges = false,
): Execution {
  let size = 0;
  for (const argument of argv) size += argument.length + 1;
  for (const name of Object.keys(env)) size += name.length + env[name]!.length + 2;
  if (size > MAX_ARGUMENTS_BYTES) throw new SystemError('E2BIG');
  const name = path.slice(path.lastIndexOf('/') + 1).slice(0, 15);
  const { node, ...execution } = interpret(programs, viewer, path, [...argv], name, 0);
  return noNewPrivileges ? execution : { ...execution, ...identityOf(node) };
}

function identityOf({ mode, user, group }: FileNode): Pick<Execution, 'user' | 'groupId'> {
  return { ...(mode & SET_USER_ID ? { user } : {}), ...(mode & SET_GROUP_ID ? { groupId: group } : {}) };
}

function interpret(
  programs: Programs,
  viewer: Viewer,
  path: Bytes,
  argv: Bytes[],
  name: Bytes,
  depth: number,
): Execution & { readonly node: FileNode } {
  if (depth > MAX_INTERPRETERS) throw new SystemError('ELOOP');
  const place = resolveExisting(viewer, path);
  if (place.node.type !== 'file') throw new SystemError('EACCES');
  requirePermission(place.node, viewer.credentials, EXECUTE);
  if (place.mount.options.includes('noexec')) throw new SystemError('EACCES');
  const { content = '' } = place.node;
  const program = place.node.program ?? binaryOf(programs, content);
  if (program !== undefined && programs.find(program) !== undefined) {
    return { program, argv, name, executable: place.path, node: place.node };
  }
  if (!content.startsWith('#!')) throw new SystemError('ENOEXEC');
  // A carriage return, which Windows leaves there, is part of the name.
  const line = trimBlanks(content.slice(2, MAX_INTERPRETER_LINE).split('\n', 1)[0]!);
  const end = line.search(/[ \t]/);
  const interpreter = end < 0 ? line : line.slice(0, end);
  const argument = end < 0 ? '' : trimBlanks(line.slice(end));
  if (interpreter === '') throw new SystemError('ENOEXEC');
  const options = argument === '' ? [] : [argument];
  return interpret(programs, viewer, interpreter, [interpreter, ...options, path, ...argv.slice(1)], name, depth + 1);
}

/** Blanks alone: `trim` takes a carriage return, too. */
function trimBlanks(text: Bytes): Bytes {
  const isBlank = (at: number): boolean => text[at] === ' ' || text[at] === '\t';
  let [from, to] = [0, text.length];
  while (from < to && isBlank(from)) from++;
  while (to > from && isBlank(to - 1)) to--;
  return text.slice(from, to);
}

function binaryOf(programs: Programs, content: Bytes): string | undefined {
  if (!content.startsWith(BINARY_MAGIC)) return undefined;
  const names = content.slice(BINARY_MAGIC.length, MAX_INTERPRETER_LINE).split(' ');
  return names.find((name) => programs.find(name) !== undefined);
}
