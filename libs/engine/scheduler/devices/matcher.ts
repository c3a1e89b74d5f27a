import { compileSelector } from '../../kinds/resource/claims.js';
import { COST_BUDGET, CostError, EvaluationError, type Value } from '../../machinery/cel/index.js';
import { deviceValue } from './device-value.js';
import type { PoolDevice } from './pool-device.js';
import type { Wish } from './wishes.js';

type Selector = Wish['selectors'][number];

/** A selector that cannot be evaluated; `message` as upstream's. */
export class SelectorError extends Error {}

/**
 * Which devices selectors choose, in one scheduling cycle: each is evaluated once for a device, and all together at the
 * cost that rules of one object may have. Models dynamic-resource-allocation/cel DeviceMatches.
 */
export class Matcher {
  private readonly known = new Map<string, boolean>();
  private cost = 0;

  /** Throws SelectorError. */
  matches({ selectors }: Wish, found: PoolDevice): boolean {
    return selectors.every((selector) => this.matchesOne(selector, found));
  }

  private matchesOne({ of, at, expression }: Selector, { id, driver, device }: PoolDevice): boolean {
    const key = `${id} ${expression}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const fail = (why: string): SelectorError => new SelectorError(`${of}: selector #${at}: CEL runtime error: ${why}`);
    if (this.cost > COST_BUDGET) throw fail('operation cancelled: actual cost limit exceeded');
    const { program, error } = compileSelector(expression);
    if (!program) throw fail(error);
    const value: Value = deviceValue(driver, device, expression);
    try {
      const result = program.run((name) => (name === 'device' ? value : undefined));
      this.cost += result.cost;
      this.known.set(key, result.value === true);
      return result.value === true;
    } catch (problem) {
      if (problem instanceof EvaluationError || problem instanceof CostError) throw fail(problem.message);
      throw problem;
    }
  }
}
