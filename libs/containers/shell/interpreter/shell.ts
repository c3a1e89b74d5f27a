import { ArithmeticError, type ArithmeticVariables, evaluateArithmetic } from '../expansion/arithmetic.js';
import { arithmeticFailure } from '../expansion/arithmetic-failure.js';
import type { Bytes, Syscalls } from '../kernel.js';
import type { Frame } from '../state/frame.js';
import type { ShellState, Source, Unwind } from '../state/state.js';
import type { Variable } from '../state/variable.js';
import { lineOf, type Numbered, parseUnit } from '../syntax/unit.js';
import { frameOf } from './nodes/node-frame.js';
import { exportFunctions, isExported } from './start/exported-functions.js';
import { assignVariable, dynamicVariable, isName, isReadOnly } from './variables.js';

/** Frames one within the other: functions that call themselves without end fail here. */
const MAX_FRAMES = 4_000;
const MAX_OUTPUT = 1024 * 1024;

/** The environment's names that no variable can have (data-1): busybox and bash pass them on, dash does not. */
const unnamableOf = (env: Readonly<Record<string, Bytes>>): Record<string, Bytes> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isName(name)));

const isSameSource = (a: Source, b: Source): boolean =>
  a.text === b.text && a.line === b.line && a.name === b.name && a.kind === b.kind;

/** The shell during one step: its state, the kernel, and what every part of the interpreter does with them. */
export class Shell implements ArithmeticVariables {
  constructor(
    readonly state: ShellState,
    readonly sys: Syscalls,
  ) {}

  get isBash(): boolean {
    return this.state.flavour === 'bash';
  }

  get isDash(): boolean {
    return this.state.flavour === 'dash';
  }

  get isAsh(): boolean {
    return this.state.flavour === 'ash';
  }

  // messages

  /** How a message begins: 'bash: line 3: ', 'sh: 3: ', 'sh: '. */
  prefix(): Bytes {
    const { name, isInteractive, mode, line, flavour } = this.state;
    const source = this.currentSource();
    const shown = source?.kind === 'source' && source.name !== '' ? source.name : this.definedIn() || name;
    if (flavour === 'dash') return `${shown}: ${line}: `;
    if (isInteractive && source?.kind !== 'source')
      return `${flavour === 'bash' ? shown.slice(shown.lastIndexOf('/') + 1) : shown}: `;
    if (flavour === 'bash') return `${shown}: line ${line}: `;
    return mode === 'script' || source?.kind === 'source' ? `${shown}: line ${line}: ` : `${shown}: `;
  }

  /** Writes an error line. */
  complain(message: Bytes): void {
    const hasLine = this.isAsh && /^\S+: line \d+: /.test(message);
    this.write(2, `${hasLine ? `${this.state.name}: ` : this.prefix()}${message}\n`);
  }

  /** An error line of a builtin: `bash: line 1: cd: ...`, in busybox `sh: cd: line 0: ...`. */
  complainOf(builtin: Bytes, message: Bytes): void {
    const line = this.state.mode === 'script' ? this.state.line : 0;
    this.complain(this.isAsh ? `${builtin}: line ${line}: ${message}` : `${builtin}: ${message}`);
  }

  /** Bytes for a descriptor. They leave before the next frame runs. */
  write(descriptor: number, bytes: Bytes, name: Bytes = ''): void {
    if (bytes === '') return;
    const last = this.state.output.at(-1);
    this.sys.charge(1 + (bytes.length >> 4));
    if (last?.descriptor === descriptor && last.bytes.length < MAX_OUTPUT) last.bytes += bytes;
    else this.state.output.push({ descriptor, bytes, name });
  }

  // frames

  get top(): Frame | undefined {
    return this.state.frames.at(-1);
  }

  push(frame: Frame): void {
    if (this.state.frames.length >= MAX_FRAMES) {
      this.complain('maximum nesting depth exceeded');
      this.unwind({ kind: 'exit', status: this.isBash ? 1 : 2 });
      return;
    }
    this.state.frames.push(frame);
  }

  /** Pushes the frame that runs a node of a text. */
  pushNode(source: number, node: Numbered): void {
    this.push(frameOf(source, this.numberOf(source, node), node));
  }

  /** Ends the frame that runs with a status. */
  pop(status?: number): void {
    this.state.frames.pop();
    if (status !== undefined) this.state.status = status;
  }

  unwind(unwind: Unwind): void {
    this.state.unwind = unwind;
  }

  exit(status: number): void {
    this.unwind({ kind: 'exit', status: status & 255 });
  }

  // texts and their nodes

  /** The number of a text; one that is known keeps its number, so that a loop is again where it was. */
  addSource(source: Source): number {
    for (const [id, known] of Object.entries(this.state.sources)) if (isSameSource(known, source)) return Number(id);
    const id = this.state.nextSource++;
    this.state.sources[id] = source;
    if (id % 64 === 0) this.dropSources();
    return id;
  }

  /** Texts that neither a frame nor a function refers to any more. */
  private dropSources(): void {
    const used = new Set<number>();
    for (const frame of this.state.frames) if ('source' in frame) used.add(frame.source);
    for (const definition of Object.values(this.state.functions)) used.add(definition.source);
    const newest = this.state.nextSource - 1;
    for (const id of Object.keys(this.state.sources)) {
      if (!used.has(Number(id)) && Number(id) !== newest) delete this.state.sources[id];
    }
  }

  nodeOf(at: { readonly source: number; readonly node: number }): Numbered {
    return parseUnit(this.state.sources[at.source]!.text).nodes[at.node]!;
  }

  numberOf(source: number, node: Numbered): number {
    return parseUnit(this.state.sources[source]!.text).numbers.get(node)!;
  }

  textOf(source: number, node: { readonly pos: number; readonly end: number }): Bytes {
    return this.state.sources[source]!.text.slice(node.pos, node.end);
  }

  /** Notes the line that runs. */
  enter(source: number, position: number): void {
    const { text, line } = this.state.sources[source]!;
    this.state.line = text.length > 65_536 ? this.state.line : lineOf(text, position, line);
  }

  currentSource(): Source | undefined {
    for (let i = this.state.frames.length - 1; i >= 0; i--) {
      const frame = this.state.frames[i]!;
      if (frame.type === 'script') return this.state.sources[frame.source];
      if (frame.type === 'call') return undefined;
    }
    return undefined;
  }

  /** bash: the file that defines the function that runs; empty: none runs. */
  private definedIn(): Bytes {
    if (!this.isBash || this.state.isInteractive) return '';
    const call = this.state.frames.findLast((frame) => frame.type === 'call');
    return call === undefined ? '' : this.fileOf(call.source);
  }

  /** What bash names the file of a text that has none: the script, `environment` of -c, `main` of standard input. */
  fileOf(source: number): Bytes {
    const { sources, mode, name } = this.state;
    if (sources[source]?.name) return sources[source].name;
    if (mode === 'script') return name;
    return mode === 'command' ? 'environment' : 'main';
  }

  // variables

  variable(name: Bytes): Variable | undefined {
    return Object.hasOwn(this.state.variables, name) ? this.state.variables[name] : undefined;
  }

  /** The name that a reference (declare -n) stands for. */
  resolve(name: Bytes): Bytes {
    let resolved = name;
    for (let i = 0; i < 8; i++) {
      const variable = this.variable(resolved);
      if (!variable?.flags.includes('n') || variable.value === undefined) return resolved;
      resolved = variable.value;
    }
    return resolved;
  }

  get(name: Bytes, index?: Bytes): Bytes | undefined {
    const reference = this.resolve(name);
    const dynamic = dynamicVariable(this, reference, index);
    if (dynamic !== undefined) return dynamic;
    const variable = this.variable(reference);
    if (!variable) return undefined;
    if (index === undefined) return variable.elements ? variable.elements['0'] : variable.value;
    if (!variable.elements) return this.indexOf(reference, index) === '0' ? variable.value : undefined;
    return variable.elements[this.indexOf(reference, index)];
  }

  /** Throws ShellFailure for a readonly variable and a value that is too large. */
  set(name: Bytes, index: Bytes | undefined, value: Bytes): void {
    const reference = this.resolve(name);
    assignVariable(this, reference, index === undefined ? undefined : this.indexOf(reference, index), value, false);
  }

  append(name: Bytes, index: Bytes | undefined, value: Bytes): void {
    const reference = this.resolve(name);
    assignVariable(this, reference, index === undefined ? undefined : this.indexOf(reference, index), value, true);
  }

  unset(name: Bytes): boolean {
    const variable = this.variable(name);
    if (variable && isReadOnly(variable)) return false;
    delete this.state.variables[name];
    return true;
  }

  /** The key of an element: the text for an associative array, else a number; negative ones count from the end. */
  indexOf(name: Bytes, index: Bytes): Bytes {
    const variable = this.variable(name);
    if (variable?.flags.includes('A')) return index;
    let number = Number(this.evaluate(index));
    if (number < 0) number += this.lengthOfArray(variable);
    return String(number);
  }

  private lengthOfArray(variable: Variable | undefined): number {
    const keys = Object.keys(variable?.elements ?? {});
    return keys.length === 0 ? 0 : Number(keys.at(-1)) + 1;
  }

  /** Throws ShellFailure. */
  evaluate(expression: Bytes): bigint {
    this.sys.charge(2 + expression.length);
    try {
      return evaluateArithmetic(expression, this);
    } catch (error) {
      throw error instanceof ArithmeticError ? arithmeticFailure(this, error) : error;
    }
  }

  /** The environment of children: what is exported and has a value. */
  environment(): Record<string, Bytes> {
    const environment: Record<string, Bytes> = this.isDash ? {} : unnamableOf(this.sys.env);
    if (this.isBash) for (const name of Object.keys(environment)) if (isExported(name)) delete environment[name];
    for (const [name, variable] of Object.entries(this.state.variables)) {
      if (variable.flags.includes('x') && variable.value !== undefined) environment[name] = variable.value;
    }
    if (this.isBash) Object.assign(environment, exportFunctions(this));
    return environment;
  }

  /** What a program is given: bash tells it its own path. */
  environmentOf(file: Bytes): Record<string, Bytes> {
    return this.isBash ? { ...this.environment(), _: file } : this.environment();
  }

  option(name: string): boolean {
    return this.state.options[name] === true;
  }

  shopt(name: string): boolean {
    return this.state.shopts[name] === true;
  }
}
