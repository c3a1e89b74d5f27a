import { type Bytes, EXEC, errorCodeOf, type ErrorCode, SystemError, type Wait } from '../../kernel.js';
import type { Frame } from '../../state/frame.js';
import { childDescriptors, privateDescriptors } from '../processes/descriptors.js';
import { forkFailure, forkShell } from '../processes/fork.js';
import { addJob, hasJobControl } from '../processes/jobs.js';
import { findCommand } from '../lookup.js';
import type { Shell } from '../shell.js';

const MAX_SCRIPT = 4 * 1024 * 1024;

/** Runs a program in the foreground: as a child, or in place of the shell when nothing is left for that to do. */
export function runProgram(shell: Shell, argv: readonly Bytes[], text: Bytes, path?: Bytes): Wait | void {
  const name = argv[0]!;
  const file = findCommand(shell, name, path);
  if (file === undefined) {
    fail(shell, name, 'ENOENT', false);
    return;
  }
  if (canReplace(shell)) return replaceShell(shell, file, argv, false);
  const request = {
    path: file,
    argv,
    env: shell.environmentOf(file),
    descriptors: childDescriptors(shell),
    ...(hasJobControl(shell) ? { group: 0 } : {}),
  };
  try {
    const pid = shell.sys.spawn(request);
    if (hasJobControl(shell)) shell.sys.setForeground(0, pid);
    addJob(shell, [pid], text, false);
    shell.push({ type: 'wait-job', job: pid, isForeground: true });
  } catch (error) {
    if (error instanceof SystemError && error.code === 'EAGAIN') throw forkFailure(shell, error);
    const code = errorCodeOf(error);
    if (code !== 'ENOEXEC') {
      fail(shell, name, code, false);
      return;
    }
    runScriptFile(shell, file, argv, text);
  }
}

/** A file without #!: a shell runs it. */
function runScriptFile(shell: Shell, file: Bytes, argv: readonly Bytes[], text: Bytes): void {
  const content = readScript(shell, file);
  if (content === undefined) return;
  const group = hasJobControl(shell) ? 0 : null;
  const source = shell.addSource({ text: content, line: 1, name: '', kind: 'file' });
  const script: Frame = { type: 'script', source, at: 0, kind: 'main', positional: null };
  const { positional, name, mode } = shell.state;
  Object.assign(shell.state, { positional: argv.slice(1), name: file, mode: 'script' });
  const pid = forkShell(shell, [script], { group, foreground: group === 0 });
  Object.assign(shell.state, { positional, name, mode });
  addJob(shell, [pid], text, false);
  shell.push({ type: 'wait-job', job: pid, isForeground: true });
}

function readScript(shell: Shell, file: Bytes): Bytes | undefined {
  const { sys } = shell;
  try {
    const descriptor = sys.open(file, { read: true });
    const content = sys.read(descriptor, MAX_SCRIPT) ?? '';
    sys.close(descriptor);
    if (!content.slice(0, 80).split('\n')[0]!.includes('\0')) return content;
    fail(shell, file, 'ENOEXEC', false);
  } catch (error) {
    fail(shell, file, errorCodeOf(error), false);
  }
  return undefined;
}

/** Goes on as another program. `isExec`: the builtin exec, whose failure ends a shell that is not interactive. */
export function replaceShell(
  shell: Shell,
  file: Bytes,
  argv: readonly Bytes[],
  isExec: boolean,
  environment?: Record<string, Bytes>,
): Wait | void {
  const { sys } = shell;
  try {
    sys.exec(file, argv, environment ?? shell.environmentOf(file));
    for (const descriptor of privateDescriptors(shell)) sys.close(descriptor);
    return EXEC;
  } catch (error) {
    const code = errorCodeOf(error);
    if (code !== 'ENOEXEC') {
      fail(shell, argv[0]!, code, isExec);
      return;
    }
    const content = readScript(shell, file);
    if (content === undefined) return;
    const source = shell.addSource({ text: content, line: 1, name: '', kind: 'file' });
    Object.assign(shell.state, { positional: argv.slice(1), name: file, mode: 'script' });
    shell.state.frames = [{ type: 'script', source, at: 0, kind: 'main', positional: null }];
  }
}

/** The words of a shell for a command that cannot be run; the status is 127 when there is none, else 126. */
export function fail(shell: Shell, name: Bytes, code: ErrorCode, isExec: boolean): void {
  const isMissing = code === 'ENOENT';
  const words = new SystemError(code).message;
  const isPath = name.includes('/');
  const complain = (message: Bytes): void => {
    if (isExec && shell.isAsh) shell.complainOf('exec', message);
    else shell.complain(isExec && !(shell.isBash && isPath) ? `exec: ${message}` : message);
  };
  shell.state.status = isMissing || code === 'ENOTDIR' ? 127 : 126;
  if (code === 'ENOTDIR' && shell.isBash) shell.state.status = 126;
  if (shell.isBash) {
    if (isMissing && !isPath) complain(`${name}: ${isExec ? 'not found' : 'command not found'}`);
    else if (code === 'ENOEXEC') complain(`${name}: cannot execute binary file: Exec format error`);
    else if (code === 'EACCES' && isDirectory(shell, name)) complain(`${name}: Is a directory`);
    else complain(`${name}: ${words}`);
    if (isExec && !isMissing) shell.complain(`exec: ${name}: cannot execute: ${words}`);
  } else complain(`${name}: ${isMissing || code === 'ENOTDIR' ? 'not found' : words}`);
}

function isDirectory(shell: Shell, path: Bytes): boolean {
  try {
    return shell.sys.stat(path).type === 'directory';
  } catch (error) {
    errorCodeOf(error);
    return false;
  }
}

/**
 * Whether the command that runs is the last thing that a shell has to do, so that it need not stay for it: `sh -c`, a
 * subshell, a stage of a pipeline.
 */
export function canReplace(shell: Shell): boolean {
  const { state } = shell;
  if (state.mode !== 'command' && state.level === 0) return false;
  if (state.isInteractive || Object.keys(state.traps).length > 0) return false;
  if (state.jobs.some((job) => job.state === 'running') && shell.isBash) return false;
  return state.frames.every((frame) => isLast(shell, frame));
}

function isLast(shell: Shell, frame: Frame): boolean {
  switch (frame.type) {
    case 'command':
      return true;
    case 'redirected':
    case 'subshell':
      return true;
    case 'script':
      return frame.kind === 'main' && frame.at >= shell.state.sources[frame.source]!.text.trimEnd().length;
    case 'list': {
      const node = shell.nodeOf(frame);
      return node.type === 'CompoundList' && frame.index >= node.commands.length;
    }
    case 'and-or': {
      const node = shell.nodeOf(frame);
      return node.type === 'AndOr' && frame.index >= node.commands.length;
    }
    default:
      return false;
  }
}
