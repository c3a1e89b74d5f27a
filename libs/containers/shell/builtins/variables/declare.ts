import type { Builtin, BuiltinContext } from '../../interpreter/builtin.js';
import { assign, assignArray } from '../../interpreter/nodes/assign.js';
import { ShellFailure } from '../../interpreter/failure.js';
import type { Shell } from '../../interpreter/shell.js';
import {
  elementsOf,
  isName,
  isReadOnly,
  readOnlyFailure,
  saveVariable,
  withFlags,
  withoutFlags,
} from '../../interpreter/variables.js';
import { quoteAnsi, quoteDash, quoteDouble, quoteSingle } from '../../expansion/quote.js';
import type { Bytes } from '../../kernel.js';
import type { ExpandedAssignment } from '../../state/frame.js';
import type { Variable } from '../../state/variable.js';
import { builtinFailure, parseOptions } from '../arguments.js';

const ATTRIBUTES = 'aAilnrtux';

/** One operand of declare, export, local or readonly. */
interface Operand {
  readonly name: Bytes;
  readonly assignment: ExpandedAssignment | undefined;
}

/** Reads name, name=value, name+=value and name=(...). Throws ShellFailure. */
function readOperand(shell: Shell, builtin: Bytes, word: Bytes, known: ExpandedAssignment | undefined): Operand {
  if (known) return { name: known.name, assignment: known };
  const equals = word.indexOf('=');
  const target = equals < 0 ? word : word.slice(0, equals);
  const isAppended = equals > 0 && target.endsWith('+');
  const plain = isAppended ? target.slice(0, -1) : target;
  const bracket = plain.indexOf('[');
  const isElement = equals >= 0 && bracket > 0 && plain.endsWith(']');
  const name = isElement ? plain.slice(0, bracket) : plain;
  if (!isName(name)) throw badName(shell, builtin, word);
  if (equals < 0) return { name, assignment: undefined };
  const index = isElement ? plain.slice(bracket + 1, -1) : null;
  return { name, assignment: { name, index, isAppended, value: word.slice(equals + 1), elements: null } };
}

function badName(shell: Shell, builtin: Bytes, word: Bytes): ShellFailure {
  if (shell.isBash) return new ShellFailure(`${builtin}: \`${word}': not a valid identifier`, 1, 'command');
  const failure = builtinFailure(shell, builtin, `${word.split('=')[0]}: bad variable name`, 2);
  return new ShellFailure(failure.message, 2, 'shell');
}

/** Applies attributes and a value to each operand. */
function declareAll(
  shell: Shell,
  builtin: Bytes,
  operands: readonly { readonly word: Bytes; readonly known: ExpandedAssignment | undefined }[],
  change: { readonly add: string; readonly remove: string },
  prepare: (name: Bytes) => void,
): number {
  let status = 0;
  for (const { word, known } of operands) {
    try {
      declareOne(shell, readOperand(shell, builtin, word, known), change, prepare);
    } catch (error) {
      if (!(error instanceof ShellFailure) || !shell.isBash) throw error;
      shell.complain(
        error.message.startsWith(`${builtin}: `)
          ? error.message
          : `${builtin === 'export' || builtin === 'readonly' ? '' : `${builtin}: `}${error.message}`,
      );
      status = 1;
    }
  }
  return status;
}

function declareOne(
  shell: Shell,
  operand: Operand,
  change: { add: string; remove: string },
  prepare: (name: Bytes) => void,
): void {
  const { name, assignment } = operand;
  prepare(name);
  const before = shell.variable(name);
  if (before && isReadOnly(before) && assignment) throw readOnlyFailure(shell, name);
  const lasting = change.add.replace('r', '');
  const wasUnset = !before;
  if (lasting !== '' || change.remove !== '' || wasUnset) {
    const variable: Variable = before ?? { flags: '' };
    variable.flags = withFlags(withoutFlags(variable.flags, change.remove), lasting);
    if (/[aA]/.test(lasting) && !variable.elements) {
      variable.elements = variable.value === undefined ? {} : { '0': variable.value };
      delete variable.value;
    }
    shell.state.variables[name] = variable;
  }
  if (assignment?.elements) assignArray(shell, assignment);
  else if (assignment) assign(shell, assignment);
  if (change.add.includes('r')) {
    const variable = shell.state.variables[name] ?? { flags: '' };
    variable.flags = withFlags(variable.flags, 'r');
    shell.state.variables[name] = variable;
  }
}

/** Operands from `first` on, with what the assignments among them hold. */
const operandsFrom = (
  argv: readonly Bytes[],
  first: number,
  context: BuiltinContext,
): { word: Bytes; known: ExpandedAssignment | undefined }[] =>
  argv.slice(first).map((word, i) => ({ word, known: context.assignments[first + i] }));

/** The attributes that options of - and + give, and the place of the first operand. */
function readAttributes(
  shell: Shell,
  argv: readonly Bytes[],
  letters: string,
): { add: string; remove: string; others: string; first: number } {
  const read = { add: '', remove: '', others: '', first: 1 };
  for (; read.first < argv.length; read.first++) {
    const word = argv[read.first]!;
    if (word === '--') {
      read.first++;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    for (const letter of word.slice(1)) {
      if (!letters.includes(letter)) parseOptions(shell, [argv[0]!, `-${letter}`], '');
      if (!ATTRIBUTES.includes(letter)) read.others += letter;
      else if (word.startsWith('-')) read.add += letter;
      else read.remove += letter;
    }
  }
  return read;
}

/** The frame of the function that runs: local variables are put back when it ends. */
function functionFrame(shell: Shell): { saved: Record<string, Variable | null> } | undefined {
  for (let i = shell.state.frames.length - 1; i >= 0; i--) {
    const frame = shell.state.frames[i]!;
    if (frame.type === 'call') return frame;
  }
  return undefined;
}

function localFailure(shell: Shell, name: Bytes): ShellFailure {
  const failure = readOnlyFailure(shell, name);
  if (shell.isBash) return failure;
  return new ShellFailure(builtinFailure(shell, 'local', failure.message, 2).message, 2, 'shell');
}

function makeLocal(shell: Shell, name: Bytes): void {
  const frame = functionFrame(shell);
  if (!frame || Object.hasOwn(frame.saved, name)) return;
  const before = shell.variable(name);
  if (before && isReadOnly(before)) throw localFailure(shell, name);
  const exported = before?.flags.includes('x') ? 'x' : '';
  saveVariable(shell, name, frame.saved);
  if (shell.isBash) shell.state.variables[name] = { flags: exported };
}

const declare: Builtin = (shell, argv, context) => {
  const { add, remove, others, first } = readAttributes(shell, argv, ATTRIBUTES + 'fFgIp');
  const operands = operandsFrom(argv, first, context);
  const ofFunctions = others.includes('f') || others.includes('F');
  if (ofFunctions && operands.length > 0 && /[rx]/.test(add + remove)) {
    return markFunctions(
      shell,
      argv[0]!,
      operands.map(({ word }) => word),
      { add, remove },
    );
  }
  if (ofFunctions)
    return listFunctions(
      shell,
      operands.map(({ word }) => word),
      others.includes('F'),
    );
  if (others.includes('p') || operands.length === 0)
    return printVariables(
      shell,
      operands.map(({ word }) => word),
      add,
      argv[0]!,
    );
  const isLocal = functionFrame(shell) !== undefined && !others.includes('g');
  return declareAll(shell, argv[0]!, operands, { add, remove }, (name) => isLocal && makeLocal(shell, name));
};

const local: Builtin = (shell, argv, context) => {
  if (!functionFrame(shell)) {
    if (!shell.isBash)
      throw new ShellFailure(builtinFailure(shell, 'local', 'not in a function', 2).message, 2, 'shell');
    shell.complain('local: can only be used in a function');
    return 1;
  }
  const { add, remove, first } = shell.isBash
    ? readAttributes(shell, argv, ATTRIBUTES + 'Ip')
    : { add: '', remove: '', first: 1 };
  return declareAll(shell, 'local', operandsFrom(argv, first, context), { add, remove }, (name) =>
    makeLocal(shell, name),
  );
};

const exportNames: Builtin = (shell, argv, context) => {
  const { options, operands } = parseOptions(shell, argv, shell.isBash ? 'fnp' : 'p');
  if (options['f'] !== undefined) {
    if (operands.length === 0) return listMarkedFunctions(shell, 'x');
    const change = options['n'] === undefined ? { add: 'x', remove: '' } : { add: '', remove: 'x' };
    return markFunctions(shell, 'export', operands, change);
  }
  if (options['p'] !== undefined || operands.length === 0) return listMarked(shell, 'export', 'x');
  const change = options['n'] === undefined ? { add: 'x', remove: '' } : { add: '', remove: 'x' };
  return declareAll(
    shell,
    'export',
    operandsFrom(argv, argv.length - operands.length, context),
    change,
    () => undefined,
  );
};

const readOnly: Builtin = (shell, argv, context) => {
  const { options, operands } = parseOptions(shell, argv, shell.isBash ? 'aAfp' : 'p');
  if (options['f'] !== undefined) {
    if (operands.length === 0) return listMarkedFunctions(shell, 'r');
    return markFunctions(shell, 'readonly', operands, { add: 'r', remove: '' });
  }
  if (options['p'] !== undefined || operands.length === 0) return listMarked(shell, 'readonly', 'r');
  const add = `r${options['a'] === undefined ? '' : 'a'}${options['A'] === undefined ? '' : 'A'}`;
  return declareAll(
    shell,
    'readonly',
    operandsFrom(argv, argv.length - operands.length, context),
    { add, remove: '' },
    () => undefined,
  );
};

/** export -f, readonly -f and their like. */
function markFunctions(
  shell: Shell,
  builtin: Bytes,
  names: readonly Bytes[],
  { add, remove }: { readonly add: string; readonly remove: string },
): number {
  let status = 0;
  for (const name of names) {
    const definition = Object.hasOwn(shell.state.functions, name) ? shell.state.functions[name] : undefined;
    if (definition === undefined) {
      shell.complain(`${builtin}: ${name}: not a function`);
      status = 1;
      continue;
    }
    const kept = [...(definition.marks ?? '')].filter((mark) => !remove.includes(mark));
    definition.marks = [...new Set([...kept, ...[...add].filter((mark) => 'rx'.includes(mark))])].sort().join('');
  }
  return status;
}

/** `export -f`: the text of each marked function, and what marks it. */
function listMarkedFunctions(shell: Shell, mark: string): number {
  for (const name of Object.keys(shell.state.functions).sort()) {
    const marks = shell.state.functions[name]!.marks ?? '';
    if (marks.includes(mark)) shell.write(1, `${functionText(shell, name)}\ndeclare -f${marks} ${name}\n`);
  }
  return 0;
}

function listMarked(shell: Shell, builtin: Bytes, flag: string): number {
  for (const name of Object.keys(shell.state.variables).sort()) {
    const variable = shell.state.variables[name]!;
    if (!variable.flags.includes(flag)) continue;
    if (shell.isBash) shell.write(1, describeVariable(shell, name, variable) + '\n');
    else if (variable.value === undefined) shell.write(1, `${builtin} ${name}\n`);
    else shell.write(1, `${builtin} ${name}=${quoteDash(variable.value)}\n`);
  }
  return 0;
}

/** As `declare -p` prints a variable. */
export function describeVariable(shell: Shell, name: Bytes, variable: Variable): Bytes {
  const head = `declare -${variable.flags === '' ? '-' : variable.flags} ${name}`;
  if (variable.elements) {
    const elements = elementsOf(shell, name).map(
      ([key, value]) => `[${/^[\w.-]+$/.test(key) ? key : quoteDouble(key)}]=${quoteDouble(value)}`,
    );
    const tail = variable.flags.includes('A') && elements.length > 0 ? ' ' : '';
    return `${head}=(${elements.join(' ')}${tail})`;
  }
  return variable.value === undefined ? head : `${head}=${quoteDouble(variable.value)}`;
}

function printVariables(shell: Shell, names: readonly Bytes[], flags: string, builtin: Bytes): number {
  if (names.length === 0) {
    for (const name of Object.keys(shell.state.variables).sort()) {
      const variable = shell.state.variables[name]!;
      if ([...flags].every((flag) => variable.flags.includes(flag)))
        shell.write(1, describeVariable(shell, name, variable) + '\n');
    }
    return 0;
  }
  let status = 0;
  for (const name of names) {
    const variable = shell.variable(name);
    if (variable) shell.write(1, describeVariable(shell, name, variable) + '\n');
    else {
      shell.complain(`${builtin}: ${name}: not found`);
      status = 1;
    }
  }
  return status;
}

function listFunctions(shell: Shell, names: readonly Bytes[], onlyNames: boolean): number {
  const known = Object.keys(shell.state.functions).sort();
  let status = 0;
  for (const name of names.length > 0 ? names : known) {
    if (!known.includes(name)) status = 1;
    else if (onlyNames) shell.write(1, names.length > 0 ? `${name}\n` : `declare -f${marksOf(shell, name)} ${name}\n`);
    else shell.write(1, functionText(shell, name) + '\n');
  }
  return status;
}

const marksOf = (shell: Shell, name: Bytes): string => shell.state.functions[name]!.marks ?? '';

export function functionText(shell: Shell, name: Bytes): Bytes {
  const definition = shell.state.functions[name]!;
  const node = shell.nodeOf(definition);
  const body = node.type === 'Function' ? shell.textOf(definition.source, node.body) : '';
  const lines = body.replace(/^\{/, '').replace(/\}$/, '').split(/[;\n]/);
  const commands = lines.map((line) => line.trim()).filter((line) => line !== '');
  return `${name} () \n{ \n    ${commands.join(';\n    ')}\n}`;
}

const unset: Builtin = (shell, argv) => {
  const { options, operands } = parseOptions(shell, argv, shell.isBash ? 'fvn' : 'fv');
  let status = 0;
  for (const word of operands) {
    if (options['f'] !== undefined) {
      delete shell.state.functions[word];
      continue;
    }
    const element = shell.isBash ? /^(\w+)\[(.*)\]$/s.exec(word) : null;
    const name = element ? element[1]! : options['n'] === undefined ? shell.resolve(word) : word;
    if (!isName(name)) {
      if (shell.isBash) continue;
      throw badName(shell, 'unset', word);
    }
    const variable = shell.variable(name);
    if (variable && isReadOnly(variable)) {
      if (!shell.isBash)
        throw new ShellFailure(builtinFailure(shell, 'unset', `${name}: is read only`, 2).message, 2, 'shell');
      shell.complain(`unset: ${name}: cannot unset: readonly variable`);
      status = 1;
    } else if (element && element[2] !== '@' && element[2] !== '*') {
      delete variable?.elements?.[shell.indexOf(name, element[2]!.replace(/^(['"])(.*)\1$/, '$2'))];
    } else if (variable) unsetVariable(shell, name);
    else if (options['v'] === undefined && shell.isBash) delete shell.state.functions[name];
  }
  return status;
};

function unsetVariable(shell: Shell, name: Bytes): void {
  shell.unset(name);
  if (name === 'PATH') shell.state.hashes = {};
}

export const declarations: Readonly<Record<string, Builtin>> = {
  export: exportNames,
  readonly: readOnly,
  local,
  unset,
};
export const bashDeclarations: Readonly<Record<string, Builtin>> = { declare, typeset: declare };

/** All variables as `set` prints them. */
export function listVariables(shell: Shell): void {
  for (const name of Object.keys(shell.state.variables).sort()) {
    const variable = shell.state.variables[name]!;
    if (variable.elements) {
      if (shell.isBash) shell.write(1, describeVariable(shell, name, variable).replace(/^declare -\S+ /, '') + '\n');
    } else if (variable.value !== undefined) {
      const quoted = shell.isBash ? quoteSet(variable.value) : quoteDash(variable.value);
      shell.write(1, `${name}=${quoted}\n`);
    }
  }
}

function quoteSet(value: Bytes): Bytes {
  if (value === '') return '';
  if (/[\0-\x1f\x7f-\xff]/.test(value)) return quoteAnsi(value);
  return /[^\w@%+=:,./-]/.test(value) ? quoteSingle(value) : value;
}
