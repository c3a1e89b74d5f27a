import type { Bytes } from '../../../engine/kernel/bytes.js';
import { exit, type Wait, waitForChild, waitToRead } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { compileRegex, findAll, type PosixRegex, RegexFault } from '../posix-regex.js';
import { addOutput, flushOutput, type Output } from '../output.js';
import { ToolFailure } from '../tool.js';
import { formatDate } from '../coreutils/time/date-format.js';
import type { Compiled, Instruction } from './compile.js';
import { unescapeAwk } from './tokens.js';
import { type Cell, compareCells, formatAwk, inputCell, isTrue, numberOf, textOf } from './values.js';
import { trimEnd } from '../names.js';

type Reader = { descriptor: number; rest: Bytes; isEnded: boolean; child: number };
type Writer = { descriptor: number; child: number };
type Frame = { returnAt: number; locals: Record<string, Cell>; iterations: number; name: string };
type Iteration = { array: string; keys: Bytes[]; at: number };

/** All of a running program, as plain data. */
export type Machine = {
  pc: number;
  stack: Cell[];
  frames: Frame[];
  rules: number[];
  iterations: Iteration[];
  globals: Record<string, Cell>;
  arrays: Record<string, Record<string, Cell>>;
  arrayCount: number;
  ranges: boolean[];
  record: Bytes;
  /** Null: the record is not split yet. */
  fields: Bytes[] | null;
  argument: number;
  hasInput: boolean;
  main: Reader | null;
  readers: Record<string, Reader>;
  writers: Record<string, Writer>;
  output: Output;
  child: number;
  closing: string | null;
  line: Bytes | null;
  status: number;
  count: number;
  exitCode: number;
  isEnding: boolean;
  /** Bytes that elements of arrays take, about. */
  memory: number;
  seed: number;
  previousSeed: number;
};

export const newMachine = (pc: number): Machine => ({
  ...{ pc, stack: [], frames: [], rules: [], iterations: [], globals: {}, arrays: {}, arrayCount: 0, ranges: [] },
  ...{
    record: '',
    fields: null,
    argument: 1,
    hasInput: false,
    main: null,
    readers: {},
    writers: {},
    output: [],
    child: 0,
  },
  ...{ closing: null, line: null, status: 0, count: 0, exitCode: 0, isEnding: false, seed: 1, previousSeed: 0 },
  memory: 0,
});

const MAX_TEXT = 4 << 20;
const ELEMENT_BYTES = 100;
const MAX_MEMORY = 16 << 20;
const MAX_DEPTH = 1_000;
const MAX_STACK = 100_000;

const keyOf = (text: Bytes) => (text === '__proto__' ? '__proto__ ' : text);

/** Runs instructions on a Machine until it ends, waits, or has used its steps. */
export class Runner {
  private wait: Wait | undefined;
  private isFinished = false;

  constructor(
    private readonly machine: Machine,
    private readonly compiled: Compiled,
    private readonly sys: Syscalls,
  ) {}

  /** Undefined: there is more to do. */
  run(steps: number): Wait | undefined {
    const { machine, compiled } = this;
    for (let i = 0; i < steps; i++) {
      const instruction = compiled.code[machine.pc]!;
      machine.pc++;
      this.execute(instruction);
      if (this.wait !== undefined) {
        // The instruction is executed again when what it waits for is there.
        machine.pc--;
        return flushOutput(machine.output, this.sys) ?? this.wait;
      }
      if (this.isFinished) return this.finish();
    }
    return undefined;
  }

  private finish(): Wait {
    const { machine, sys } = this;
    machine.pc--;
    const blocked = flushOutput(machine.output, sys);
    if (blocked !== undefined) return blocked;
    for (const [name, writer] of Object.entries(machine.writers)) {
      if (writer.descriptor >= 0) sys.close(writer.descriptor);
      writer.descriptor = -1;
      if (writer.child !== 0 && sys.wait(writer.child) === undefined) return waitForChild;
      delete machine.writers[name];
    }
    return exit(machine.exitCode);
  }

  // values

  private pop(): Cell {
    return this.machine.stack.pop() ?? null;
  }

  private push(cell: Cell): void {
    this.machine.stack.push(cell);
    if (this.machine.stack.length > MAX_STACK) throw new ToolFailure('function call nesting too deep', 2);
  }

  private popText(): Bytes {
    return textOf(this.pop(), this.convert());
  }

  private popNumber(): number {
    return numberOf(this.pop());
  }

  private convert(): string {
    const format = this.machine.globals['CONVFMT'];
    return typeof format === 'string' ? format : '%.6g';
  }

  private setting(name: string, otherwise: Bytes): Bytes {
    const cell = this.machine.globals[name];
    return cell === undefined ? otherwise : textOf(cell);
  }

  private regex(pattern: Bytes): PosixRegex {
    try {
      return compileRegex(pattern, 'awk');
    } catch (error) {
      if (error instanceof RegexFault)
        throw new ToolFailure(`regular expression compile failed (${error.message})\n${pattern}`, 2);
      throw error;
    }
  }

  // variables

  private load(name: string): Cell {
    if (name === 'NF') return this.splitRecord().length;
    const frame = this.machine.frames.at(-1);
    if (frame !== undefined && Object.hasOwn(frame.locals, name)) return frame.locals[name]!;
    return this.machine.globals[name] ?? null;
  }

  private store(name: string, cell: Cell): void {
    const value = cell !== null && typeof cell === 'object' && ('u' in cell || 'a' in cell) ? null : cell;
    if (name === 'NF') return this.setFieldCount(numberOf(value));
    const frame = this.machine.frames.at(-1);
    if (frame !== undefined && Object.hasOwn(frame.locals, name)) frame.locals[name] = value;
    else this.machine.globals[name] = value;
  }

  /** A name's array; a local that is used as one becomes one. */
  private array(name: string): Record<string, Cell> {
    const id = this.arrayId(name);
    return (this.machine.arrays[id] ??= {});
  }

  private setElement(array: Record<string, Cell>, key: string, value: Cell): void {
    const { machine } = this;
    const size = typeof value === 'string' ? value.length : 8;
    if (!Object.hasOwn(array, key)) machine.memory += ELEMENT_BYTES + key.length + size;
    array[key] = value;
    if (machine.memory > MAX_MEMORY) throw new ToolFailure('out of memory', 2);
  }

  private deleteElement(array: Record<string, Cell>, key: string): void {
    const { machine } = this;
    if (!Object.hasOwn(array, key)) return;
    const value = array[key]!;
    const size = typeof value === 'string' ? value.length : 8;
    machine.memory = Math.max(0, machine.memory - ELEMENT_BYTES - key.length - size);
    delete array[key];
  }

  private arrayId(name: string): string {
    const frame = this.machine.frames.at(-1);
    if (frame === undefined || !Object.hasOwn(frame.locals, name)) return `g:${name}`;
    const cell = frame.locals[name]!;
    if (cell !== null && typeof cell === 'object' && 'a' in cell) return cell.a;
    if (cell !== null && typeof cell === 'object' && 'u' in cell) {
      frame.locals[name] = { a: cell.u };
      return cell.u;
    }
    if (cell !== null) throw new ToolFailure(`can't use a scalar as an array: ${name}`, 2);
    const id = `l:${this.machine.arrayCount++}`;
    frame.locals[name] = { a: id };
    return id;
  }

  // the record

  private setRecord(record: Bytes): void {
    this.machine.record = record;
    this.machine.fields = null;
  }

  private splitRecord(): Bytes[] {
    return (this.machine.fields ??= this.split(this.machine.record, this.setting('FS', ' '), false));
  }

  private split(text: Bytes, separator: Bytes, isRegex: boolean): Bytes[] {
    if (text === '') return [];
    this.sys.charge(1 + (text.length >> 4));
    if (separator === ' ' && !isRegex) return text.split(/[ \t\n]+/).filter((word) => word !== '');
    if (separator === '') return [...text];
    if (separator.length === 1 && separator !== '\\' && !isRegex) return text.split(separator);
    const parts: Bytes[] = [];
    let at = 0;
    for (const match of findAll(this.regex(separator), text)) {
      if (match.end === match.start) continue;
      parts.push(text.slice(at, match.start));
      at = match.end;
    }
    return [...parts, text.slice(at)];
  }

  private field(index: number): Cell {
    if (index < 0) throw new ToolFailure(`trying to access out of range field ${index}`, 2);
    if (index === 0) return inputCell(this.machine.record);
    const text = this.splitRecord()[index - 1];
    return text === undefined ? null : inputCell(text);
  }

  private setField(index: number, text: Bytes): void {
    if (index < 0 || index > 100_000) throw new ToolFailure(`trying to access out of range field ${index}`, 2);
    if (index === 0) return this.setRecord(text);
    const fields = this.splitRecord();
    while (fields.length < index) fields.push('');
    fields[index - 1] = text;
    this.rebuild(fields);
  }

  private setFieldCount(count: number): void {
    const fields = this.splitRecord().slice(0, Math.max(0, Math.min(count, 100_000)));
    while (fields.length < count && fields.length < 100_000) fields.push('');
    this.rebuild(fields);
  }

  private rebuild(fields: Bytes[]): void {
    this.machine.fields = fields;
    this.machine.record = fields.join(this.setting('OFS', ' '));
  }

  // input

  /** A record; null: the end; undefined: it waits. */
  private readRecord(reader: Reader): Bytes | null | undefined {
    const separator = this.setting('RS', '\n');
    for (;;) {
      const found = this.cutRecord(reader, separator);
      if (found !== undefined) return found;
      if (reader.isEnded) {
        const { rest } = reader;
        reader.rest = '';
        return rest === '' ? null : separator === '' ? trimEnd(rest, '\n') || null : rest;
      }
      const bytes = this.sys.read(reader.descriptor, 32_768);
      if (bytes === undefined) {
        this.wait = waitToRead(reader.descriptor);
        return undefined;
      }
      if (bytes === '') reader.isEnded = true;
      reader.rest += bytes;
      this.sys.charge(1 + (bytes.length >> 4));
      if (reader.rest.length > MAX_TEXT) throw new ToolFailure('out of memory', 2);
    }
  }

  private cutRecord(reader: Reader, separator: Bytes): Bytes | undefined {
    const { rest } = reader;
    if (separator === '') {
      reader.rest = rest.replace(/^\n+/, '');
      const end = reader.rest.indexOf('\n\n');
      if (end < 0) return undefined;
      const record = reader.rest.slice(0, end);
      const after = reader.rest.slice(end).replace(/^\n+/, '');
      if (after === '' && !reader.isEnded) return undefined;
      reader.rest = after;
      return record;
    }
    if (separator.length === 1) {
      const end = rest.indexOf(separator);
      if (end < 0) return undefined;
      reader.rest = rest.slice(end + 1);
      return rest.slice(0, end);
    }
    const match = this.regex(separator).find(rest);
    // A match at the end of what was read may go on.
    if (match === undefined || match.end === match.start || (match.end === rest.length && !reader.isEnded))
      return undefined;
    reader.rest = rest.slice(match.end);
    return rest.slice(0, match.start);
  }

  /** The next record of the operands' files, or of standard input; null: there is none; undefined: it waits. */
  private readMain(): Bytes | null | undefined {
    const { machine, sys } = this;
    for (;;) {
      if (machine.main === null && !this.openNext()) return null;
      const record = this.readRecord(machine.main!);
      if (record !== null) return record;
      if (machine.main!.descriptor > 0) sys.close(machine.main!.descriptor);
      machine.main = null;
    }
  }

  private openNext(): boolean {
    const { machine, sys } = this;
    const args = machine.arrays['g:ARGV'] ?? {};
    while (machine.argument < numberOf(machine.globals['ARGC'] ?? 0)) {
      const text = textOf(args[String(machine.argument++)] ?? null);
      if (text === '') continue;
      const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(text) ?? [];
      if (name !== undefined) {
        machine.globals[name] = inputCell(unescapeAwk(value!));
        continue;
      }
      machine.hasInput = true;
      try {
        const descriptor = text === '-' ? 0 : sys.open(text, { read: true });
        if (sys.fstat(descriptor).type === 'directory') continue;
        machine.main = { descriptor, rest: '', isEnded: false, child: 0 };
      } catch (error) {
        throw new ToolFailure(`cannot open ${text} (${(error as Error).message})`, 2);
      }
      machine.globals['FILENAME'] = text;
      machine.globals['FNR'] = 0;
      return true;
    }
    if (machine.hasInput) return false;
    machine.hasInput = true;
    machine.main = { descriptor: 0, rest: '', isEnded: false, child: 0 };
    return true;
  }

  private count(...names: string[]): void {
    for (const name of names) this.machine.globals[name] = numberOf(this.machine.globals[name] ?? 0) + 1;
  }

  /** Starts /bin/sh with this descriptor as its standard input or output. */
  private spawn(command: Bytes, descriptors: Record<number, number>): number {
    return this.sys.spawn({ path: '/bin/sh', argv: ['sh', '-c', command], descriptors });
  }

  private readerOf(kind: string, name: Bytes): Reader | undefined {
    const { machine, sys } = this;
    const known = machine.readers[keyOf(name)];
    if (known !== undefined) return known;
    try {
      let reader: Reader;
      if (kind === 'file')
        reader = {
          descriptor: name === '-' || name === '/dev/stdin' ? 0 : sys.open(name, { read: true }),
          rest: '',
          isEnded: false,
          child: 0,
        };
      else {
        flushOutput(machine.output, sys);
        const pipe = sys.pipe();
        const child = this.spawn(name, { 0: 0, 1: pipe.writer, 2: 2 });
        sys.close(pipe.writer);
        reader = { descriptor: pipe.reader, rest: '', isEnded: false, child };
      }
      machine.readers[keyOf(name)] = reader;
      return reader;
    } catch (error) {
      if (error instanceof Error && 'code' in error) return undefined;
      throw error;
    }
  }

  private writerOf(redirection: string, name: Bytes): number {
    const { machine, sys } = this;
    if (redirection !== '|' && name === '/dev/stdout') return 1;
    if (redirection !== '|' && name === '/dev/stderr') return 2;
    const known = machine.writers[keyOf(name)];
    if (known !== undefined) return known.descriptor;
    let writer: Writer;
    if (redirection === '|') {
      flushOutput(machine.output, sys);
      const pipe = sys.pipe();
      writer = { descriptor: pipe.writer, child: this.spawn(name, { 0: pipe.reader, 1: 1, 2: 2 }) };
      sys.close(pipe.reader);
    } else {
      try {
        const append = redirection === '>>';
        writer = {
          descriptor: sys.open(name, { write: true, create: true, append, truncate: !append }, 0o666),
          child: 0,
        };
      } catch (error) {
        throw new ToolFailure(`cannot open "${name}" for output: ${(error as Error).message}`, 2);
      }
    }
    machine.writers[keyOf(name)] = writer;
    return writer.descriptor;
  }

  private print(text: Bytes, redirection: string): void {
    const target = redirection === '' ? 1 : this.writerOf(redirection, this.popText());
    addOutput(this.machine.output, target, text);
    this.sys.charge(1 + (text.length >> 6));
    const pending = this.machine.output.reduce((sum, [, bytes]) => sum + bytes.length, 0);
    if (pending > 16_384) flushOutput(this.machine.output, this.sys);
    if (pending > MAX_TEXT) throw new ToolFailure('out of memory', 2);
  }

  // instructions

  private execute([operation, a, b]: Instruction): void {
    const { machine } = this;
    switch (operation) {
      case 'push-number':
        return this.push(a as number);
      case 'push-string':
        return this.push(a as string);
      case 'push-regex':
        return this.push({ r: a as string });
      case 'push-null':
        return this.push(null);
      case 'push-array':
        return this.push({ a: this.arrayId(a as string) });
      case 'push-reference':
        return this.pushReference(a as string);
      case 'pop':
        machine.stack.pop();
        return;
      case 'duplicate':
        return this.push(machine.stack.at(-1) ?? null);
      case 'duplicate-under': {
        const top = this.pop();
        const under = this.pop();
        machine.stack.push(top, under, top);
        return;
      }
      case 'drop-under': {
        const top = this.pop();
        this.pop();
        return this.push(top);
      }
      case 'load':
        return this.push(this.load(a as string));
      case 'store':
        return this.store(a as string, machine.stack.at(-1) ?? null);
      case 'field':
        return this.push(this.field(Math.trunc(this.popNumber())));
      case 'store-field': {
        const value = this.pop();
        this.setField(Math.trunc(this.popNumber()), textOf(value, this.convert()));
        return this.push(value);
      }
      case 'element': {
        const array = this.array(a as string);
        const key = keyOf(this.popText());
        if (!Object.hasOwn(array, key)) {
          this.setElement(array, key, null);
          this.sys.charge(2);
        }
        return this.push(array[key]!);
      }
      case 'store-element': {
        const value = this.pop();
        this.setElement(this.array(a as string), keyOf(this.popText()), value);
        return this.push(value);
      }
      case 'join': {
        const parts = machine.stack.splice(machine.stack.length - (a as number));
        return this.push(parts.map((cell) => textOf(cell, this.convert())).join(this.setting('SUBSEP', '\x1c')));
      }
      case 'in':
        return this.push(Object.hasOwn(this.array(a as string), keyOf(this.popText())) ? 1 : 0);
      case 'delete':
        this.deleteElement(this.array(a as string), keyOf(this.popText()));
        return;
      case 'delete-all':
        for (const key of Object.keys(this.array(a as string))) this.deleteElement(this.array(a as string), key);
        return;
      case 'jump':
        machine.pc = a as number;
        return;
      case 'jump-false':
        if (!isTrue(this.pop())) machine.pc = a as number;
        return;
      case 'jump-true':
        if (isTrue(this.pop())) machine.pc = a as number;
        return;
      case 'or':
      case 'and': {
        const value = isTrue(this.pop());
        if (value !== (operation === 'or')) return;
        this.push(value ? 1 : 0);
        machine.pc = a as number;
        return;
      }
      case 'truth':
        return this.push(isTrue(this.pop()) ? 1 : 0);
      case 'not':
        return this.push(isTrue(this.pop()) ? 0 : 1);
      case 'negate':
        return this.push(-this.popNumber());
      case 'number':
        return this.push(this.popNumber());
      case 'group':
        return;
      case 'concatenate': {
        const right = this.popText();
        const text = this.popText() + right;
        if (text.length > MAX_TEXT) throw new ToolFailure('out of memory', 2);
        return this.push(text);
      }
      case 'arithmetic':
        return this.arithmetic(a as string);
      case 'compare': {
        const right = this.pop();
        const order = compareCells(this.pop(), right);
        const results: Readonly<Record<string, boolean>> = {
          '<': order < 0,
          '<=': order <= 0,
          '==': order === 0,
          '!=': order !== 0,
          '>=': order >= 0,
          '>': order > 0,
        };
        return this.push(results[a as string] ? 1 : 0);
      }
      case 'match': {
        const pattern = this.popText();
        const text = this.popText();
        this.sys.charge(1 + (text.length >> 3));
        return this.push(this.regex(pattern).test(text) === (a === 0) ? 1 : 0);
      }
      case 'range-start':
        if (machine.ranges[b as number] === true) this.pop();
        else if (isTrue(this.pop())) machine.ranges[b as number] = true;
        else machine.pc = a as number;
        return;
      case 'range-end':
        if (isTrue(this.pop())) machine.ranges[a as number] = false;
        return this.push(1);
      case 'iterate': {
        const keys = Object.keys(this.array(a as string));
        machine.iterations.push({ array: this.arrayId(a as string), keys, at: 0 });
        this.sys.charge(keys.length >> 2);
        return;
      }
      case 'iterate-next':
        return this.iterate(a as number);
      case 'break-iteration':
        machine.iterations.pop();
        machine.pc = a as number;
        return;
      case 'print': {
        const target = b === '' ? null : this.pop();
        const cells = machine.stack.splice(machine.stack.length - (a as number));
        if (b !== '') this.push(target);
        const format = this.setting('OFMT', '%.6g');
        return this.print(
          cells.map((cell) => textOf(cell, format)).join(this.setting('OFS', ' ')) + this.setting('ORS', '\n'),
          b as string,
        );
      }
      case 'printf': {
        const target = b === '' ? null : this.pop();
        const [format = null, ...values] = machine.stack.splice(machine.stack.length - (a as number));
        if (b !== '') this.push(target);
        return this.print(formatAwk(textOf(format), values), b as string);
      }
      case 'getline':
        return this.getline(a as string, b === 1);
      case 'getline-record':
        if (machine.status === 1) this.setRecord(machine.line!);
        return this.push(machine.status);
      case 'getline-value':
        if (machine.status === 1) return this.push(inputCell(machine.line!));
        this.push(machine.status);
        machine.pc = a as number;
        return;
      case 'call':
        return this.call(a as string, b as number);
      case 'return':
        return this.return();
      case 'call-rule':
        machine.rules.push(machine.pc);
        machine.pc = a as number;
        return;
      case 'return-rule':
        machine.pc = machine.rules.pop()!;
        return;
      case 'next-record': {
        const record = this.readMain();
        if (record === undefined) return;
        if (record === null) {
          machine.pc = a as number;
          machine.isEnding = true;
        } else {
          this.setRecord(record);
          this.count('NR', 'FNR');
        }
        return;
      }
      case 'next':
      case 'nextfile':
        if (operation === 'nextfile' && machine.main !== null) Object.assign(machine.main, { rest: '', isEnded: true });
        this.unwind();
        machine.pc = this.compiled.nextAt;
        return;
      case 'exit':
        if (a === 1) machine.exitCode = Math.trunc(this.popNumber()) & 255;
        this.unwind();
        machine.pc = machine.isEnding ? this.compiled.code.length - 2 : this.compiled.endAt;
        machine.isEnding = true;
        return;
      case 'finish':
        this.isFinished = true;
        return;
      case 'builtin':
        return this.builtin(a as string, b as number);
      case 'substitute':
        return this.substitute(a as string, b === 1);
      case 'take-count':
        return this.push(machine.count);
      default:
        throw new ToolFailure(`unknown instruction ${operation}`, 2);
    }
  }

  private unwind(): void {
    Object.assign(this.machine, { stack: [], frames: [], rules: [], iterations: [] });
  }

  private arithmetic(operator: string): void {
    const right = this.popNumber();
    const left = this.popNumber();
    if ((operator === '/' || operator === '%') && right === 0) {
      throw new ToolFailure(operator === '/' ? 'division by zero' : 'division by zero in %', 2);
    }
    const results: Readonly<Record<string, number>> = {
      ...{
        '+': left + right,
        '-': left - right,
        '*': left * right,
        '/': left / right,
        '%': left % right,
        '^': left ** right,
      },
    };
    this.push(results[operator]!);
  }

  private iterate(endAt: number): void {
    const { machine } = this;
    const iteration = machine.iterations.at(-1)!;
    const array = machine.arrays[iteration.array] ?? {};
    while (iteration.at < iteration.keys.length) {
      const key = iteration.keys[iteration.at++]!;
      if (!Object.hasOwn(array, key)) continue;
      return this.push(inputCell(key));
    }
    machine.iterations.pop();
    machine.pc = endAt;
  }

  private pushReference(name: string): void {
    const frame = this.machine.frames.at(-1);
    if (frame !== undefined && Object.hasOwn(frame.locals, name)) {
      const cell = frame.locals[name]!;
      if (cell !== null) return this.push(cell);
      const reference = { u: `l:${this.machine.arrayCount++}` };
      frame.locals[name] = reference;
      return this.push(reference);
    }
    if (this.compiled.arrays.has(name) || this.machine.arrays[`g:${name}`] !== undefined)
      return this.push({ a: `g:${name}` });
    this.push(name === 'NF' ? this.load(name) : (this.machine.globals[name] ?? { u: `g:${name}` }));
  }

  private call(name: string, count: number): void {
    const { machine } = this;
    const target = this.compiled.functions[name];
    if (target === undefined) throw new ToolFailure(`function ${name} never defined`, 2);
    if (machine.frames.length >= MAX_DEPTH) throw new ToolFailure('function call nesting too deep', 2);
    const values = machine.stack.splice(machine.stack.length - count);
    if (count > target.parameters.length) throw new ToolFailure(`too many arguments in call to ${name}`, 2);
    const locals = Object.fromEntries(target.parameters.map((parameter, i) => [parameter, values[i] ?? null]));
    machine.frames.push({ returnAt: machine.pc, locals, iterations: machine.iterations.length, name });
    machine.pc = target.at;
  }

  private return(): void {
    const { machine } = this;
    const frame = machine.frames.pop();
    if (frame === undefined) throw new ToolFailure('return outside function body', 2);
    machine.iterations.length = frame.iterations;
    machine.pc = frame.returnAt;
  }

  private getline(source: string, hasAddress: boolean): void {
    const { machine } = this;
    if (source === '') {
      const record = this.readMain();
      if (record === undefined) return;
      machine.status = record === null ? 0 : 1;
      machine.line = record;
      if (record !== null) this.count('NR', 'FNR');
      return;
    }
    const depth = hasAddress ? 2 : 1;
    const name = textOf(machine.stack.at(-depth) ?? null, this.convert());
    const reader = this.readerOf(source, name);
    const record = reader === undefined ? null : this.readRecord(reader);
    if (record === undefined) return;
    machine.stack.splice(machine.stack.length - depth, 1);
    machine.status = reader === undefined ? -1 : record === null ? 0 : 1;
    machine.line = record;
    if (record !== null && source === 'command') this.count('NR');
  }

  private substitute(name: string, hasAddress: boolean): void {
    const { machine } = this;
    const text = this.popText();
    const address = hasAddress ? this.pop() : null;
    const replacement = this.popText();
    const regex = this.regex(this.popText());
    let result = '';
    let at = 0;
    machine.count = 0;
    this.sys.charge(1 + (text.length >> 3));
    for (const match of findAll(regex, text)) {
      machine.count++;
      const matched = text.slice(match.start, match.end);
      result +=
        text.slice(at, match.start) +
        replacement.replace(/\\\\&|\\&|&|\\\\/g, (c) =>
          c === '&' ? matched : c === '\\&' ? '&' : c === '\\\\&' ? `\\${matched}` : '\\',
        );
      at = match.end;
      if (result.length > MAX_TEXT) throw new ToolFailure('out of memory', 2);
      if (name === 'sub') break;
    }
    if (machine.count === 0) {
      // Nothing is stored: the record is not built again.
      machine.pc += 2;
      return;
    }
    if (hasAddress) this.push(address);
    this.push(result + text.slice(at));
  }

  private builtin(name: string, count: number): void {
    if (name === 'system') return this.system();
    if (name === 'close') return this.close();
    const args = this.machine.stack.splice(this.machine.stack.length - count);
    this.push(this.compute(name, args));
  }

  private compute(name: string, args: readonly Cell[]): Cell {
    const { machine, sys } = this;
    const text = (i: number) => textOf(args[i] ?? null, this.convert());
    const number = (i: number) => numberOf(args[i] ?? null);
    switch (name) {
      case 'length': {
        const [first] = args;
        if (first !== null && typeof first === 'object' && ('a' in first || 'u' in first)) {
          return Object.keys(machine.arrays['a' in first ? first.a : first.u] ?? {}).length;
        }
        return (args.length === 0 ? machine.record : text(0)).length;
      }
      case 'substr': {
        const whole = text(0);
        const start = Math.round(number(1));
        const end = args.length > 2 ? Math.round(number(1) + number(2)) : Infinity;
        return whole.slice(Math.max(0, start - 1), Math.max(0, Math.min(end - 1, whole.length)));
      }
      case 'index':
        return text(0).indexOf(text(1)) + 1;
      case 'split':
        return this.splitInto(text(0), args[1] ?? null, args.length > 2 ? args[2]! : this.setting('FS', ' '));
      case 'match': {
        const match = this.regex(text(1)).find(text(0));
        machine.globals['RSTART'] = match === undefined ? 0 : match.start + 1;
        machine.globals['RLENGTH'] = match === undefined ? -1 : match.end - match.start;
        return machine.globals['RSTART'];
      }
      case 'sprintf':
        return formatAwk(text(0), args.slice(1));
      case 'tolower':
        return text(0).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
      case 'toupper':
        return text(0).replace(/[a-z]+/g, (letters) => letters.toUpperCase());
      case 'int':
        return Math.trunc(number(0));
      case 'rand':
        machine.seed = (Math.imul(machine.seed, 1_103_515_245) + 12_345) & 0x7fffffff;
        return machine.seed / 0x80000000;
      case 'srand': {
        const before = machine.previousSeed;
        machine.previousSeed = args.length > 0 ? number(0) : Math.floor(sys.now / 1_000);
        machine.seed = machine.previousSeed | 0;
        return before;
      }
      case 'fflush':
        flushOutput(machine.output, sys);
        return 0;
      case 'systime':
        return Math.floor(sys.now / 1_000);
      case 'strftime':
        return formatDate(
          args.length > 0 ? text(0) : '%a %b %e %H:%M:%S %Z %Y',
          args.length > 1 ? number(1) * 1_000 : sys.now,
        );
      case 'atan2':
        return Math.atan2(number(0), number(1));
      default:
        return computeNumber(name, number(0), number(1));
    }
  }

  private splitInto(text: Bytes, target: Cell, separator: Cell): number {
    if (target === null || typeof target !== 'object' || !('a' in target))
      throw new ToolFailure('split: second argument is not an array', 2);
    const isRegex = separator !== null && typeof separator === 'object' && 'r' in separator;
    const parts = this.split(text, textOf(separator), isRegex);
    this.machine.arrays[target.a] = Object.fromEntries(parts.map((part, i) => [String(i + 1), inputCell(part)]));
    return parts.length;
  }

  private system(): void {
    const { machine, sys } = this;
    if (machine.child === 0) {
      const blocked = flushOutput(machine.output, sys);
      if (blocked !== undefined) {
        this.wait = blocked;
        return;
      }
      machine.child = this.spawn(textOf(machine.stack.at(-1) ?? null), { 0: 0, 1: 1, 2: 2 });
    }
    const ended = sys.wait(machine.child);
    if (ended === undefined) {
      this.wait = waitForChild;
      return;
    }
    machine.child = 0;
    this.pop();
    this.push(ended.state === 'exited' ? ended.code : 256);
  }

  private close(): void {
    const { machine, sys } = this;
    const name = keyOf(textOf(machine.stack.at(-1) ?? null));
    const open: Writer | undefined = machine.writers[name] ?? machine.readers[name];
    if (open === undefined) {
      this.pop();
      return this.push(-1);
    }
    const blocked = flushOutput(machine.output, sys);
    if (blocked !== undefined) {
      this.wait = blocked;
      return;
    }
    if (open.descriptor > 2) sys.close(open.descriptor);
    open.descriptor = -1;
    const ended = open.child === 0 ? { code: 0 } : sys.wait(open.child);
    if (ended === undefined) {
      this.wait = waitForChild;
      return;
    }
    delete machine.writers[name];
    delete machine.readers[name];
    this.pop();
    this.push(ended.code);
  }
}

function computeNumber(name: string, x: number, y: number): number {
  switch (name) {
    case 'sin':
      return Math.sin(x);
    case 'cos':
      return Math.cos(x);
    case 'exp':
      return Math.exp(x);
    case 'log':
      return Math.log(x);
    case 'sqrt':
      return Math.sqrt(x);
    case 'and':
      return Number(BigInt(Math.trunc(x)) & BigInt(Math.trunc(y)));
    case 'or':
      return Number(BigInt(Math.trunc(x)) | BigInt(Math.trunc(y)));
    case 'xor':
      return Number(BigInt(Math.trunc(x)) ^ BigInt(Math.trunc(y)));
    case 'lshift':
      return Math.trunc(x) * 2 ** y;
    case 'rshift':
      return Math.floor(Math.trunc(x) / 2 ** y);
    default:
      throw new ToolFailure(`function ${name} is not there`, 2);
  }
}
