import type { Builtin, WaitingBuiltin } from '../../interpreter/builtin.js';
import { assignArray } from '../../interpreter/nodes/assign.js';
import { ShellFailure } from '../../interpreter/failure.js';
import type { Shell } from '../../interpreter/shell.js';
import { isName, readOnlyFailure } from '../../interpreter/variables.js';
import { type Bytes, errorCodeOf, SIGNALS, SystemError, type Wait } from '../../kernel.js';
import type { FrameOf } from '../../state/frame.js';
import { builtinFailure, parseOptions } from '../arguments.js';

const MAX_LINE = 4 * 1024 * 1024;
/** It reads byte by byte, as what is behind the line is another's. */
const BYTES_OF_A_STEP = 10_000;

interface Reading extends Record<string, unknown> {
  text: Bytes;
  /** Which characters of the text were escaped. */
  escaped: number[];
  isEscaped: boolean;
  until: number;
  count: number;
}

const read: Builtin = (shell, argv) => {
  const letters = shell.isBash ? 'ersa:d:i:n:N:p:t:u:' : shell.isDash ? 'p:r' : 'p:u:rt:n:sd:';
  const { options, operands } = parseOptions(shell, argv, letters);
  if (!shell.isBash && operands.length === 0 && shell.isDash) throw builtinFailure(shell, 'read', 'arg count', 2);
  for (const name of operands) {
    if (isName(name) || /^\w+\[.*\]$/s.test(name)) continue;
    if (shell.isBash) throw new ShellFailure(`read: \`${name}': not a valid identifier`, 1, 'command');
    throw builtinFailure(shell, 'read', `${name}: bad variable name`, 2);
  }
  const seconds = options['t'] === undefined ? undefined : Number(options['t']);
  if (seconds !== undefined && !(seconds >= 0)) {
    if (shell.isBash) throw new ShellFailure(`read: ${options['t']}: invalid timeout specification`, 1, 'command');
    throw builtinFailure(shell, 'read', 'invalid timeout', 2);
  }
  const descriptor = Number(options['u'] ?? 0);
  if (!shell.sys.descriptors().includes(descriptor)) {
    if (shell.isBash)
      throw new ShellFailure(`read: ${descriptor}: invalid file descriptor: Bad file descriptor`, 1, 'command');
    return 1;
  }
  if (options['p'] !== undefined && (!shell.isBash || shell.sys.isTerminal(descriptor))) shell.write(2, options['p']);
  if (options['s'] !== undefined && shell.sys.isTerminal(descriptor)) shell.sys.setTerminalMode(descriptor, 'no-echo');
  const data: Reading = {
    text: '',
    escaped: [],
    isEscaped: false,
    until: seconds === undefined ? -1 : shell.sys.now + seconds * 1_000,
    count: Number(options['N'] ?? options['n'] ?? -1),
  };
  shell.push({ type: 'builtin', name: 'read', argv: [...argv], data });
};

/** Reads byte by byte, so that what follows the line stays for others. */
const readLine: WaitingBuiltin = (shell, frame) => {
  const letters = shell.isBash ? 'ersa:d:i:n:N:p:t:u:' : shell.isDash ? 'p:r' : 'p:u:rt:n:sd:';
  const { options, operands } = parseOptions(shell, frame.argv, letters);
  const data = startReading(frame);
  const { sys, state } = shell;
  const descriptor = Number(options['u'] ?? 0);
  const isRaw = options['r'] !== undefined;
  const delimiter = options['N'] !== undefined ? '' : options['d'] === undefined ? '\n' : (options['d'][0] ?? '\0');
  if (state.pending.length > 0) {
    finish(shell, frame, options, operands, data, 128 + SIGNALS[state.pending[0]!]);
    return;
  }
  if (data.until >= 0 && options['t'] === '0') {
    shell.pop(sys.fstat(descriptor).type === 'file' ? 0 : 1);
    return;
  }
  for (let taken = 0; ; taken++) {
    if (data.count >= 0 && data.text.length >= data.count) break;
    if (taken >= BYTES_OF_A_STEP) return { type: 'yield' };
    let byte: Bytes | undefined;
    try {
      byte = sys.read(descriptor, 1);
    } catch (error) {
      const words = new SystemError(errorCodeOf(error)).message;
      if (shell.isBash) shell.complain(`read: read error: ${descriptor}: ${words}`);
      shell.pop(1);
      return;
    }
    sys.charge(1);
    if (byte === undefined) {
      if (data.until >= 0 && sys.now >= data.until) {
        finish(shell, frame, options, operands, data, shell.isBash ? 142 : 1);
        return;
      }
      const wait: Wait = { type: 'wait', readable: [descriptor], ...(data.until >= 0 ? { until: data.until } : {}) };
      return wait;
    }
    if (byte === '' || data.text.length > MAX_LINE) {
      finish(shell, frame, options, operands, data, 1);
      return;
    }
    if (data.isEscaped) {
      data.isEscaped = false;
      if (byte === '\n') continue;
      data.escaped.push(data.text.length);
      data.text += byte;
    } else if (byte === '\\' && !isRaw) data.isEscaped = true;
    else if (byte === delimiter) break;
    else if (byte !== '\0') data.text += byte;
  }
  finish(shell, frame, options, operands, data, 0);
};

function startReading(frame: FrameOf<'builtin'>): Reading {
  if (frame.data['text'] === undefined)
    Object.assign(frame.data, { text: '', escaped: [], isEscaped: false, until: -1, count: -1 });
  return frame.data as Reading;
}

function finish(
  shell: Shell,
  _frame: FrameOf<'builtin'>,
  options: Readonly<Record<string, Bytes>>,
  names: readonly Bytes[],
  data: Reading,
  status: number,
): void {
  const { sys } = shell;
  const descriptor = Number(options['u'] ?? 0);
  if (options['s'] !== undefined && sys.isTerminal(descriptor)) sys.setTerminalMode(descriptor, 'cooked');
  shell.pop(status);
  const ifs = shell.get('IFS') ?? ' \t\n';
  const escaped = new Set(data.escaped);
  if (options['a'] !== undefined) {
    const fields = splitFields(data.text, escaped, ifs, Infinity);
    const elements = fields.map((value) => ({ key: null, value, isAppended: false }));
    assignArray(shell, { name: options['a'], isAppended: false, index: null, value: '', elements });
    return;
  }
  if (names.length === 0) {
    shell.set('REPLY', undefined, data.text);
    return;
  }
  const fields = options['N'] !== undefined ? [data.text] : splitFields(data.text, escaped, ifs, names.length);
  names.forEach((name, i) => {
    const element = /^(\w+)\[(.*)\]$/s.exec(name);
    if (shell.variable(name)?.flags.includes('r')) throw readOnlyFailure(shell, name);
    shell.set(element ? element[1]! : name, element?.[2], fields[i] ?? '');
  });
}

/** By IFS into at most `most` fields; the last one takes the rest. */
function splitFields(text: Bytes, escaped: ReadonlySet<number>, ifs: Bytes, most: number): Bytes[] {
  const isSpace = (at: number): boolean =>
    at < text.length && !escaped.has(at) && ifs.includes(text[at]!) && ' \t\n'.includes(text[at]!);
  const isSeparator = (at: number): boolean =>
    at < text.length && !escaped.has(at) && ifs.includes(text[at]!) && !' \t\n'.includes(text[at]!);
  const fields: Bytes[] = [];
  let at = 0;
  while (isSpace(at)) at++;
  while (at < text.length) {
    const start = at;
    if (fields.length === most - 1) {
      fields.push(lastField(text, start, isSpace, isSeparator));
      return fields;
    }
    while (at < text.length && !isSpace(at) && !isSeparator(at)) at++;
    fields.push(text.slice(start, at));
    while (isSpace(at)) at++;
    if (isSeparator(at)) at++;
    while (isSpace(at)) at++;
  }
  return fields;
}

/** The rest without white space at its end, and without one separator if that is all that follows a single field. */
function lastField(
  text: Bytes,
  start: number,
  isSpace: (at: number) => boolean,
  isSeparator: (at: number) => boolean,
): Bytes {
  let end = text.length;
  while (end > start && isSpace(end - 1)) end--;
  let at = start;
  while (at < end && !isSpace(at) && !isSeparator(at)) at++;
  const fieldEnd = at;
  while (at < end && isSpace(at)) at++;
  if (at < end && isSeparator(at)) {
    at++;
    while (at < end && isSpace(at)) at++;
    if (at >= end) return text.slice(start, fieldEnd);
  }
  return text.slice(start, end);
}

const mapfile: Builtin = (shell, argv) => {
  parseOptions(shell, argv, 'd:n:O:s:tu:C:c:');
  shell.push({ type: 'builtin', name: 'mapfile', argv: [...argv], data: { parts: [] } });
};

/** Reads all, then makes the lines an array. */
const readLines: WaitingBuiltin = (shell, frame) => {
  const { options, operands } = parseOptions(shell, frame.argv, 'd:n:O:s:tu:C:c:');
  const parts = frame.data['parts'] as Bytes[];
  const descriptor = Number(options['u'] ?? 0);
  for (;;) {
    const bytes = shell.sys.read(descriptor, 65_536);
    if (bytes === undefined) return { type: 'wait', readable: [descriptor] };
    if (bytes === '') break;
    shell.sys.charge(bytes.length >> 4);
    parts.push(bytes);
  }
  const delimiter = options['d'] === undefined ? '\n' : (options['d'][0] ?? '\0');
  const pieces = parts.join('').split(delimiter);
  const rest = pieces.pop()!;
  const lines = pieces.map((piece) => (options['t'] === undefined ? piece + delimiter : piece));
  if (rest !== '') lines.push(rest);
  const skipped = lines.slice(Number(options['s'] ?? 0));
  const count = Number(options['n'] ?? 0);
  const name = operands[0] ?? 'MAPFILE';
  const origin = Number(options['O'] ?? 0);
  const taken = count > 0 ? skipped.slice(0, count) : skipped;
  const elements = taken.map((value, i) => ({ key: String(origin + i), value, isAppended: false }));
  shell.pop(0);
  assignArray(shell, { name, isAppended: options['O'] !== undefined, index: null, value: '', elements });
};

export const input: Readonly<Record<string, Builtin>> = { read };
export const bashInput: Readonly<Record<string, Builtin>> = { mapfile, readarray: mapfile };
export const waitingInput: Readonly<Record<string, WaitingBuiltin>> = { read: readLine, mapfile: readLines };
