import { Primaries } from './primaries.js';

const ASSIGNMENTS: Readonly<Record<string, string>> = {
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '/=': '/',
  '%=': '%',
  '^=': '^',
  '**=': '^',
};

/** Expressions, by falling precedence. */
export class Expressions extends Primaries {
  protected expression(): void {
    this.ternary();
  }

  protected ternary(): void {
    const start = this.code.length;
    this.or();
    if (this.take('?')) {
      this.skipNewlines();
      const skip = this.emit('jump-false');
      this.ternary();
      this.skipNewlines();
      this.need(':');
      this.skipNewlines();
      const end = this.emit('jump');
      this.patch(skip);
      this.ternary();
      this.patch(end);
      return;
    }
    const { text, type } = this.token;
    if (type !== 'operator' || (text !== '=' && ASSIGNMENTS[text] === undefined)) return;
    const target = this.takeLValue(start);
    this.at++;
    this.skipNewlines();
    if (text !== '=') this.load(target, true);
    this.ternary();
    if (text !== '=') this.emit('arithmetic', ASSIGNMENTS[text]!);
    this.assign(target);
  }

  protected or(): void {
    this.and();
    while (this.take('||')) {
      this.skipNewlines();
      const end = this.emit('or');
      this.and();
      this.emit('truth');
      this.patch(end);
    }
  }

  protected and(): void {
    this.membership();
    while (this.take('&&')) {
      this.skipNewlines();
      const end = this.emit('and');
      this.membership();
      this.emit('truth');
      this.patch(end);
    }
  }

  protected membership(): void {
    this.matching();
    while (this.take('in')) {
      this.emit('in', this.arrayName(this.token.text));
      this.at++;
    }
  }

  protected matching(): void {
    this.comparison();
    while (this.is('~') || (this.is('!') && this.tokens[this.at + 1]?.text === '~')) {
      const isNegated = this.take('!');
      this.need('~');
      this.pattern(() => this.comparison());
      this.emit('match', isNegated ? 1 : 0);
    }
  }

  /** A regular expression as an operand: a literal's text, or a value's. */
  protected pattern(otherwise: () => void): void {
    const { token } = this;
    if (token.type === 'regex') {
      this.at++;
      this.emit('push-string', token.text);
    } else otherwise();
  }

  protected comparison(): void {
    this.concatenation();
    const { text, type } = this.token;
    const isComparison = type === 'operator' && ['<', '<=', '==', '!=', '>=', '>'].includes(text);
    if (!isComparison || (this.isInPrint && text === '>')) return;
    this.at++;
    this.concatenation();
    this.emit('compare', text);
  }

  protected pipeGetline(): void {
    while (this.is('|') && this.tokens[this.at + 1]?.text === 'getline') {
      this.at += 2;
      this.getlineTarget('command');
    }
  }

  protected concatenation(): void {
    this.additive();
    for (;;) {
      if (this.is('|') && this.tokens[this.at + 1]?.text === 'getline') {
        this.pipeGetline();
        continue;
      }
      const { token } = this;
      const isOperand =
        ['number', 'string', 'name', 'call', 'builtin', 'regex'].includes(token.type) ||
        (token.type === 'operator' && ['$', '!', '(', '-', '+', '++', '--'].includes(token.text));
      if (!isOperand || token.text === 'in' || (token.text === '!' && this.tokens[this.at + 1]?.text === '~')) return;
      this.additive();
      this.emit('concatenate');
    }
  }

  protected additive(): void {
    this.multiplicative();
    while (this.is('+') || this.is('-')) {
      const { text } = this.token;
      this.at++;
      this.multiplicative();
      this.emit('arithmetic', text);
    }
  }

  protected multiplicative(): void {
    this.unary();
    while (this.is('*') || this.is('/') || this.is('%')) {
      const { text } = this.token;
      this.at++;
      this.unary();
      this.emit('arithmetic', text);
    }
  }

  protected unary(): void {
    if (this.take('!')) {
      this.unary();
      this.emit('not');
    } else if (this.take('-')) {
      this.unary();
      this.emit('negate');
    } else if (this.take('+')) {
      this.unary();
      this.emit('number');
    } else this.power();
  }

  protected power(): void {
    this.postfix();
    if (!this.take('^') && !this.take('**')) return;
    // It binds to the right, and tighter than a minus before it.
    if (this.take('-')) {
      this.power();
      this.emit('negate');
    } else this.power();
    this.emit('arithmetic', '^');
  }

  protected postfix(): void {
    const start = this.code.length;
    this.primary();
    const { text } = this.token;
    if (!this.is('++') && !this.is('--')) return;
    const [operation] = this.code.at(-1) ?? ['none'];
    if (!['load', 'field', 'element'].includes(operation)) return;
    this.at++;
    this.step(this.takeLValue(start), text, true);
  }
}
