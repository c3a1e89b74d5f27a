import type { ParameterExpansionPart, ParameterOperation, SimpleExpansionPart, Word } from 'unbash';
import type { Bytes } from '../kernel.js';
import { ShellFailure } from '../interpreter/failure.js';
import type { Shell } from '../interpreter/shell.js';
import { elementsOf, isName } from '../interpreter/variables.js';
import { decodeAnsi } from './escapes.js';
import type { Expansion, Mode } from './expansion.js';
import type { Fields } from './fields.js';
import { readParameter } from './special.js';
import { changeCase, removePattern, replacePattern } from './substitute.js';
import { transform, transformArray } from './transform.js';

/** What a parameter has: one text, or a list ($@, ${a[@]}; with * it is joined within quotes). */
interface Value {
  readonly text?: Bytes;
  readonly list?: readonly Bytes[];
  readonly isStar?: boolean;
}

export function expandSimple(expansion: Expansion, part: SimpleExpansionPart, fields: Fields, mode: Mode): void {
  const name = part.text.slice(1);
  const value = readValue(expansion, name, undefined);
  if (isUnset(value)) failIfUnbound(expansion, name);
  addValue(expansion, value, fields, mode);
}

export function expandParameter(expansion: Expansion, part: ParameterExpansionPart, fields: Fields, mode: Mode): void {
  const { shell } = expansion;
  const { operation, prefix } = part;
  let { parameter, index } = part;
  if (!isSupported(expansion, part)) throw badSubstitution(expansion, part.text);
  if (prefix === '!') {
    const listed = listNames(expansion, part);
    if (listed) {
      addValue(expansion, listed, fields, mode);
      return;
    }
    if (!shell.variable(parameter)?.flags.includes('n')) {
      const target = readValue(expansion, parameter, index).text;
      if (target === undefined || target === '') {
        throw new ShellFailure(`${parameter}: invalid indirect expansion`, 1, 'line');
      }
      const element = /^(\w+)\[(.*)\]$/s.exec(target);
      if (!element && !isName(target) && !/^(?:\d+|[@*#?$!-])$/.test(target)) {
        throw new ShellFailure(`${target}: invalid variable name`, 1, 'line');
      }
      parameter = element ? element[1]! : target;
      index = element ? wordOf(element[2]!) : undefined;
    }
  }
  const value = readValue(expansion, parameter, index);
  if (prefix === '#') {
    addLength(expansion, parameter, value, fields, mode);
    return;
  }
  const shown = index ? `${parameter}[${index.text}]` : parameter;
  if (isUnset(value) && !isDefault(operation)) failIfUnbound(expansion, shown);
  if (!operation) addValue(expansion, value, fields, mode);
  else if (isDefault(operation)) applyDefault(expansion, parameter, index, operation, value, fields, mode);
  else
    addValue(expansion, applyOperation(expansion, parameter, index, operation, value, part.text, mode), fields, mode);
}

const wordOf = (text: Bytes): Word => ({ type: 'Word', text, value: text, pos: 0, end: text.length });

const isUnset = (value: Value): boolean => value.text === undefined && value.list === undefined;

type DefaultOperation = Extract<ParameterOperation, { type: 'Default' }>;

const isDefault = (operation: ParameterOperation | undefined): operation is DefaultOperation =>
  operation?.type === 'Default';

/** What bash can do and the other shells cannot. */
function isSupported(expansion: Expansion, part: ParameterExpansionPart): boolean {
  const { shell } = expansion;
  const { operation } = part;
  if (part.parameter === '' || operation?.type === 'Unknown') return false;
  if (shell.isBash) return true;
  if (part.index || part.prefix === '!') return false;
  if (!operation || operation.type === 'Default' || operation.type === 'Remove') return true;
  return shell.isAsh && (operation.type === 'Slice' || operation.type === 'Replace');
}

function badSubstitution(expansion: Expansion, text: Bytes): ShellFailure {
  const { shell } = expansion;
  if (shell.isBash) return new ShellFailure(`${text}: bad substitution`, 1, 'line');
  return new ShellFailure(shell.isAsh ? 'syntax error: bad substitution' : 'Bad substitution', 2, 'shell');
}

function failIfUnbound(expansion: Expansion, name: Bytes): void {
  const { shell } = expansion;
  if (!shell.option('u') || /^[@*](?:\[|$)/.test(name)) return;
  const shown = /^\d+$/.test(name) ? `$${name}` : name;
  if (shell.isBash) throw new ShellFailure(`${shown}: unbound variable`, fatalStatus(shell), 'shell');
  throw new ShellFailure(`${name}: parameter not set`, 2, 'shell');
}

/** With which status bash ends for a parameter that is not set. */
const fatalStatus = (shell: Shell): number => (shell.state.mode === 'command' && !shell.option('e') ? 127 : 1);

function readValue(expansion: Expansion, name: Bytes, index: Word | undefined): Value {
  const { shell } = expansion;
  if (name === '@' || name === '*') {
    return { list: expansion.effect(() => [...shell.state.positional]), isStar: name === '*' };
  }
  if (index && (index.text === '@' || index.text === '*')) {
    const list = expansion.effect(() => elementsOf(shell, name).map(([, value]) => value));
    return { list, isStar: index.text === '*' };
  }
  const key = index && expansion.operandText(index, false);
  const text = expansion.effect(() => readParameter(shell, name, key) ?? null);
  return { text: text ?? undefined };
}

/** ${!prefix*} and ${!array[@]}. */
function listNames(expansion: Expansion, part: ParameterExpansionPart): Value | undefined {
  const { shell } = expansion;
  if (part.operation?.type === 'Names') {
    const list = expansion.effect(() =>
      Object.keys(shell.state.variables)
        .filter((name) => name.startsWith(part.parameter))
        .sort(),
    );
    return { list, isStar: part.operation.operator === '*' };
  }
  if (!part.operation && part.index && (part.index.text === '@' || part.index.text === '*')) {
    const list = expansion.effect(() => elementsOf(shell, part.parameter).map(([key]) => key));
    return { list, isStar: part.index.text === '*' };
  }
  return undefined;
}

function addLength(expansion: Expansion, name: Bytes, value: Value, fields: Fields, mode: Mode): void {
  if (isUnset(value)) failIfUnbound(expansion, name);
  const length = value.list ? value.list.length : (value.text ?? '').length;
  expansion.addResult(String(length), fields, mode);
}

function addValue(expansion: Expansion, value: Value, fields: Fields, mode: Mode): void {
  const { list } = value;
  if (!list) {
    expansion.addResult(value.text ?? '', fields, mode);
    return;
  }
  const { shell } = expansion;
  if (value.isStar ? mode.quoted || !fields.splits : !shell.isBash && !fields.splits) {
    const ifs = expansion.effect(() => shell.get('IFS') ?? ' \t\n');
    expansion.addResult(list.join(ifs[0] ?? ''), fields, mode);
    return;
  }
  list.forEach((text, i) => {
    if (i > 0) fields.nextField();
    expansion.addResult(text, fields, mode);
  });
}

function applyDefault(
  expansion: Expansion,
  name: Bytes,
  index: Word | undefined,
  operation: DefaultOperation,
  value: Value,
  fields: Fields,
  mode: Mode,
): void {
  const { shell } = expansion;
  const { operator, operand } = operation;
  const isMissing = value.list
    ? value.list.length === 0 || (operator.startsWith(':') && value.list.join('') === '' && value.list.length < 2)
    : value.text === undefined || (operator.startsWith(':') && value.text === '');
  const inner: Mode = { quoted: mode.quoted, operand: true };
  switch (operator.at(-1)) {
    case '+':
      if (!isMissing) expansion.addWord(operand, fields, inner);
      else if (mode.quoted && !value.list) fields.addQuoted('');
      return;
    case '-':
      if (!isMissing) addValue(expansion, value, fields, mode);
      else if (mode.quoted && operand.text === '') fields.addQuoted('');
      else expansion.addWord(operand, fields, inner);
      return;
    case '=': {
      if (!isMissing) {
        addValue(expansion, value, fields, mode);
        return;
      }
      const text = expansion.operandText(operand, mode.quoted);
      const key = index && expansion.operandText(index, false);
      if (!isName(name)) throw new ShellFailure(`$${name}: cannot assign in this way`, 1, 'line');
      expansion.effect(() => (shell.set(name, key, text), null));
      expansion.addResult(text, fields, mode);
      return;
    }
    default:
      if (!isMissing) addValue(expansion, value, fields, mode);
      else throw missingFailure(expansion, name, operator, expansion.operandText(operand, false));
  }
}

function missingFailure(expansion: Expansion, name: Bytes, operator: string, message: Bytes): ShellFailure {
  const { shell } = expansion;
  const isNull = operator.startsWith(':');
  if (shell.isBash) {
    const text = message || (isNull ? 'parameter null or not set' : 'parameter not set');
    return new ShellFailure(`${name}: ${text}`, fatalStatus(shell), 'shell');
  }
  return new ShellFailure(`${name}: ${message || `parameter not set${isNull ? ' or null' : ''}`}`, 2, 'shell');
}

function applyOperation(
  expansion: Expansion,
  name: Bytes,
  index: Word | undefined,
  operation: Exclude<ParameterOperation, DefaultOperation>,
  value: Value,
  source: Bytes,
  mode: Mode,
): Value {
  const map = (change: (text: Bytes) => Bytes): Value =>
    value.list
      ? { ...value, list: value.list.map(change) }
      : { text: value.text === undefined ? undefined : change(value.text) };
  const { shell } = expansion;
  const options = {
    isExtended: shell.isBash && shell.shopt('extglob'),
    charge: (steps: number) => shell.sys.charge(steps),
  };
  switch (operation.type) {
    case 'Remove': {
      const pattern = expansion.pattern(operation.operand);
      return map((text) => removePattern(text, pattern, operation.operator, options));
    }
    case 'Replace': {
      const pattern = expansion.pattern(operation.pattern);
      const replacement = expansion.operandText(operation.replacement, false);
      return map((text) => replacePattern(text, pattern, replacement, operation.operator, options));
    }
    case 'CaseModification': {
      const pattern = operation.operand ? expansion.pattern(operation.operand) : '?';
      return map((text) => changeCase(text, pattern, operation.operator, options));
    }
    case 'Transform': {
      const letter = operation.operand.text;
      if (!/^[UuLQEPAKak]$/.test(letter)) throw badSubstitution(expansion, source);
      if (letter === 'P') return map((text) => text);
      if (letter === 'E') return map(decodeAnsi);
      if (letter === 'a') return { text: shell.variable(name)?.flags ?? '' };
      if (value.list && /[AKk]/.test(letter)) return transformArray(shell, name, letter);
      return map((text) => transform(shell, name, letter, text));
    }
    case 'Slice':
      return slice(expansion, name, index, operation, value, mode);
    default:
      throw badSubstitution(expansion, source);
  }
}

function slice(
  expansion: Expansion,
  name: Bytes,
  index: Word | undefined,
  operation: Extract<ParameterOperation, { type: 'Slice' }>,
  value: Value,
  _mode: Mode,
): Value {
  const offset = Number(expansion.arithmetic(operation.offset.text || '0'));
  const length = operation.length && Number(expansion.arithmetic(operation.length.text || '0'));
  if (value.list) {
    const isPositional = name === '@' || name === '*';
    const list = isPositional ? [expansion.shell.state.name, ...value.list] : value.list;
    const from = offset < 0 ? list.length + offset : offset;
    if (from < 0) return { ...value, list: [] };
    if (length !== undefined && length < 0) {
      throw new ShellFailure(`${operation.length!.text}: substring expression < 0`, 1, 'line');
    }
    const start = isPositional ? from : startOf(expansion, name, from, list.length);
    return { ...value, list: list.slice(start, length === undefined ? undefined : start + length) };
  }
  if (value.text === undefined) return value;
  const from = offset < 0 ? value.text.length + offset : offset;
  if (from < 0 || from > value.text.length) return { text: '' };
  const end = length === undefined ? value.text.length : length < 0 ? value.text.length + length : from + length;
  if (end < from) throw new ShellFailure(`${operation.length!.text}: substring expression < 0`, 1, 'line');
  return { text: value.text.slice(from, end) };
}

/** Offsets into a sparse array count by index. */
function startOf(expansion: Expansion, name: Bytes, from: number, length: number): number {
  const { shell } = expansion;
  if (shell.variable(name)?.flags.includes('A')) return Math.max(0, from - 1);
  const keys = elementsOf(shell, name).map(([key]) => Number(key));
  const at = keys.findIndex((key) => key >= from);
  return at < 0 ? length : at;
}
