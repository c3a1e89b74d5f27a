import { type Bytes, errorCodeOf, type ErrorCode, SystemError, type Syscalls } from '../../kernel.js';
import type { ExpandedRedirection, FrameOf, Saved } from '../../state/frame.js';
import { ShellFailure } from '../failure.js';
import type { Shell } from '../shell.js';

/** Copies of descriptors that the shell keeps for itself begin here, out of the way of a script's own numbers. */
export const FIRST_PRIVATE = 10;
const MAX_PIPED = 4_096;

/** The lowest number from `from` on that is free. */
export function freeDescriptor(sys: Syscalls, from: number): number {
  const open = new Set(sys.descriptors());
  let descriptor = from;
  while (open.has(descriptor)) descriptor++;
  return descriptor;
}

/** Descriptors that belong to the shell: copies to be put back, the pipes of substitutions. */
export function privateDescriptors(shell: Shell): Set<number> {
  const own = new Set<number>();
  for (const frame of shell.state.frames) {
    if (frame.type === 'command' || frame.type === 'redirected') {
      for (const { copy } of frame.saved) own.add(copy);
      for (const { socket } of frame.redirections) if (socket !== undefined) own.add(socket);
      if (frame.connecting !== undefined) own.add(frame.connecting);
    }
    if (frame.type === 'substitution') own.add(frame.descriptor);
  }
  return own;
}

/** What a child gets: all that is open and not the shell's own. */
export function childDescriptors(shell: Shell): Record<number, number> {
  const own = privateDescriptors(shell);
  const descriptors = shell.sys.descriptors().filter((descriptor) => !own.has(descriptor));
  return Object.fromEntries(descriptors.map((descriptor) => [descriptor, descriptor]));
}

/**
 * Performs redirections in order. `saved` gets what is to be put back; null keeps them for good (exec). Throws
 * ShellFailure; what was done before it is in `saved`.
 */
export function redirect(shell: Shell, redirections: readonly ExpandedRedirection[], saved: Saved | null): void {
  for (const redirection of redirections) {
    if (redirection.operator === '&>' || redirection.operator === '&>>') {
      redirectBoth(shell, redirection, saved);
      continue;
    }
    if (redirection.operator === '>&' && redirection.descriptor < 0 && !/^(?:\d+-?|-)$/.test(redirection.target)) {
      if (!shell.isBash) throw new ShellFailure('Syntax error: Bad fd number', 2, 'shell');
      redirectBoth(shell, { ...redirection, operator: '&>' }, saved);
      continue;
    }
    const descriptor = targetOf(shell, redirection);
    if (descriptor < 0) continue;
    redirectOne(shell, redirection, descriptor, redirection.variable === '' ? saved : null);
  }
}

function redirectBoth(shell: Shell, redirection: ExpandedRedirection, saved: Saved | null): void {
  const operator = redirection.operator === '&>>' ? '>>' : '>';
  redirectOne(shell, { ...redirection, operator }, 1, saved);
  redirectOne(shell, { ...redirection, operator: '>&', target: '1' }, 2, saved);
}

/** The descriptor that is redirected; -1 when {name}>&- has closed one. */
function targetOf(shell: Shell, redirection: ExpandedRedirection): number {
  const { operator, descriptor, variable, target } = redirection;
  if (variable === '') return descriptor >= 0 ? descriptor : operator.startsWith('<') ? 0 : 1;
  if (target === '-' && operator.endsWith('&')) {
    const open = Number(shell.get(variable));
    if (Number.isInteger(open)) closeQuietly(shell, open);
    return -1;
  }
  const free = freeDescriptor(shell.sys, FIRST_PRIVATE);
  shell.set(variable, undefined, String(free));
  return free;
}

function redirectOne(shell: Shell, redirection: ExpandedRedirection, descriptor: number, saved: Saved | null): void {
  const { operator, target } = redirection;
  const { sys } = shell;
  if (operator === '>&' || operator === '<&') {
    duplicate(shell, target, descriptor, saved);
    return;
  }
  const opened = operator.startsWith('<<') ? openText(shell, target) : openTarget(shell, redirection);
  if (opened === descriptor) {
    saved?.push({ descriptor, copy: -1 });
    return;
  }
  keep(shell, descriptor, saved);
  try {
    duplicateTo(shell, opened, descriptor);
  } finally {
    sys.close(opened);
  }
}

function duplicate(shell: Shell, target: Bytes, descriptor: number, saved: Saved | null): void {
  const { sys } = shell;
  if (target === '-') {
    keep(shell, descriptor, saved);
    closeQuietly(shell, descriptor);
    return;
  }
  const isMoved = target.endsWith('-');
  const from = Number(isMoved ? target.slice(0, -1) : target);
  if (!Number.isInteger(from) || !sys.descriptors().includes(from) || privateDescriptors(shell).has(from)) {
    throw badDescriptor(shell, target);
  }
  if (from === descriptor) return;
  keep(shell, descriptor, saved);
  duplicateTo(shell, from, descriptor);
  if (isMoved) closeQuietly(shell, from);
}

/** Throws ShellFailure: the shell's limit of open files is below that number. */
function duplicateTo(shell: Shell, from: number, descriptor: number): void {
  try {
    shell.sys.duplicate(from, descriptor);
  } catch (error) {
    if (error instanceof SystemError && error.code === 'EBADF') throw badDescriptor(shell, String(descriptor));
    throw error;
  }
}

function badDescriptor(shell: Shell, target: Bytes): ShellFailure {
  if (shell.isBash) {
    const isNumber = /^\d+-?$/.test(target);
    return new ShellFailure(
      isNumber ? `${target}: Bad file descriptor` : `${target}: ambiguous redirect`,
      1,
      'command',
    );
  }
  if (!/^\d+$/.test(target)) return new ShellFailure('Syntax error: Bad fd number', 2, 'shell');
  return shell.isAsh
    ? new ShellFailure(`${target}: Bad file descriptor`, 1, 'command')
    : new ShellFailure(`${target}: Bad file descriptor`, 2, 'command');
}

/** Remembers what a descriptor was. */
function keep(shell: Shell, descriptor: number, saved: Saved | null): void {
  if (!saved || saved.some((entry) => entry.descriptor === descriptor)) return;
  if (!shell.sys.descriptors().includes(descriptor)) {
    saved.push({ descriptor, copy: -1 });
    return;
  }
  const copy = freeDescriptor(shell.sys, FIRST_PRIVATE);
  try {
    shell.sys.duplicate(descriptor, copy);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new ShellFailure('redirection error: cannot duplicate fd: Invalid argument', 1, 'command');
  }
  saved.push({ descriptor, copy });
}

/** A command is left before its redirections were made: its connections end. */
export function closeSockets(shell: Shell, frame: FrameOf<'command' | 'redirected'>): void {
  if (frame.connecting !== undefined) closeQuietly(shell, frame.connecting);
  for (const { socket } of frame.redirections) if (socket !== undefined) closeQuietly(shell, socket);
}

/** Puts descriptors back. */
export function restore(shell: Shell, saved: Saved): void {
  for (const { descriptor, copy } of saved.reverse()) {
    if (copy < 0) {
      closeQuietly(shell, descriptor);
      continue;
    }
    shell.sys.duplicate(copy, descriptor);
    shell.sys.close(copy);
  }
  saved.length = 0;
}

export function closeQuietly(shell: Shell, descriptor: number): void {
  try {
    shell.sys.close(descriptor);
  } catch (error) {
    errorCodeOf(error);
  }
}

/** The connection that a target has become, or the file that it names. */
function openTarget(shell: Shell, redirection: ExpandedRedirection): number {
  const { operator, target, socket, error } = redirection;
  delete redirection.socket;
  if (socket !== undefined) return socket;
  if (error === undefined) return openFile(shell, operator, target);
  shell.write(2, error.explanation);
  throw openFailure(shell, operator, target, error.code);
}

const FLAGS = {
  '<': { read: true },
  '>': { write: true, create: true, truncate: true },
  '>|': { write: true, create: true, truncate: true },
  '>>': { write: true, create: true, append: true },
  '<>': { read: true, write: true, create: true },
} as const;

function openFile(shell: Shell, operator: string, path: Bytes): number {
  const { sys } = shell;
  const copied = /^\/dev\/(?:fd\/(\d+)|(stdin|stdout|stderr))$/.exec(path);
  try {
    if (operator === '>' && shell.option('C') && isRegular(sys, path)) {
      throw new ShellFailure(
        shell.isBash
          ? `${path}: cannot overwrite existing file`
          : `${shell.isDash ? 'cannot' : "can't"} create ${path}: File exists`,
        shell.isDash ? 2 : 1,
        'command',
      );
    }
    if (copied) {
      const number = copied[1] ? Number(copied[1]) : ['stdin', 'stdout', 'stderr'].indexOf(copied[2]!);
      if (sys.descriptors().includes(number)) return sys.duplicate(number);
    }
    return sys.open(path, FLAGS[operator as keyof typeof FLAGS] ?? FLAGS['<'], 0o666);
  } catch (error) {
    if (error instanceof SystemError) throw openFailure(shell, operator, path, error.code);
    throw error;
  }
}

function isRegular(sys: Syscalls, path: Bytes): boolean {
  try {
    return sys.stat(path).type === 'file';
  } catch (error) {
    errorCodeOf(error);
    return false;
  }
}

/** The words of a shell for a file that does not open. */
function openFailure(shell: Shell, operator: string, path: Bytes, code: ErrorCode): ShellFailure {
  const message = new SystemError(code).message;
  if (shell.isBash) return new ShellFailure(`${path}: ${message}`, 1, 'command');
  const isRead = operator === '<';
  if (shell.isDash) {
    const reason = code === 'ENOENT' ? (isRead ? 'No such file' : 'Directory nonexistent') : message;
    return new ShellFailure(`cannot ${isRead ? 'open' : 'create'} ${path}: ${reason}`, 2, 'command');
  }
  const reason = code === 'ENOENT' ? (isRead ? 'no such file' : 'nonexistent directory') : message;
  return new ShellFailure(`can't ${isRead ? 'open' : 'create'} ${path}: ${reason}`, 1, 'command');
}

/** A descriptor from which a text can be read: a here-document. */
function openText(shell: Shell, text: Bytes): number {
  const { sys } = shell;
  if (text.length <= MAX_PIPED) {
    const { reader, writer } = sys.pipe();
    if (text !== '') sys.write(writer, text);
    sys.close(writer);
    return reader;
  }
  const path = `/tmp/sh-thd.${Math.floor(sys.random() * 2 ** 32)}`;
  try {
    const writer = sys.open(path, { write: true, create: true, exclusive: true }, 0o600);
    for (let at = 0; at < text.length;) at += sys.write(writer, text.slice(at));
    const reader = sys.open(path, { read: true });
    sys.close(writer);
    sys.unlink(path);
    return reader;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new ShellFailure(`cannot create temp file for here-document: ${error.message}`, 1, 'command');
  }
}
