import type { Bytes } from '../kernel.js';
import type { SavedVariables } from '../state/frame.js';
import type { Variable } from '../state/variable.js';
import { ShellFailure } from './failure.js';
import type { Shell } from './shell.js';

/** Bytes of all variables of a shell. */
const MAX_BYTES = 32 * 1024 * 1024;

export const isName = (text: Bytes): boolean => /^[A-Za-z_]\w*$/.test(text);

export const isReadOnly = (variable: Variable): boolean => variable.flags.includes('r');

/** Variables that the shell computes. */
export function dynamicVariable(shell: Shell, name: Bytes, index: Bytes | undefined): Bytes | undefined {
  const { state, sys } = shell;
  if (name === 'LINENO' && !shell.isDash) return shell.isAsh && state.mode !== 'script' ? '' : String(state.line);
  if (name === 'PPID') return shell.variable(name)?.value;
  if (name === 'RANDOM' && !shell.isDash) return String(Math.floor(sys.random() * 32_768));
  if (!shell.isBash) return name === 'SECONDS' || name === 'EPOCHSECONDS' ? ashSeconds(shell, name) : undefined;
  switch (name) {
    case 'SECONDS':
      return String(Math.floor((sys.now - state.startedAt) / 1_000) + Number(shell.variable('SECONDS')?.value ?? 0));
    case 'EPOCHSECONDS':
      return String(Math.floor(sys.clock / 1_000));
    case 'EPOCHREALTIME':
      return `${Math.floor(sys.clock / 1_000)}.${String(Math.floor(sys.clock % 1_000) * 1_000).padStart(6, '0')}`;
    case 'SRANDOM':
      return String(Math.floor(sys.random() * 2 ** 32));
    case 'BASH_COMMAND':
      return state.command ?? '';
    case 'BASHPID':
      return String(sys.pid);
    case 'BASH_SUBSHELL':
      return String(state.level);
    case 'PIPESTATUS':
      return index === undefined
        ? String(state.pipeStatus[0] ?? 0)
        : elementOf(state.pipeStatus.map(String), shell, index);
    case 'FUNCNAME':
      return elementOf(functionNames(shell), shell, index ?? '0');
    case 'BASH_SOURCE':
      return elementOf(sourceNames(shell), shell, index ?? '0');
    case 'DIRSTACK':
      return elementOf([sys.cwd(), ...state.directories], shell, index ?? '0');
    default:
      return undefined;
  }
}

function ashSeconds(shell: Shell, name: Bytes): Bytes | undefined {
  if (!shell.isAsh || name === 'SECONDS') return undefined;
  return String(Math.floor(shell.sys.clock / 1_000));
}

const elementOf = (list: readonly Bytes[], shell: Shell, index: Bytes): Bytes | undefined =>
  list[Number(shell.evaluate(index))];

/** Arrays that the shell computes, in whole. */
export function dynamicArray(shell: Shell, name: Bytes): Bytes[] | undefined {
  if (!shell.isBash) return undefined;
  if (name === 'PIPESTATUS') return shell.state.pipeStatus.map(String);
  if (name === 'FUNCNAME') return functionNames(shell);
  if (name === 'BASH_SOURCE') return sourceNames(shell);
  if (name === 'DIRSTACK') return [shell.sys.cwd(), ...shell.state.directories];
  return undefined;
}

function functionNames(shell: Shell): Bytes[] {
  const names = shell.state.frames.flatMap((frame) => (frame.type === 'call' ? [frame.name] : [])).reverse();
  return names.length > 0 && shell.state.mode === 'script' ? [...names, 'main'] : names;
}

function sourceNames(shell: Shell): Bytes[] {
  const { frames, sources, mode, name } = shell.state;
  const names = frames.flatMap((frame) => {
    if (frame.type === 'call') return [shell.fileOf(frame.source)];
    return frame.type === 'script' && frame.kind === 'source' ? [sources[frame.source]!.name] : [];
  });
  return mode === 'script' ? [...names.reverse(), name] : names.reverse();
}

/** Assigns to a name or an element. Throws ShellFailure. */
export function assignVariable(
  shell: Shell,
  name: Bytes,
  key: Bytes | undefined,
  text: Bytes,
  isAppended: boolean,
): void {
  const before = shell.variable(name);
  if (before && isReadOnly(before)) throw readOnlyFailure(shell, name);
  const variable = before ?? { flags: initialFlags(shell) };
  const at = key ?? (variable.elements ? '0' : undefined);
  const old = (at === undefined ? variable.value : variable.elements?.[at]) ?? '';
  const value = convert(shell, variable.flags, text, isAppended ? old : undefined);
  if (at === undefined) variable.value = value;
  else {
    if (!/^\d+$/.test(at) && !variable.flags.includes('A')) {
      throw new ShellFailure(`${name}[${at}]: bad array subscript`, 1, 'line');
    }
    if (!variable.elements) {
      variable.elements = variable.value === undefined ? {} : { '0': variable.value };
      variable.flags = withFlags(variable.flags, 'a');
      delete variable.value;
    }
    variable.elements[at] = value;
  }
  grow(shell, value.length - old.length);
  // A plain object: a name such as __proto__ must not reach its prototype.
  Object.defineProperty(shell.state.variables, name, {
    value: variable,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  notice(shell, name, value);
}

/** Effects that assignments to some names have. */
function notice(shell: Shell, name: Bytes, value: Bytes): void {
  if (name === 'OPTIND') shell.state.optionAt = 0;
  if (name === 'PATH') shell.state.hashes = {};
  if (name === 'SECONDS') {
    shell.state.startedAt = shell.sys.now;
    if (!/^\d+$/.test(value)) shell.state.variables[name]!.value = '0';
  }
}

export function readOnlyFailure(shell: Shell, name: Bytes): ShellFailure {
  if (shell.isBash) return new ShellFailure(`${name}: readonly variable`, 1, 'line');
  return new ShellFailure(`${name}: is read only`, 2, 'shell');
}

function initialFlags(shell: Shell): string {
  return shell.option('a') ? 'x' : '';
}

function convert(shell: Shell, flags: string, text: Bytes, before: Bytes | undefined): Bytes {
  let value = before === undefined ? text : before + text;
  if (flags.includes('i')) {
    value = String(before === undefined ? shell.evaluate(text) : shell.evaluate(before) + shell.evaluate(text));
  }
  if (flags.includes('u')) value = value.toUpperCase();
  if (flags.includes('l')) value = value.toLowerCase();
  return value;
}

/** Counts the bytes of variables; the kernel holds the process to its memory limit. */
export function grow(shell: Shell, bytes: number): void {
  const { state } = shell;
  state.bytes += bytes;
  if (state.bytes > MAX_BYTES) {
    state.bytes -= bytes;
    throw new ShellFailure('xrealloc: cannot allocate memory', 2, 'shell');
  }
  const STEP = 256 * 1024;
  if (Math.floor(state.bytes / STEP) !== Math.floor((state.bytes - bytes) / STEP)) {
    shell.sys.setMemory(2 * 1024 * 1024 + state.bytes);
  }
}

const ORDER = 'aAilnrtux';

export const withFlags = (flags: string, added: string): string =>
  [...new Set([...flags, ...added])].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)).join('');

export const withoutFlags = (flags: string, removed: string): string =>
  [...flags].filter((flag) => !removed.includes(flag)).join('');

/** Remembers a variable, once, so that restoreVariables brings it back. */
export function saveVariable(shell: Shell, name: Bytes, saved: SavedVariables): void {
  if (Object.hasOwn(saved, name)) return;
  const variable = shell.variable(name);
  saved[name] = variable ? { ...variable, ...(variable.elements ? { elements: { ...variable.elements } } : {}) } : null;
}

export function restoreVariables(shell: Shell, saved: SavedVariables): void {
  for (const [name, variable] of Object.entries(saved)) {
    if (variable) shell.state.variables[name] = variable;
    else delete shell.state.variables[name];
    if (name === 'PATH') shell.state.hashes = {};
  }
}

/** The elements of an array in order, or a plain variable as its only one. */
export function elementsOf(shell: Shell, name: Bytes): [Bytes, Bytes][] {
  const reference = shell.resolve(name);
  const dynamic = dynamicArray(shell, reference);
  if (dynamic) return dynamic.map((value, i) => [String(i), value]);
  const variable = shell.variable(reference);
  if (variable?.elements) {
    const entries = Object.entries(variable.elements);
    shell.sys.charge(entries.length >> 1);
    return variable.flags.includes('A') ? entries.sort(([a], [b]) => bucketOf(a) - bucketOf(b)) : entries;
  }
  const value = shell.get(reference);
  return value === undefined ? [] : [['0', value]];
}

/** Where bash keeps a key of an associative array, which gives their order: FNV-1 in 1,024 buckets. */
function bucketOf(key: Bytes): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash, 16_777_619) ^ key.charCodeAt(i);
  return hash & 1_023;
}
