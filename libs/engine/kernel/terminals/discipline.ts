import type { Bytes } from '../bytes.js';
import { signalGroup } from '../process/signal.js';
import { wake } from '../scheduler/queue.js';
import type { Signal } from '../signals.js';
import type { State } from '../state.js';
import { printToTerminal, terminalChannel } from './output.js';
import type { Terminal } from './terminal.js';

/** MAX_CANON: a longer line takes no more characters. */
const MAX_LINE = 4_095;
/** What may be typed ahead. */
const MAX_INPUT = 1024 * 1024;
const MAX_LINES = 1_024;

const KEY_SIGNALS: Readonly<Record<string, Signal>> = { '\x03': 'INT', '\x1c': 'QUIT', '\x1a': 'TSTP' };
/** A byte that goes on with a character of UTF-8. */
const isContinuation = (byte: Bytes): boolean => byte >= '\x80' && byte < '\xc0';

/**
 * Keys that were typed, as the line discipline N_TTY treats them. Returns how many were taken: while nobody reads, the
 * others have to wait. Models drivers/tty/n_tty.c.
 */
export function typeInto(state: State, terminal: Terminal, bytes: Bytes): number {
  if (bytes === '') return 0;
  if (terminal.mode === 'no-echo') terminal.isSecret = true;
  const taken = terminal.mode === 'raw' ? pushRaw(terminal, bytes) : typeKeys(state, terminal, bytes);
  wake(state, terminalChannel(terminal.id));
  return taken;
}

function pushRaw(terminal: Terminal, bytes: Bytes): number {
  const before = terminal.input.pop() ?? '';
  const taken = bytes.slice(0, Math.max(0, MAX_INPUT - before.length));
  terminal.input.push(before + taken);
  return taken.length;
}

function typeKeys(state: State, terminal: Terminal, bytes: Bytes): number {
  let taken = 0;
  for (const key of bytes) {
    if (terminal.input.length >= MAX_LINES) break;
    typeKey(state, terminal, key === '\r' ? '\n' : key);
    taken++;
  }
  return taken;
}

function typeKey(state: State, terminal: Terminal, key: Bytes): void {
  const signal = KEY_SIGNALS[key];
  if (signal !== undefined) return sendKeySignal(state, terminal, key, signal);
  switch (key) {
    case '\x04':
      return endLine(terminal, '');
    case '\b':
    case '\x7f':
      return erase(state, terminal, lastCharacter(terminal.line));
    case '\x15':
      return erase(state, terminal, terminal.line.length);
    case '\x17':
      return erase(state, terminal, lastWord(terminal.line));
    case '\n':
      echo(state, terminal, '\n');
      return endLine(terminal, '\n');
    default:
      if (terminal.line.length >= MAX_LINE) return echo(state, terminal, '\x07');
      terminal.line += key;
      echo(state, terminal, visible(key));
  }
}

function sendKeySignal(state: State, terminal: Terminal, key: Bytes, signal: Signal): void {
  echo(state, terminal, visible(key));
  terminal.line = '';
  terminal.input = [];
  signalGroup(state, terminal.namespace, terminal.foreground, signal);
}

function endLine(terminal: Terminal, end: Bytes): void {
  if (terminal.input.length < MAX_LINES) terminal.input.push(terminal.line + end);
  terminal.line = '';
}

function echo(state: State, terminal: Terminal, text: Bytes): void {
  if (terminal.mode === 'cooked' && !terminal.isHungUp) printToTerminal(state, terminal, text);
}

/** ECHOCTL: ^C for a control character. */
const visible = (key: Bytes): Bytes =>
  key < ' ' && key !== '\t' && key !== '\n' ? `^${String.fromCharCode(key.charCodeAt(0) + 64)}` : key;

function lastCharacter(line: Bytes): number {
  let length = Math.min(1, line.length);
  while (length < line.length && isContinuation(line[line.length - length]!)) length++;
  return length;
}

/** Bytes of the last word and the blanks after it. */
function lastWord(line: Bytes): number {
  const words = line.trimEnd();
  return line.length - 1 - Math.max(words.lastIndexOf(' '), words.lastIndexOf('\t'));
}

/** Takes so many bytes off the line, and their characters off the screen. */
function erase(state: State, terminal: Terminal, count: number): void {
  const gone = terminal.line.slice(terminal.line.length - count);
  terminal.line = terminal.line.slice(0, terminal.line.length - count);
  let columns = 0;
  for (const byte of gone) if (!isContinuation(byte)) columns += visible(byte).length;
  echo(state, terminal, '\b \b'.repeat(columns));
}
