import { Emitter, type LValue } from './emitter.js';

/** What stands between operators: constants, places, calls. */
export abstract class Primaries extends Emitter {
  protected abstract expression(): void;
  /**
   * What was compiled last is a load: makes it a place again. Its address (a field's number, a key) stays on the stack.
   */
  protected takeLValue(start: number): LValue {
    const last = this.code.length - 1;
    const [operation, name] = this.code[last] ?? ['none'];
    if (last < start) this.fail();
    if (operation === 'load') {
      this.code.pop();
      return { kind: 'name', name: String(name) };
    }
    if (operation === 'field') {
      this.code.pop();
      return { kind: 'field', name: '' };
    }
    if (operation === 'element') {
      this.code.pop();
      return { kind: 'element', name: String(name) };
    }
    this.fail();
  }

  protected load({ kind, name }: LValue, keepsAddress: boolean): void {
    if (kind === 'name') this.emit('load', name);
    else {
      if (keepsAddress) this.emit('duplicate');
      this.emit(kind === 'field' ? 'field' : 'element', name);
    }
  }

  /** Stores the value on the stack, which stays there. */
  protected assign({ kind, name }: LValue): void {
    this.emit(kind === 'name' ? 'store' : kind === 'field' ? 'store-field' : 'store-element', name);
  }

  protected arrayName(name: string): string {
    if (!this.locals.includes(name)) this.arrays.add(name);
    return name;
  }

  /** ++ and --: leaves the old value (after) or the new one (before). */
  protected step(target: LValue, text: string, isAfter: boolean): void {
    this.load(target, true);
    if (isAfter) this.emit('number');
    if (isAfter) this.emit(target.kind === 'name' ? 'duplicate' : 'duplicate-under');
    this.emit('push-number', 1);
    this.emit('arithmetic', text[0]!);
    this.assign(target);
    if (isAfter) this.emit('pop');
  }

  protected list(closing: string): number {
    let count = 0;
    this.skipNewlines();
    while (!this.is(closing)) {
      this.expression();
      count++;
      this.skipNewlines();
      if (!this.take(',')) break;
      this.skipNewlines();
    }
    return count;
  }

  protected subscript(): void {
    const outer = this.isInPrint;
    this.isInPrint = false;
    const count = this.list(']');
    this.need(']');
    this.isInPrint = outer;
    this.emit('join', count);
  }

  protected isEnd(): boolean {
    return this.is('}') || this.is(';') || this.is('\n') || this.token.type === 'end';
  }

  protected primary(): void {
    const { token } = this;
    this.at++;
    switch (token.type) {
      case 'number':
        this.emit('push-number', Number(token.text));
        return;
      case 'string':
        this.emit('push-string', token.text);
        return;
      case 'regex':
        this.emit('push-number', 0);
        this.emit('field');
        this.emit('push-string', token.text);
        this.emit('match', 0);
        return;
      case 'name':
        if (!this.take('[')) {
          this.emit('load', token.text);
          return;
        }
        this.subscript();
        this.emit('element', this.arrayName(token.text));
        return;
      case 'call':
        this.need('(');
        return this.call(token.text);
      case 'builtin':
        return this.builtin(token.text);
      default:
        this.at--;
        this.otherPrimary();
    }
  }

  protected otherPrimary(): void {
    if (this.take('$')) {
      const sign = this.is('++') || this.is('--') ? this.token.text : '';
      if (sign !== '') {
        this.at++;
        const start = this.code.length;
        this.primary();
        this.step(this.takeLValue(start), sign, false);
      } else if (this.take('-')) {
        this.primary();
        this.emit('negate');
      } else this.primary();
      this.emit('field');
    } else if (this.take('getline')) this.getlineTarget('');
    else if (this.is('++') || this.is('--')) {
      const { text } = this.token;
      this.at++;
      const start = this.code.length;
      this.primary();
      this.step(this.takeLValue(start), text, false);
    } else if (this.take('(')) this.group();
    else this.fail();
  }

  /** (expression), or (i, j) in array. */
  protected group(): void {
    const outer = this.isInPrint;
    this.isInPrint = false;
    const count = this.list(')');
    this.need(')');
    this.isInPrint = outer;
    if (count > 1) {
      this.emit('join', count);
      if (!this.is('in')) this.fail();
    } else this.emit('group');
  }

  /** `getline`, `getline x`, `getline x < file`, and behind a command. */
  protected getlineTarget(source: string): void {
    const start = this.code.length;
    const { token } = this;
    let target: LValue | undefined;
    if (token.type === 'name' || token.text === '$') {
      if (token.text === '$') this.otherPrimary();
      else this.primary();
      target = this.takeLValue(start);
    }
    let from = source;
    if (from === '' && this.is('<')) {
      this.at++;
      this.primary();
      from = 'file';
    }
    // The address of the target lies above a command, and below a file's name.
    const hasAddress = target !== undefined && target.kind !== 'name';
    this.emit('getline', from, hasAddress && from === 'command' ? 1 : 0);
    if (target === undefined) this.emit('getline-record');
    else {
      const skip = this.emit('getline-value');
      this.assign(target);
      this.emit('pop');
      this.emit('push-number', 1);
      const end = this.emit('jump');
      this.patch(skip);
      if (hasAddress) this.emit('drop-under');
      this.patch(end);
    }
  }

  protected call(name: string): void {
    let count = 0;
    const outer = this.isInPrint;
    this.isInPrint = false;
    this.skipNewlines();
    while (!this.is(')')) {
      const next = this.tokens[this.at + 1]!;
      // A bare name may be an array.
      if (this.token.type === 'name' && next.type === 'operator' && [',', ')'].includes(next.text)) {
        this.emit('push-reference', this.token.text);
        this.at++;
      } else this.expression();
      count++;
      this.skipNewlines();
      if (!this.take(',')) break;
      this.skipNewlines();
    }
    this.need(')');
    this.isInPrint = outer;
    this.emit('call', name, count);
  }

  protected builtin(name: string): void {
    if (!this.is('(')) {
      if (name !== 'length') this.fail();
      this.emit('push-number', 0);
      this.emit('field');
      this.emit('builtin', name, 1);
      return;
    }
    this.need('(');
    const outer = this.isInPrint;
    this.isInPrint = false;
    let count = 0;
    let target: LValue | undefined;
    this.skipNewlines();
    while (!this.is(')')) {
      const start = this.code.length;
      const next = this.tokens[this.at + 1]!;
      const isBareName = this.token.type === 'name' && next.type === 'operator' && [',', ')'].includes(next.text);
      const isRegexPlace = { split: 2, sub: 0, gsub: 0, match: 1 }[name] === count;
      if (
        isBareName &&
        ((name === 'split' && count === 1) || (name === 'length' && this.mayBeArray(this.token.text)))
      ) {
        this.emit('push-array', this.arrayName(this.token.text));
        this.at++;
      } else if (isRegexPlace && this.token.type === 'regex') {
        this.emit('push-regex', this.token.text);
        this.at++;
      } else this.expression();
      if ((name === 'sub' || name === 'gsub') && count === 2) {
        target = this.takeLValue(start);
        this.load(target, true);
      }
      count++;
      this.skipNewlines();
      if (!this.take(',')) break;
      this.skipNewlines();
    }
    this.need(')');
    this.isInPrint = outer;
    if (name === 'sub' || name === 'gsub') this.substitution(name, target);
    else this.emit('builtin', name, count);
  }

  protected mayBeArray(name: string): boolean {
    return this.arrays.has(name) || this.locals.includes(name);
  }

  /** The stack has: pattern, replacement, the target's address if it has one, its value. */
  protected substitution(name: string, given: LValue | undefined): void {
    let target = given;
    if (target === undefined) {
      this.emit('push-number', 0);
      target = { kind: 'field', name: '' };
      this.load(target, true);
    }
    this.emit('substitute', name, target.kind === 'name' ? 0 : 1);
    this.assign(target);
    this.emit('pop');
    this.emit('take-count');
  }
}
