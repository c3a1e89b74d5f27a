import type { Node } from './ast.js';
import { SyntaxIssue } from './errors.js';
import { parse } from './parser.js';

/** What an expression names beyond the variables of its own macros. */
export interface Named {
  /** Variables; those of which only entries of literal keys are asked for stand in `entries` instead. */
  readonly whole: ReadonlySet<string>;
  /** By variable, the literal keys: of `pod['default/db']`, and of `'default/db' in pod`. */
  readonly entries: ReadonlyMap<string, ReadonlySet<string>>;
  /** Functions that are called. */
  readonly functions: ReadonlySet<string>;
}

const NONE: Named = { whole: new Set(), entries: new Map(), functions: new Set() };
const INDEXED: ReadonlySet<string> = new Set(['_[_]', '_[?_]']);

/** What is named by a text, or by what was parsed of it; nothing for a text that cannot be parsed. */
export function namesOf(of: string | Node): Named {
  try {
    const collector = new Collector();
    collector.visit(typeof of === 'string' ? parse(of) : of, new Set());
    return collector;
  } catch (error) {
    // Whoever compiles it says what is wrong with it.
    if (error instanceof SyntaxIssue) return NONE;
    throw error;
  }
}

class Collector implements Named {
  readonly whole = new Set<string>();
  readonly entries = new Map<string, Set<string>>();
  readonly functions = new Set<string>();

  visit(node: Node, bound: ReadonlySet<string>): void {
    switch (node.kind) {
      case 'literal':
        return;
      case 'ident':
        if (!bound.has(node.name)) this.whole.add(node.name);
        return;
      case 'select':
        return this.visit(node.operand, bound);
      case 'call':
        return this.visitCall(node, bound);
      case 'macro': {
        this.visit(node.target, bound);
        const inner = new Set([...bound, ...node.vars]);
        return node.args.forEach((arg) => this.visit(arg, inner));
      }
      case 'list':
        return node.items.forEach(({ value }) => this.visit(value, bound));
      case 'map':
        return node.entries.forEach(({ key, value }) => [key, value].forEach((one) => this.visit(one, bound)));
      case 'struct':
        return node.fields.forEach(({ value }) => this.visit(value, bound));
    }
  }

  private visitCall({ fn, target, args }: Extract<Node, { kind: 'call' }>, bound: ReadonlySet<string>): void {
    this.functions.add(fn);
    const [first, second] = args;
    const [holder, key] = INDEXED.has(fn) ? [first, second] : fn === '@in' ? [second, first] : [];
    if (holder?.kind === 'ident' && !bound.has(holder.name) && key?.kind === 'literal' && typeof key.value === 'string')
      return this.addEntry(holder.name, key.value);
    if (target) this.visit(target, bound);
    for (const arg of args) this.visit(arg, bound);
  }

  private addEntry(name: string, key: string): void {
    const keys = this.entries.get(name);
    if (keys) keys.add(key);
    else this.entries.set(name, new Set([key]));
  }
}
