import type { Expression } from '../kinds/terrarium/check/kind.js';
import {
  adapt,
  COST_BUDGET,
  EvaluationError,
  CostError,
  namesOf,
  type Known,
  type Macro,
  type Node,
  type Value,
} from '../machinery/cel/index.js';
import type { KubeObject } from '../machinery/meta/object.js';
import type { State } from '../runtime/state/state.js';
import { nameKey, type Resources } from './resources.js';

const QUANTIFIERS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'existsOne']);
const NONE: ReadonlySet<string> = new Set([]);

/**
 * Counts of the objects of which the condition of a macro holds, such as `pods.exists(p, ...)` and
 * `pods.filter(p, ...).size()`: after a change only what has changed is asked again, however many objects there are.
 * A cache that follows the state.
 */
export class Tallies {
  private readonly byExpression = new WeakMap<Expression, Known | null>();
  /** Of each resource that is counted, in this generation of names. */
  private byResource = new Map<string, Set<Tally>>();
  private readonly observed = new Set<string>();
  private generation = 0;

  constructor(
    private readonly state: State,
    private readonly resources: Resources,
  ) {}

  /** Names may mean other resources now. */
  clear(): void {
    this.generation++;
    this.byResource = new Map();
  }

  /** What is known of an expression's parts; undefined: nothing. */
  knownTo(expression: Expression): Known | undefined {
    let known = this.byExpression.get(expression);
    if (known === undefined) this.byExpression.set(expression, (known = this.find(expression)));
    return known ?? undefined;
  }

  private find({ program }: Expression): Known | null {
    const macros = new Map<Node, { readonly macro: Macro; readonly name: string; readonly isSize: boolean }>();
    collect(program.root, NONE, macros);
    if (macros.size === 0) return null;
    const tallies = new Map<Node, Tally>();
    let { generation } = this;
    return (node) => {
      const found = macros.get(node);
      if (!found) return undefined;
      if (generation !== this.generation) tallies.clear();
      ({ generation } = this);
      let tally = tallies.get(node);
      if (!tally) {
        tally = this.open(found.name, (item) => program.holdsOf(found.macro, item));
        if (!tally) return undefined;
        tallies.set(node, tally);
      }
      tally.refresh();
      return found.isSize ? tally.count() : tally.answer(found.macro.name);
    };
  }

  private open(name: string, holds: ConstructorParameters<typeof Tally>[0]): Tally | undefined {
    const resource = this.resources.find(name);
    if (!resource?.isList) return undefined;
    const { state } = this;
    const { kind } = resource;
    const stored = state.resourceOf(kind);
    const tally = new Tally(holds, (namespace, own) => state.get(kind, { namespace, name: own }));
    for (const object of state.list(kind)) tally.touch(object);
    const known = this.byResource.get(stored);
    if (known) known.add(tally);
    else this.byResource.set(stored, new Set([tally]));
    this.observe(stored);
    return tally;
  }

  private observe(resource: string): void {
    if (this.observed.has(resource)) return;
    this.observed.add(resource);
    this.state.observe(resource, (old, next) => {
      for (const tally of this.byResource.get(resource) ?? []) tally.touch((next ?? old)!);
    });
  }
}

type Verdict = boolean | EvaluationError;

class Tally {
  /** Objects that have changed since they were asked of. */
  private readonly changed = new Map<string, KubeObject>();
  private readonly verdicts = new Map<string, Verdict>();
  private held = 0;
  private spent = 0;
  private readonly errors = new Map<string, EvaluationError>();

  constructor(
    private readonly holds: (item: Value) => { readonly holds: boolean; readonly cost: number },
    private readonly get: (namespace: string, name: string) => KubeObject | undefined,
  ) {}

  touch(object: KubeObject): void {
    const { namespace = '', name = '' } = object.metadata;
    this.changed.set(nameKey(namespace, name), object);
  }

  /** Throws CostError: so many objects cannot be asked. */
  refresh(): void {
    this.spent = 0;
    for (const [key, { metadata }] of this.changed) {
      const object = this.get(metadata.namespace ?? '', metadata.name ?? '');
      this.set(key, object && this.ask(object));
      this.changed.delete(key);
    }
  }

  private ask(object: KubeObject): Verdict {
    try {
      const { holds, cost } = this.holds(adapt(object));
      this.spent += cost;
      if (this.spent > COST_BUDGET) throw new CostError();
      return holds;
    } catch (error) {
      if (error instanceof EvaluationError && !(error instanceof CostError)) return error;
      throw error;
    }
  }

  private set(key: string, verdict: Verdict | undefined): void {
    if (this.verdicts.get(key) === true) this.held--;
    this.errors.delete(key);
    if (verdict === undefined) return void this.verdicts.delete(key);
    this.verdicts.set(key, verdict);
    if (verdict === true) this.held++;
    if (verdict instanceof EvaluationError) this.errors.set(key, verdict);
  }

  /** As `filter` does, an error of one is an error of all. */
  count(): bigint {
    for (const error of this.errors.values()) throw error;
    return BigInt(this.held);
  }

  /** As the macros decide: one that decides beats errors of others. */
  answer(name: string): boolean {
    if (name === 'exists' && this.held > 0) return true;
    if (name === 'all' && this.held + this.errors.size < this.verdicts.size) return false;
    const count = this.count();
    if (name === 'exists') return false;
    return name === 'all' || count === 1n;
  }
}

/** The macros over a whole resource whose condition is about the item alone. */
function collect(
  node: Node,
  bound: ReadonlySet<string>,
  found: Map<Node, { readonly macro: Macro; readonly name: string; readonly isSize: boolean }>,
): void {
  switch (node.kind) {
    case 'literal':
    case 'ident':
      return;
    case 'select':
      return collect(node.operand, bound, found);
    case 'call': {
      const filter = node.fn === 'size' ? (node.target ?? node.args[0]) : undefined;
      const name = filter?.kind === 'macro' && filter.name === 'filter' ? overOf(filter, bound) : undefined;
      if (name !== undefined) return void found.set(node, { macro: filter as Macro, name, isSize: true });
      if (node.target) collect(node.target, bound, found);
      return node.args.forEach((arg) => collect(arg, bound, found));
    }
    case 'macro': {
      const name = QUANTIFIERS.has(node.name) ? overOf(node, bound) : undefined;
      if (name !== undefined) return void found.set(node, { macro: node, name, isSize: false });
      collect(node.target, bound, found);
      const inner = new Set([...bound, ...node.vars]);
      return node.args.forEach((arg) => collect(arg, inner, found));
    }
    case 'list':
      return node.items.forEach(({ value }) => collect(value, bound, found));
    case 'map':
      return node.entries.forEach(({ key, value }) => [key, value].forEach((one) => collect(one, bound, found)));
    case 'struct':
      return node.fields.forEach(({ value }) => collect(value, bound, found));
  }
}

/** The variable that a macro goes over, when its condition names nothing but its item. */
function overOf({ target, vars, args }: Macro, bound: ReadonlySet<string>): string | undefined {
  if (target.kind !== 'ident' || bound.has(target.name) || vars.length !== 1 || args.length !== 1) return undefined;
  const { whole, entries } = namesOf(args[0]!);
  const isOwn = [...whole, ...entries.keys()].every((name) => name === vars[0]);
  return isOwn && !OWN_FUNCTIONS.some((name) => namesOf(args[0]!).functions.has(name)) ? target.name : undefined;
}

/** What looks beyond the item. */
const OWN_FUNCTIONS = ['readyEndpoints', 'logs', 'file', 'run', 'connects', 'fetch'];
