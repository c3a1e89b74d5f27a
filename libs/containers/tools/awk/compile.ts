import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Compiled } from './emitter.js';
import { Expressions } from './expressions.js';
import { readTokens } from './tokens.js';

type Loop = { breaks: number[]; continues: number[]; isIteration: boolean };

/** POSIX awk, compiled to a stack machine's code, so that a program can stop between any two instructions. */
export function compileAwk(program: Bytes): Compiled {
  return new Compiler(readTokens(program)).compile();
}

/** Rules, functions and statements. */
class Compiler extends Expressions {
  private readonly functions: Record<string, { at: number; parameters: string[] }> = {};
  private readonly loops: Loop[] = [];
  private ranges = 0;
  compile(): Compiled {
    const begins: [number, number][] = [];
    const rules: [number, number][] = [];
    const ends: [number, number][] = [];
    const save = this.tokens.length;
    this.skipTerminators();
    while (this.token.type !== 'end' && this.at < save) {
      if (this.take('function')) this.function();
      else {
        const kind = this.is('BEGIN') ? begins : this.is('END') ? ends : rules;
        if (kind !== rules) this.at++;
        const start = this.emit('jump');
        const bodyAt = this.code.length;
        if (kind === rules) this.rule();
        else {
          this.skipNewlines();
          this.block();
        }
        this.emit('return-rule');
        this.patch(start);
        kind.push([bodyAt, this.code.length]);
      }
      this.skipTerminators();
    }
    return this.link(begins, rules, ends);
  }

  /** Rules are called one after the other: BEGIN's, then the others for each record, then END's. */
  private link(begins: [number, number][], rules: [number, number][], ends: [number, number][]): Compiled {
    const startAt = this.code.length;
    for (const [at] of begins) this.emit('call-rule', at);
    const nextAt = this.code.length;
    if (rules.length > 0 || ends.length > 0) {
      const read = this.emit('next-record');
      for (const [at] of rules) this.emit('call-rule', at);
      this.emit('jump', nextAt);
      this.patch(read);
    }
    const endAt = this.code.length;
    for (const [at] of ends) this.emit('call-rule', at);
    this.emit('finish');
    // Execution begins behind the bodies.
    this.code.push(['start', startAt]);
    return { code: this.code, endAt, nextAt, functions: this.functions, arrays: this.arrays };
  }

  private function(): void {
    const name = this.token.text;
    this.at++;
    this.need('(');
    const parameters: string[] = [];
    while (!this.is(')')) {
      this.skipNewlines();
      parameters.push(this.token.text);
      this.at++;
      if (!this.take(',')) break;
      this.skipNewlines();
    }
    this.need(')');
    this.skipNewlines();
    const jump = this.emit('jump');
    this.functions[name] = { at: this.code.length, parameters };
    this.locals = parameters;
    this.block();
    this.emit('push-null');
    this.emit('return');
    this.locals = [];
    this.patch(jump);
  }

  private rule(): void {
    if (!this.is('{')) {
      this.expression();
      if (this.take(',')) this.rangeRule();
      const skip = this.emit('jump-false');
      if (this.is('{')) this.block();
      else this.printRecord();
      this.patch(skip);
    } else this.block();
  }

  /** The start's value is on the stack; leaves whether the record is in the range. */
  private rangeRule(): void {
    this.skipNewlines();
    const id = this.ranges++;
    this.emit('range-start', 0, id);
    const outside = this.code.length - 1;
    this.expression();
    this.emit('range-end', id);
    const done = this.emit('jump');
    this.patch(outside);
    this.emit('push-number', 0);
    this.patch(done);
  }

  private printRecord(): void {
    this.emit('push-number', 0);
    this.emit('field');
    this.emit('print', 1, '');
  }

  private block(): void {
    this.need('{');
    this.skipTerminators();
    while (!this.is('}')) {
      if (this.token.type === 'end') this.fail();
      this.statement();
      this.skipTerminators();
    }
    this.need('}');
  }

  private endStatement(): void {
    if (this.is('}') || this.token.type === 'end') return;
    if (!this.take(';') && !this.take('\n')) this.fail();
  }

  private statement(): void {
    if (this.is('{')) return this.block();
    if (this.take(';')) return;
    if (this.take('if')) return this.ifStatement();
    if (this.take('while')) return this.whileStatement();
    if (this.take('do')) return this.doStatement();
    if (this.take('for')) return this.forStatement();
    this.simpleStatement();
    this.endStatement();
  }

  private body(): void {
    this.skipNewlines();
    this.statement();
  }

  private ifStatement(): void {
    this.need('(');
    this.expression();
    this.need(')');
    const skip = this.emit('jump-false');
    this.body();
    const before = this.at;
    this.skipTerminators();
    if (!this.take('else')) {
      this.at = before;
      this.patch(skip);
      return;
    }
    const end = this.emit('jump');
    this.patch(skip);
    this.body();
    this.patch(end);
  }

  private loop(isIteration: boolean, run: () => number): void {
    const loop: Loop = { breaks: [], continues: [], isIteration };
    this.loops.push(loop);
    const continueAt = run();
    this.loops.pop();
    for (const index of loop.breaks) this.patch(index);
    for (const index of loop.continues) this.patch(index, continueAt);
  }

  private whileStatement(): void {
    this.need('(');
    const start = this.code.length;
    this.expression();
    this.need(')');
    const end = this.emit('jump-false');
    this.loop(false, () => {
      if (!this.take(';')) this.body();
      this.emit('jump', start);
      this.patch(end);
      return start;
    });
  }

  private doStatement(): void {
    const start = this.code.length;
    this.loop(false, () => {
      this.body();
      this.skipTerminators();
      this.need('while');
      const test = this.code.length;
      this.need('(');
      this.expression();
      this.need(')');
      this.emit('jump-true', start);
      return test;
    });
  }

  private forStatement(): void {
    this.need('(');
    const [name, word, array, close] = this.tokens.slice(this.at, this.at + 4);
    if (name?.type === 'name' && word?.text === 'in' && array?.type === 'name' && close?.text === ')') {
      this.at += 4;
      return this.forIn(name.text, array.text);
    }
    if (!this.is(';')) this.simpleStatement();
    this.need(';');
    this.skipNewlines();
    const test = this.code.length;
    let end = -1;
    if (!this.is(';')) {
      this.expression();
      end = this.emit('jump-false');
    }
    this.need(';');
    this.skipNewlines();
    const toBody = this.emit('jump');
    const increment = this.code.length;
    if (!this.is(')')) this.simpleStatement();
    this.need(')');
    this.emit('jump', test);
    this.patch(toBody);
    this.loop(false, () => {
      if (!this.take(';')) this.body();
      this.emit('jump', increment);
      if (end >= 0) this.patch(end);
      return increment;
    });
  }

  private forIn(name: string, array: string): void {
    this.emit('iterate', this.arrayName(array));
    const start = this.code.length;
    const next = this.emit('iterate-next', 0);
    this.loop(true, () => {
      this.assign({ kind: 'name', name });
      this.emit('pop');
      this.body();
      this.emit('jump', start);
      return start;
    });
    this.patch(next);
  }

  private simpleStatement(): void {
    if (this.is('print') || this.is('printf')) return this.printStatement();
    if (this.take('break') || this.take('continue')) {
      const isBreak = this.tokens[this.at - 1]!.text === 'break';
      const loop = this.loops.at(-1);
      if (loop === undefined) this.fail();
      (isBreak ? loop.breaks : loop.continues).push(
        this.emit(isBreak && loop.isIteration ? 'break-iteration' : 'jump'),
      );
    } else if (this.take('next')) this.emit('next');
    else if (this.take('nextfile')) this.emit('nextfile');
    else if (this.take('exit')) {
      const hasCode = !this.isEnd();
      if (hasCode) this.expression();
      this.emit('exit', hasCode ? 1 : 0);
    } else if (this.take('return')) {
      if (this.isEnd()) this.emit('push-null');
      else this.expression();
      this.emit('return');
    } else if (this.take('delete')) this.deleteStatement();
    else {
      this.expression();
      this.emit('pop');
    }
  }

  private deleteStatement(): void {
    const name = this.token.text;
    this.at++;
    if (!this.take('[')) {
      this.emit('delete-all', this.arrayName(name));
      return;
    }
    this.subscript();
    this.emit('delete', this.arrayName(name));
  }

  private printStatement(): void {
    const operation = this.token.text;
    this.at++;
    let count = 0;
    const outer = this.isInPrint;
    const isWrapped = this.is('(') && this.isWholeList();
    if (isWrapped) {
      this.at++;
      this.isInPrint = false;
      count = this.list(')');
      this.need(')');
      this.isInPrint = outer;
    } else if (!this.isEnd() && !this.is('>') && !this.is('>>') && !this.is('|')) {
      this.isInPrint = true;
      do {
        this.skipNewlines();
        this.expression();
        count++;
      } while (this.take(','));
      this.isInPrint = outer;
    }
    if (count === 0 && operation === 'print') {
      this.emit('push-number', 0);
      this.emit('field');
      count = 1;
    }
    let target = '';
    for (const redirection of ['>', '>>', '|']) {
      if (target !== '' || !this.take(redirection)) continue;
      target = redirection;
      this.isInPrint = true;
      this.concatenation();
      this.isInPrint = outer;
    }
    this.emit(operation, count, target);
  }

  /** Do the parentheses hold the whole list of print? */
  private isWholeList(): boolean {
    let depth = 0;
    for (let i = this.at; i < this.tokens.length; i++) {
      const { text, type } = this.tokens[i]!;
      if (type === 'operator' && text === '(') depth++;
      if (type === 'operator' && text === ')' && --depth === 0) {
        const next = this.tokens[i + 1]!;
        return (
          ['newline', 'end'].includes(next.type) ||
          (next.type === 'operator' && [';', '}', '>', '>>', '|'].includes(next.text))
        );
      }
    }
    return false;
  }
}
