import { ToolFailure } from '../framework/tool.js';
import type { Token } from './tokens.js';

/** One instruction of the stack machine: the operation and its operands. */
export type Instruction = readonly [operation: string, a?: string | number, b?: string | number];

export interface Compiled {
  readonly code: readonly Instruction[];
  /** Where END's rules begin: `exit` goes there. */
  readonly endAt: number;
  /** Where the next record is read: `next` goes there. */
  readonly nextAt: number;
  readonly functions: Readonly<Record<string, { readonly at: number; readonly parameters: readonly string[] }>>;
  readonly arrays: ReadonlySet<string>;
}

/** A place that can be assigned to: a variable, a field, an element of an array. */
export type LValue = { readonly kind: 'name' | 'field' | 'element'; readonly name: string };

/** Reads tokens one after the other, and writes instructions. */
export class Emitter {
  protected readonly code: Instruction[] = [];
  protected at = 0;
  protected readonly arrays = new Set<string>();
  protected locals: string[] = [];
  /** Within print's list `>` redirects. */
  protected isInPrint = false;

  constructor(protected readonly tokens: readonly Token[]) {}
  protected get token(): Token {
    return this.tokens[this.at]!;
  }

  protected is(text: string): boolean {
    const { token } = this;
    return token.text === text && ['operator', 'keyword', 'newline', 'builtin'].includes(token.type);
  }

  protected take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  protected need(text: string): void {
    if (!this.take(text)) this.fail();
  }

  protected fail(): never {
    const { token } = this;
    const shown = token.type === 'newline' ? 'end of line' : token.text;
    throw new ToolFailure(`line ${token.line}: syntax error at or near ${shown}`, 2);
  }

  protected skipNewlines(): void {
    while (this.take('\n'));
  }

  protected skipTerminators(): void {
    while (this.take('\n') || this.take(';'));
  }

  protected emit(operation: string, a?: string | number, b?: string | number): number {
    return this.code.push([operation, a, b]) - 1;
  }

  protected patch(index: number, target = this.code.length): void {
    const [operation, , b] = this.code[index]!;
    this.code[index] = [operation, target, b];
  }
}
