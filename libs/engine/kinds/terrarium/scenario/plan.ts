import { readSpan } from '../../../faults/index.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { ScenarioStep } from './spec.js';

/** One fault of a scenario, in ms since its beginning. */
export interface PlannedFault {
  readonly name: string;
  readonly at: Millis;
  readonly fault: NonNullable<ScenarioStep['fault']>;
}

export interface Plan {
  readonly faults: readonly PlannedFault[];
  /** When the last step is over. */
  readonly end: Millis;
}

/** When each fault of some steps begins: all durations are known before. */
export function planSteps(steps: readonly ScenarioStep[], from: Millis = 0): Plan {
  const faults: PlannedFault[] = [];
  let end = from;
  for (const step of steps) {
    const plan = planStep(step, end);
    faults.push(...plan.faults);
    end = plan.end;
  }
  return { faults, end };
}

function planStep({ name = '', delay, fault, detached, steps, parallel }: ScenarioStep, from: Millis): Plan {
  const at = from + (readSpan(delay) ?? 0);
  if (steps) return planSteps(steps, at);
  if (parallel) {
    const plans = parallel.map((step) => planStep(step, at));
    return { faults: plans.flatMap((plan) => plan.faults), end: Math.max(at, ...plans.map((plan) => plan.end)) };
  }
  if (!fault) return { faults: [], end: at };
  return {
    faults: [{ name: name || fault.type, at, fault }],
    end: detached ? at : at + (readSpan(fault.duration) ?? 0),
  };
}
