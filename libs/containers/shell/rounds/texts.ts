import type { ArithmeticExpansionPart, Command, CompoundList, Statement, While, Word, WordPart } from 'unbash';
import { echoText } from '../builtins/printing/print.js';
import { isName } from '../interpreter/variables.js';
import { evaluateArithmetic } from '../expansion/arithmetic.js';
import type { Bytes, Texts } from '../kernel.js';
import type { ShellState } from '../state/state.js';
import { parseQuotedText, parseUnit } from '../syntax/unit.js';
import { FieldMaker } from './fields.js';
import { textsOfActs, Unsure, type Act, type Scope } from './scope.js';
import { answer, constant, dynamic, type Segment } from './segment.js';

/** Builtins that do the same each time when their words are the same. */
const STEADY = new Set(['true', ':', 'false']);
const STEADY_IN_SUBSTITUTION = new Set([...STEADY, 'echo', 'printf', 'pwd']);
/** With one of these, other things happen when a command runs. */
const OPTIONS = ['x', 'v', 'u', 'n', 'f', 'a'];
/** Names that no shell gives a meaning to. */
const OWN_NAME = /^[a-z][a-z0-9_]*$/;
const COMPUTED = new Set([
  ...['LINENO', 'PPID', 'RANDOM', 'SECONDS', 'EPOCHSECONDS', 'EPOCHREALTIME', 'SRANDOM', 'BASHPID', 'BASH_SUBSHELL'],
  ...['PIPESTATUS', 'FUNCNAME', 'BASH_SOURCE', 'DIRSTACK', '_'],
]);
/** Unquoted text that stands for itself. */
const PLAIN = /^[A-Za-z0-9_.,:;=+@%/^-]*$/;
/**
 * How the texts of a loop go on from one iteration to the next, when its commands are assignments, `echo` and programs
 * with fixed words: the variables, what is printed, the answers of `$(...)` within. Undefined: that is not sure.
 * `builtins`: the names that the shell knows itself.
 */
export function textsOf(state: ShellState, builtins: ReadonlySet<string>): Texts | undefined {
  const frame = state.frames.at(-1);
  if (frame?.type !== 'while' || frame.phase !== 'body' || OPTIONS.some((name) => state.options[name]))
    return undefined;
  const ifs = state.variables['IFS']?.value;
  if (ifs !== undefined && ifs !== ' \t\n') return undefined;
  const node = parseUnit(state.sources[frame.source]!.text).nodes[frame.node] as While;
  try {
    const reader = new Reader(state, builtins);
    const acts = [...reader.list(node.clause), ...reader.list(node.body)];
    const names = [...reader.names];
    const isSteady = names.length === 0 && !reader.isVaried;
    return isSteady ? undefined : textsOfActs(names, acts);
  } catch (error) {
    if (error instanceof Unsure) return undefined;
    throw error;
  }
}

/** Makes acts of the commands of a loop. Throws Unsure. */
class Reader {
  /** Variables that the loop may set. */
  readonly names = new Set<Bytes>();
  /** Whether a text may change. */
  isVaried = false;

  constructor(
    private readonly state: ShellState,
    private readonly builtins: ReadonlySet<string>,
  ) {}

  list(list: CompoundList): Act[] {
    return list.commands.map((statement) => this.statement(statement));
  }

  private statement({ command, background }: Statement): Act {
    if (background || command.type !== 'Command') throw new Unsure();
    if (command.name === undefined) return this.assignments(command);
    const name = literalOf(command.name);
    if (command.prefix.length > 0 || this.isRenamed(name)) throw new Unsure();
    return name === 'echo' ? this.echo(command) : this.steady(command, STEADY);
  }

  private isRenamed(name: Bytes): boolean {
    return Object.hasOwn(this.state.functions, name) || Object.hasOwn(this.state.aliases, name);
  }

  /** A command that is the same each time. */
  private steady(command: Command, builtins: ReadonlySet<string>): Act {
    const words = [command.name!, ...wordsOf(command)].map(literalOf);
    const name = words[0]!;
    const isSteady = !this.builtins.has(name) || builtins.has(name);
    if (!isSteady || command.redirects.length > 0) throw new Unsure();
    const last = words.at(-1)!;
    return (scope) => void (scope.last = last);
  }

  private assignments(command: Command): Act {
    if (command.redirects.length > 0 || command.prefix.length !== 1) throw new Unsure();
    const item = command.prefix[0]!;
    if (item.type !== 'Assignment' || item.append || item.index || item.value.type !== 'Word') throw new Unsure();
    const { name } = item;
    this.requireOwn(name);
    const segments = this.segments(item.value);
    return (scope) => {
      let text = '';
      for (const segment of segments) text += segment.text(scope);
      scope.note(text.length);
      scope.values.set(name, text);
    };
  }

  private echo(command: Command): Act {
    const isRedirected = command.redirects.some(
      (one) => one.operator !== '>&' || one.target?.text !== '2' || one.descriptor !== undefined,
    );
    if (isRedirected) throw new Unsure();
    const words = wordsOf(command).map((word) => new FieldMaker(this.segments(word)));
    const isDash = this.state.flavour === 'dash';
    const decodes = isDash || this.state.shopts['xpg_echo'] === true;
    return (scope) => {
      const fields: Bytes[] = [];
      for (const word of words) word.addFields(scope, fields);
      for (const field of fields) scope.note(field.length);
      const text = echoText(fields, isDash, decodes);
      scope.note(-1);
      scope.note(text.length);
      if (text !== '') scope.prints.push(text);
      scope.last = fields.at(-1) ?? 'echo';
    };
  }

  /** A variable that may be set: it is there, and means nothing to the shell. */
  private requireOwn(name: Bytes): void {
    const variable = Object.hasOwn(this.state.variables, name) ? this.state.variables[name] : undefined;
    if (!OWN_NAME.test(name) || variable?.value === undefined || variable.flags !== '' || variable.elements) {
      throw new Unsure();
    }
    this.names.add(name);
  }

  private segments(word: Word): Segment[] {
    if (word.parts) return word.parts.flatMap((part) => this.part(part, false));
    if (!PLAIN.test(word.text)) throw new Unsure();
    return [constant(word.text, false)];
  }

  private part(part: WordPart, isQuoted: boolean): Segment[] {
    switch (part.type) {
      case 'Literal':
        if (!isQuoted && !PLAIN.test(part.text)) throw new Unsure();
        return [constant(isQuoted ? part.value : part.text, isQuoted)];
      case 'SingleQuoted':
        return [constant(part.value, true)];
      case 'DoubleQuoted':
        return [constant('', true), ...part.parts.flatMap((inner) => this.part(inner, true))];
      case 'SimpleExpansion':
        return [dynamic(this.variable(part.text.slice(1)), isQuoted)];
      case 'ParameterExpansion':
        if (part.text !== `\${${part.parameter}}`) throw new Unsure();
        return [dynamic(this.variable(part.parameter), isQuoted)];
      case 'CommandExpansion':
        this.requireSteady(part);
        this.isVaried = true;
        return [dynamic(answer, isQuoted)];
      case 'ArithmeticExpansion':
        return [dynamic(this.arithmetic(part), isQuoted)];
      default:
        throw new Unsure();
    }
  }

  private variable(name: Bytes): (scope: Scope) => Bytes {
    if (!isName(name) || COMPUTED.has(name)) throw new Unsure();
    const known = Object.hasOwn(this.state.variables, name) ? this.state.variables[name] : undefined;
    if (known?.elements || known?.flags.includes('n')) throw new Unsure();
    const text = known?.value ?? '';
    return ({ values }) => values.get(name) ?? text;
  }

  private requireSteady(part: Extract<WordPart, { type: 'CommandExpansion' }>): void {
    const [statement, ...more] = part.script?.commands ?? [];
    const command = statement?.command;
    if (!part.text.startsWith('$(') || more.length > 0 || command?.type !== 'Command') throw new Unsure();
    if (statement?.background || command.name === undefined || command.prefix.length > 0) throw new Unsure();
    if (this.isRenamed(literalOf(command.name))) throw new Unsure();
    this.steady(command, STEADY_IN_SUBSTITUTION);
  }

  /** Every name in it may be set by it. */
  private arithmetic(part: ArithmeticExpansionPart): (scope: Scope) => Bytes {
    if (!part.text.startsWith('$((')) throw new Unsure();
    const source = part.text.slice(3, -2);
    const isDash = this.state.flavour === 'dash';
    const step = stepOf(source);
    const counter = step && new Counter(step, source);
    for (const [name] of source.matchAll(/[A-Za-z_]\w*/g)) this.requireOwn(name);
    const pieces = parseQuotedText(source).map((piece) => this.expressionPart(piece));
    return (scope) => {
      const sum = counter?.add(scope);
      if (sum !== undefined) return sum;
      const expanded = pieces.map((piece) => piece(scope)).join('');
      const expression = (expanded.endsWith('\n') ? expanded.slice(0, -1) : expanded).replaceAll('"', '');
      scope.note(expression.length);
      return String(evaluateArithmetic(expression, { isDash, ...variablesOf(scope) }));
    };
  }

  private expressionPart(part: WordPart): (scope: Scope) => Bytes {
    if (part.type === 'Literal') return () => part.value;
    if (part.type === 'SimpleExpansion') return this.variable(part.text.slice(1));
    throw new Unsure();
  }
}

/** What counters do: i+1, $i - 2. */
interface Step {
  readonly name: Bytes;
  readonly by: number;
  /** The variable's value is put into the expression. */
  readonly isExpanded: boolean;
}

function stepOf(source: Bytes): Step | undefined {
  const [, dollar, name, sign, number] = /^ ?(\$?)([a-z]\w*) ?([+-]) ?([1-9]\d{0,8}|0) ?$/.exec(source) ?? [];
  if (name === undefined) return undefined;
  return { name, by: sign === '-' ? -Number(number) : Number(number), isExpanded: dollar === '$' };
}

/** Adds without making the expression, whose length it notes. */
class Counter {
  /** The last sum: mostly the value that comes next. */
  private text: Bytes = '';
  private sum = 0;

  constructor(
    private readonly step: Step,
    private readonly source: Bytes,
  ) {}

  /** Undefined: it has to be worked out. */
  add(scope: Scope): Bytes | undefined {
    const { step, source } = this;
    const value = scope.values.get(step.name)!;
    if (value !== this.text) {
      if (!PLAIN_NUMBER.test(value)) return undefined;
      this.sum = Number(value);
    } else if (Math.abs(this.sum) > MAX_EXACT) return undefined;
    this.sum += step.by;
    this.text = String(this.sum);
    scope.note(step.isExpanded ? source.length - step.name.length - 1 + value.length : source.length);
    return this.text;
  }
}

/** As arithmetic reads decimal numbers, small enough to be added exactly. */
const MAX_EXACT = 1e15;
const PLAIN_NUMBER = /^(?:[1-9]\d{0,14}|0)$/;

function variablesOf(scope: Scope): Pick<Parameters<typeof evaluateArithmetic>[1], 'get' | 'set'> {
  return {
    get(name, index) {
      const value = index === undefined ? scope.values.get(name) : undefined;
      if (value === undefined) throw new Unsure();
      return value;
    },
    set(name, index, value) {
      if (index !== undefined || !scope.values.has(name)) throw new Unsure();
      scope.note(value.length);
      scope.values.set(name, value);
    },
  };
}

function wordsOf({ args }: Command): Word[] {
  return args.map((item) => {
    if (item.type !== 'Word') throw new Unsure();
    return item;
  });
}

/** A word without anything to expand. Throws Unsure. */
function literalOf(word: Word): Bytes {
  if (!word.parts) {
    if (!PLAIN.test(word.text)) throw new Unsure();
    return word.text;
  }
  return word.parts.map(literalPart).join('');
}

function literalPart(part: WordPart): Bytes {
  if (part.type === 'SingleQuoted') return part.value;
  if (part.type === 'DoubleQuoted') return part.parts.map(quotedLiteral).join('');
  if (part.type === 'Literal' && PLAIN.test(part.text)) return part.text;
  throw new Unsure();
}

function quotedLiteral(part: WordPart): Bytes {
  if (part.type === 'Literal') return part.value;
  throw new Unsure();
}
