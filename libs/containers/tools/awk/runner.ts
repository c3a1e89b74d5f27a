import { exit, type Wait, waitForChild } from '../../../engine/kernel/process/program.js';
import { flushOutput } from '../framework/output.js';
import { ToolFailure } from '../framework/tool.js';
import { Builtins } from './builtins.js';
import type { Instruction } from './emitter.js';
import { keyOf, MAX_TEXT } from './machine.js';
import { compareCells, formatAwk, inputCell, isTrue, textOf } from './values.js';

const MAX_DEPTH = 1_000;
/** A step that has charged so much ends: it has taken some milliseconds of a thread. */
const MAX_WORK = 20_000;

/** Runs instructions on a Machine until it ends, waits, or has used its steps. */
export class Runner extends Builtins {
  private isFinished = false;
  /** Undefined: there is more to do. */
  run(steps: number): Wait | undefined {
    const { machine, compiled } = this;
    for (let i = 0; i < steps && this.sys.charged < MAX_WORK; i++) {
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
        const parts = this.popMany(a as number);
        return this.push(parts.map((cell) => textOf(cell, this.convert())).join(this.setting('SUBSEP', '\x1c')));
      }
      case 'in':
        return this.push(Object.hasOwn(this.array(a as string), keyOf(this.popText())) ? 1 : 0);
      case 'delete':
        this.deleteElement(this.array(a as string), keyOf(this.popText()));
        return;
      case 'delete-all':
        this.clearArray(this.arrayId(a as string));
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
        const cells = this.popMany(a as number);
        if (b !== '') this.push(target);
        const format = this.setting('OFMT', '%.6g');
        return this.print(
          cells.map((cell) => textOf(cell, format)).join(this.setting('OFS', ' ')) + this.setting('ORS', '\n'),
          b as string,
        );
      }
      case 'printf': {
        const target = b === '' ? null : this.pop();
        const [format = null, ...values] = this.popMany(a as number);
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
}
