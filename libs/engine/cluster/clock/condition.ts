import { ObjectsByName } from '../../checks/resources.js';
import { compileCondition, NOW, pluralsIn, singularsIn } from '../../kinds/terrarium/advance/kind.js';
import { CostError, EvaluationError, Timestamp, type Program, type Value } from '../../machinery/cel/index.js';
import type { Kind } from '../../machinery/kind.js';
import type { Registry } from '../../runtime/registry.js';
import type { Mark, State } from '../../runtime/state/state.js';

const NANOS = 1_000_000n;

/** 'error': not yet, since something that it names is not there; the last error tells. */
export type Judgement = { readonly holds: boolean; readonly error?: string };

/** A condition that no look will ever find. */
export class ConditionError extends Error {}

/** What an Advance waits for, over a cluster's objects. Looked at again only when one that it names has changed. */
export class Condition {
  private readonly program: Program;
  private readonly kinds = new Map<string, Kind>();
  private readonly byName = new Set<string>();
  private last: Judgement = { holds: false };
  private mark: Mark | undefined;

  /** Throws ConditionError for what is no condition. */
  constructor(
    text: string,
    private readonly state: State,
    registry: Registry,
  ) {
    const compiled = compileCondition(text);
    if (compiled.error !== undefined) throw new ConditionError(compiled.error);
    this.program = compiled.program;
    const named = new Set(pluralsIn(text));
    const singulars = new Set(singularsIn(text));
    for (const kind of registry.all()) {
      if (kind.internal) continue;
      if (singulars.has(kind.plural) && kind.plural !== kind.singular)
        throw new ConditionError(`${kind.plural} is the list of all: one of them is ${kind.singular}['…']`);
      if (singulars.has(kind.singular)) this.byName.add(kind.singular);
      for (const name of [...(singulars.has(kind.singular) ? [kind.singular] : []), kind.plural])
        if ((named.has(name) || singulars.has(name)) && !this.kinds.has(name)) this.kinds.set(name, kind);
    }
  }

  /**
   * Whether it holds now; throws ConditionError when it names what no resource is called. `isFresh`: the first look of
   * a slice.
   */
  judge(isFresh: boolean): Judgement {
    if (!isFresh && this.mark && !this.program.uses(NOW) && !this.isConcerned(this.mark)) return this.last;
    this.mark = this.state.mark();
    return (this.last = this.evaluate());
  }

  private isConcerned(mark: Mark): boolean {
    if (this.state.revision === mark.revision) return false;
    const resources = new Set([...this.kinds.values()].map((kind) => this.state.resourceOf(kind)));
    return this.state.since(mark).some(({ resource }) => resources.has(resource));
  }

  private evaluate(): Judgement {
    try {
      return { holds: this.program.run((name) => this.valueOf(name)).value === true };
    } catch (error) {
      // A field that is not there yet is no end: the condition does not hold.
      if (error instanceof EvaluationError) return { holds: false, error: error.message };
      if (error instanceof CostError) throw new ConditionError('the condition costs too much on this cluster');
      throw error;
    }
  }

  private valueOf(name: string): Value {
    const kind = this.kinds.get(name);
    if (kind && this.byName.has(name)) return new ObjectsByName(this.state, kind);
    if (kind) return this.state.list(kind) as unknown as Value;
    if (name === NOW) return new Timestamp(BigInt(this.state.now) * NANOS);
    throw new ConditionError(`undeclared reference to '${name}': no resource is called so`);
  }
}
