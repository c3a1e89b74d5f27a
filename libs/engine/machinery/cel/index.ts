import { growingCache } from '../cache.js';
import type { Macro, Node } from './ast.js';
import { Checker, type Declarations } from './check.js';
import { Estimator, type Sizes } from './cost/estimate.js';
import { issueText, SyntaxIssue } from './errors.js';
import { Evaluation, type Known, type Lookup } from './evaluate.js';
import { functions as builtIn } from './functions.js';
import type { Functions } from './registry.js';
import { parse } from './parser.js';
import { type Type, typeText } from './types.js';
import type { Value } from './values.js';

export type { Sizes } from './cost/estimate.js';
export { CostError, EvaluationError } from './errors.js';
export type { Known, Lookup } from './evaluate.js';
export { authorizer, resourceCheck, type Authorization, type Decide } from './library/collections.js';
export { quantity, semver } from './library/kubernetes.js';
export type { Macro, Node } from './ast.js';
export { functionsWith } from './functions.js';
export { namesOf, type Named } from './names.js';
export type { Library } from './registry.js';
export * from './types.js';
export { adapt, Optional, Timestamp, toJson, type Value } from './values.js';

/** Upstream's limits: cost of one call, and of all rules for one object. Models apiserver/pkg/apis/cel/config.go. */
export const PER_CALL_LIMIT = 1_000_000;
export const COST_BUDGET = 10_000_000;

const MAX_CACHED_PROGRAMS = 2_000;

/** A checked expression. */
export interface Program {
  readonly text: string;
  readonly type: Type;
  readonly root: Node;
  /** Does it name this variable? */
  uses(name: string): boolean;
  /** The most that it may cost for values of such sizes, in the units that upstream limits. */
  estimate(sizes: Sizes): number;
  /** Whether a part that asks yes or no of one item holds of it: of a macro with one variable. Throws as `run` does. */
  holdsOf(macro: Macro, item: Value): { readonly holds: boolean; readonly cost: number };
  /** The value and what it cost. Throws EvaluationError, and CostError past the limit of one call. */
  run(lookup: Lookup, known?: Known): { readonly value: Value; readonly cost: number };
}

/** Either a program or cel-go's account of what is wrong: 'ERROR: <input>:1:5: undefined field ...'. */
export type Compiled =
  | { readonly program: Program; readonly error?: undefined }
  | { readonly program?: undefined; readonly error: string };

/** Compiles texts against the same declarations, each once. */
export class Environment {
  private readonly cache = growingCache<Compiled>(MAX_CACHED_PROGRAMS);

  constructor(
    private readonly declarations: Declarations,
    private readonly functions: Functions = builtIn,
  ) {}

  compile(text: string): Compiled {
    const known = this.cache.get(text);
    if (known) return known;
    const compiled = this.compileFresh(text);
    this.cache.set(text, compiled);
    return compiled;
  }

  private compileFresh(text: string): Compiled {
    let node: Node;
    try {
      node = parse(text);
    } catch (error) {
      if (error instanceof SyntaxIssue) return { error: issueText(text, error.issue) };
      throw error;
    }
    const { functions } = this;
    const checker = new Checker(this.declarations, functions);
    const type = checker.check(node);
    if (checker.issues.length > 0)
      return {
        error: checker.issues
          .sort((a, b) => a.at - b.at)
          .map((issue) => issueText(text, issue))
          .join('\n'),
      };
    const named = identifiers(node);
    return {
      program: {
        text,
        type,
        root: node,
        uses: (name) => named.has(name),
        estimate: (sizes) => {
          const types = new Map<Node, Type>();
          new Checker(this.declarations, functions, types).check(node);
          return new Estimator(types, sizes).of(node).cost;
        },
        holdsOf: (macro, item) => {
          const evaluation = new Evaluation(functions, () => undefined, PER_CALL_LIMIT);
          return { holds: evaluation.holdsOf(macro, item), cost: evaluation.cost };
        },
        run: (lookup, known) => {
          const evaluation = new Evaluation(functions, lookup, PER_CALL_LIMIT, known);
          const value = evaluation.run(node);
          return { value, cost: Math.ceil(evaluation.cost) };
        },
      },
    };
  }
}

/** Is the result a yes or no, or not known before it runs? */
export const mayBe = (type: Type, kind: Type['kind']): boolean => type.kind === kind || type.kind === 'any';
export { typeText };

function identifiers(root: Node): Set<string> {
  const names = new Set<string>();
  const pending: Node[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    switch (node.kind) {
      case 'ident':
        names.add(node.name);
        break;
      case 'select':
        pending.push(node.operand);
        break;
      case 'call':
        pending.push(...node.args, ...(node.target ? [node.target] : []));
        break;
      case 'macro':
        pending.push(node.target, ...node.args);
        break;
      case 'list':
        pending.push(...node.items.map((i) => i.value));
        break;
      case 'map':
        pending.push(...node.entries.flatMap((e) => [e.key, e.value]));
        break;
      case 'struct':
        pending.push(...node.fields.map((f) => f.value));
        break;
      case 'literal':
        break;
    }
  }
  return names;
}
