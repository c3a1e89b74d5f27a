import type { Command } from 'unbash';
import type { Bytes } from '../kernel.js';
import type { Frame, FrameOf } from '../state/frame.js';
import { pushTrap } from './errors.js';
import type { Shell } from './shell.js';

/** Traps that a function has only when it is traced (`set -T`), or sets them itself. */
const HIDDEN_IN_FUNCTIONS = ['DEBUG', 'RETURN'] as const;
const MAX_COMMAND = 4096;

/** bash: notes the command that is about to run for $BASH_COMMAND, but not those of a trap. */
export function noteCommand(shell: Shell, text: Bytes): void {
  if (shell.isBash && !isInTrap(shell)) shell.state.command = text.slice(0, MAX_COMMAND);
}

function isInTrap(shell: Shell, signal?: string): boolean {
  if (Object.keys(shell.state.traps).length === 0) return false;
  return shell.state.frames.some((frame) => frame.type === 'trap' && (signal ?? frame.signal) === frame.signal);
}

/** Begins the DEBUG trap of a frame that is about to run a command. True: the frame runs after it. */
export function runDebugTrap(shell: Shell, frame: Frame): boolean {
  const action = shell.state.traps['DEBUG'];
  if (!action || !shell.isBash || !isTraced(frame) || isInTrap(shell, 'DEBUG')) return false;
  const texts = commandsOf(shell, frame);
  if (texts === undefined) return false;
  const done = frame.debugged ?? 0;
  const text = texts[done];
  if (text === undefined) {
    delete frame.debugged;
    return false;
  }
  frame.debugged = done + 1;
  shell.enter(frame.source, shell.nodeOf(frame).pos);
  noteCommand(shell, text);
  pushTrap(shell, 'DEBUG', action, false);
  return true;
}

/** The frames that a DEBUG trap can run before. */
const TRACED = ['command', 'test', 'arithmetic', 'case', 'for', 'select', 'arithmetic-for', 'pipeline'] as const;
type Traced = FrameOf<(typeof TRACED)[number]>;
const isTraced = (frame: Frame): frame is Traced => (TRACED as readonly string[]).includes(frame.type);

/** What the DEBUG trap sees of a frame before its next step; undefined: nothing begins there. */
function commandsOf(shell: Shell, frame: Traced): Bytes[] | undefined {
  switch (frame.type) {
    case 'command':
      return frame.phase === 'expand' && frame.words.length === 0 && frame.memo.length === 0
        ? [textOf(shell, frame)]
        : undefined;
    case 'test':
      return frame.texts.length === 0 && frame.memo.length === 0 ? [textOf(shell, frame)] : undefined;
    case 'arithmetic':
      return frame.memo.length === 0 ? [textOf(shell, frame)] : undefined;
    case 'case':
      return frame.phase === 'expand' && frame.memo.length === 0 ? [headOf(shell, frame)] : undefined;
    case 'for':
      return nextValueOf(shell, frame) ? [headOf(shell, frame)] : undefined;
    case 'select':
      return frame.phase === 'expand' && frame.memo.length === 0 ? [headOf(shell, frame)] : undefined;
    case 'arithmetic-for':
      return frame.phase === 'body' || frame.memo.length > 0 ? undefined : expressionOf(shell, frame);
    case 'pipeline':
      return frame.phase === 'run' ? stagesOf(shell, frame) : undefined;
  }
}

const textOf = (shell: Shell, frame: { source: number; node: number }): Bytes =>
  shell.textOf(frame.source, shell.nodeOf(frame));

/** `for i in a b`, `case $x in `: a compound command's first words. */
function headOf(shell: Shell, frame: FrameOf<'for' | 'select' | 'case'>): Bytes {
  const node = shell.nodeOf(frame);
  if (node.type === 'Case') return `case ${node.word.text} in `;
  if (node.type !== 'For' && node.type !== 'Select') return '';
  const words = node.wordlist?.map((word) => word.text) ?? ['"$@"'];
  return `${frame.type} ${node.name.value} in ${words.join(' ')}`;
}

/** Whether the loop goes on; its words are not known before they are expanded. */
function nextValueOf(shell: Shell, frame: FrameOf<'for'>): boolean {
  if (frame.phase === 'body') return frame.index < frame.fields.length;
  const node = shell.nodeOf(frame);
  const count = node.type === 'For' && node.wordlist ? node.wordlist.length : shell.state.positional.length;
  return frame.memo.length === 0 && frame.words.length === 0 && count > 0;
}

function expressionOf(shell: Shell, frame: FrameOf<'arithmetic-for'>): Bytes[] {
  const node = shell.nodeOf(frame);
  if (node.type !== 'ArithmeticFor' || frame.phase === 'body') return [];
  const expression = node[frame.phase];
  return [`((${expression ? shell.textOf(frame.source, expression).trim() : '1'}))`];
}

/** Simple commands between pipes run in shells of their own, but are traced here. */
function stagesOf(shell: Shell, frame: FrameOf<'pipeline'>): Bytes[] {
  const node = shell.nodeOf(frame);
  if (node.type !== 'Pipeline' || node.commands.length < 2) return [];
  const isSimple = (command: { type: string }): command is Command => command.type === 'Command';
  return node.commands.filter(isSimple).map((command) => shell.textOf(frame.source, command));
}

/** A function begins. What its frame has to put back. */
export function hideTraps(shell: Shell): Pick<FrameOf<'call'>, 'hidden'> {
  const { traps } = shell.state;
  if (!shell.isBash || shell.option('T')) return {};
  const hidden: Record<string, Bytes> = {};
  for (const name of HIDDEN_IN_FUNCTIONS) {
    if (traps[name] === undefined) continue;
    hidden[name] = traps[name];
    delete traps[name];
  }
  return Object.keys(hidden).length > 0 ? { hidden } : {};
}

/** A function has ended: what it has not set itself holds again. */
export function showTraps(shell: Shell, frame: FrameOf<'call'>): void {
  for (const [name, action] of Object.entries(frame.hidden ?? {})) shell.state.traps[name] ??= action;
}

/** Begins the RETURN trap of a function or a sourced script. True: the frame ends after it. */
export function runReturnTrap(shell: Shell, frame: FrameOf<'call'> | FrameOf<'script'>): boolean {
  const action = shell.state.traps['RETURN'];
  if (!action || frame.hasReturned || (frame.type === 'script' && frame.kind !== 'source')) return false;
  if (isInTrap(shell, 'RETURN')) return false;
  frame.hasReturned = true;
  pushTrap(shell, 'RETURN', action, false);
  return true;
}
