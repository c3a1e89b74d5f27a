import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Wait } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { compileRegex, type PosixRegex, RegexFault } from '../patterns/posix-regex.js';
import { ToolFailure } from '../framework/tool.js';
import type { Compiled } from './emitter.js';
import type { Machine } from './machine.js';
import { type Cell, numberOf, textOf } from './values.js';

const ELEMENT_BYTES = 100;
const MAX_MEMORY = 16 << 20;
const MAX_STACK = 100_000;
/** Texts that are longer cost steps wherever they are taken or made. */
const SHORT = 256;

/** The stack, variables and arrays of a Machine. */
export abstract class Cells {
  protected wait: Wait | undefined;

  constructor(
    protected readonly machine: Machine,
    protected readonly compiled: Compiled,
    protected readonly sys: Syscalls,
  ) {}

  protected abstract splitRecord(): Bytes[];
  protected abstract setFieldCount(count: number): void;
  private spendFor(cell: Cell): Cell {
    if (typeof cell === 'string' && cell.length > SHORT) this.sys.charge(cell.length >> 5);
    return cell;
  }

  protected pop(): Cell {
    return this.spendFor(this.machine.stack.pop() ?? null);
  }

  /** The topmost cells, in their order. */
  protected popMany(count: number): Cell[] {
    const cells = this.machine.stack.splice(this.machine.stack.length - count);
    for (const cell of cells) this.spendFor(cell);
    return cells;
  }

  protected push(cell: Cell): void {
    this.machine.stack.push(this.spendFor(cell));
    if (this.machine.stack.length > MAX_STACK) throw new ToolFailure('function call nesting too deep', 2);
  }

  protected popText(): Bytes {
    return textOf(this.pop(), this.convert());
  }

  protected popNumber(): number {
    return numberOf(this.pop());
  }

  protected convert(): string {
    const format = this.machine.globals['CONVFMT'];
    return typeof format === 'string' ? format : '%.6g';
  }

  protected setting(name: string, otherwise: Bytes): Bytes {
    const cell = this.machine.globals[name];
    return cell === undefined ? otherwise : textOf(cell);
  }

  protected regex(pattern: Bytes): PosixRegex {
    try {
      return compileRegex(pattern, 'awk');
    } catch (error) {
      if (error instanceof RegexFault)
        throw new ToolFailure(`regular expression compile failed (${error.message})\n${pattern}`, 2);
      throw error;
    }
  }

  protected load(name: string): Cell {
    if (name === 'NF') return this.splitRecord().length;
    const frame = this.machine.frames.at(-1);
    if (frame !== undefined && Object.hasOwn(frame.locals, name)) return frame.locals[name]!;
    return this.machine.globals[name] ?? null;
  }

  protected store(name: string, cell: Cell): void {
    const value = cell !== null && typeof cell === 'object' && ('u' in cell || 'a' in cell) ? null : cell;
    if (name === 'NF') return this.setFieldCount(numberOf(value));
    const frame = this.machine.frames.at(-1);
    if (frame !== undefined && Object.hasOwn(frame.locals, name)) frame.locals[name] = value;
    else this.machine.globals[name] = value;
  }

  /** A name's array; a local that is used as one becomes one. */
  protected array(name: string): Record<string, Cell> {
    const id = this.arrayId(name);
    return (this.machine.arrays[id] ??= {});
  }

  protected setElement(array: Record<string, Cell>, key: string, value: Cell): void {
    const { machine } = this;
    const before = Object.hasOwn(array, key) ? sizeOf(array[key]!) : -ELEMENT_BYTES - key.length;
    machine.memory = Math.max(0, machine.memory + sizeOf(value) - before);
    array[key] = value;
    if (machine.memory > MAX_MEMORY) throw new ToolFailure('out of memory', 2);
  }

  protected deleteElement(array: Record<string, Cell>, key: string): void {
    const { machine } = this;
    if (!Object.hasOwn(array, key)) return;
    machine.memory = Math.max(0, machine.memory - ELEMENT_BYTES - key.length - sizeOf(array[key]!));
    delete array[key];
  }

  protected clearArray(id: string): void {
    const array = this.machine.arrays[id] ?? {};
    const keys = Object.keys(array);
    this.sys.charge(keys.length >> 2);
    for (const key of keys) this.deleteElement(array, key);
  }

  protected arrayId(name: string): string {
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

  protected pushReference(name: string): void {
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
}

const sizeOf = (value: Cell): number => (typeof value === 'string' ? value.length : 8);
