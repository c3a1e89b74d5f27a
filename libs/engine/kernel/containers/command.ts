import type { Bytes } from '../bytes.js';
import { StartFailure } from '../container.js';
import type { Container } from '../container-state.js';
import { ERRORS, SystemError, type ErrorCode } from '../errno.js';
import type { FileNode } from '../files/file.js';
import { EXECUTE, isPermitted, type Credentials } from '../files/permissions.js';
import { resolveExisting, type Viewer } from '../files/resolve.js';
import { findExecution, type Execution } from '../process/execute.js';
import type { State } from '../state.js';

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface Identity {
  readonly user: number;
  readonly group: number;
  readonly groups: readonly number[];
}

/**
 * Finds a container's command as runc does, with Go's exec.LookPath and then execve. Throws StartFailure with runc's
 * words.
 */
export function findCommand(
  state: State,
  container: Container,
  identity: Identity,
  cwd: Bytes,
  argv: readonly Bytes[],
  env: Readonly<Record<string, Bytes>>,
): Execution {
  const viewer = makeViewer(state, container, identity, cwd);
  requireDirectory(viewer, cwd);
  const command = argv[0] ?? '';
  const path = command.includes('/') ? command : searchPath(viewer, command, env.PATH ?? DEFAULT_PATH);
  if (path === command) requireExecutable(viewer, command);
  try {
    return findExecution(state.programs, viewer, path, argv, env, container.noNewPrivileges);
  } catch (error) {
    if (error instanceof SystemError) throw new StartFailure(`exec ${path}: ${goMessage(error.code)}`);
    throw error;
  }
}

function makeViewer(state: State, container: Container, identity: Identity, cwd: Bytes): Viewer {
  const capabilities = identity.user === 0 ? container.capabilities : [];
  const credentials: Credentials = { ...identity, capabilities };
  return { mounts: state.mounts.get(container.id)!, cwd, credentials };
}

/** Go's syscall.Errno prints strerror's words in lower case. */
const goMessage = (code: ErrorCode): string => ERRORS[code].toLowerCase();

function requireDirectory(viewer: Viewer, cwd: Bytes): void {
  const code = failureOf(() => resolveExisting(viewer, cwd).node.type === 'directory' || 'ENOTDIR');
  if (code === undefined) return;
  throw new StartFailure(`chdir to cwd ("${cwd}") set in config.json failed: ${goMessage(code)}`);
}

function failureOf(look: () => true | ErrorCode): ErrorCode | undefined {
  try {
    const found = look();
    return found === true ? undefined : found;
  } catch (error) {
    if (error instanceof SystemError) return error.code;
    throw error;
  }
}

function searchPath(viewer: Viewer, command: Bytes, path: Bytes): Bytes {
  for (const directory of command === '' ? [] : path.split(':')) {
    const candidate = `${directory === '' ? '.' : directory}/${command}`;
    if (failureOf(() => executableOrCode(viewer, candidate)) === undefined) return candidate;
  }
  throw new StartFailure(`exec: "${command}": executable file not found in $PATH`);
}

function requireExecutable(viewer: Viewer, command: Bytes): void {
  const code = failureOf(() => executableOrCode(viewer, command));
  if (code === undefined) return;
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
  throw new StartFailure(`exec: "${command}": ${isMissing ? `stat ${command}: ` : ''}${goMessage(code)}`);
}

function executableOrCode(viewer: Viewer, path: Bytes): true | ErrorCode {
  const { node } = resolveExisting(viewer, path);
  if (node.type === 'directory') return 'EISDIR';
  return isExecutable(node, viewer.credentials) || 'EACCES';
}

const isExecutable = (node: FileNode, credentials: Credentials): boolean => isPermitted(node, credentials, EXECUTE);

/** The environment that a process starts with: HOME stands last where nobody has given it. Models runc prepareEnv. */
export const withHome = (
  state: State,
  container: Container,
  user: number,
  env: Readonly<Record<string, Bytes>>,
): Record<string, Bytes> => (env.HOME ? { ...env } : { ...env, HOME: homeOf(state, container, user) });

/** The home directory that /etc/passwd gives a user. */
function homeOf(state: State, container: Container, user: number): Bytes {
  const viewer = makeViewer(state, container, { user: 0, group: 0, groups: [] }, '/');
  let content: Bytes;
  try {
    content = resolveExisting(viewer, '/etc/passwd').node.content ?? '';
  } catch (error) {
    if (error instanceof SystemError) return '/';
    throw error;
  }
  const entry = content.split('\n').find((line) => line.split(':')[2] === String(user));
  return entry?.split(':')[5] ?? (user === 0 ? '/root' : '/');
}
