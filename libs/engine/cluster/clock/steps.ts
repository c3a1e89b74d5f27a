import type { NextStep, RanStep, StepWrite } from '../../kinds/terrarium/advance/kind.js';
import type { AppliedChange } from '../../machinery/requests/http.js';
import { microTimestamp, type Millis } from '../../machinery/time/time.js';
import type { Loop } from '../../runtime/loop.js';
import type { Reconciled, Upcoming } from '../../runtime/loop-options.js';
import type { State } from '../../runtime/state/state.js';

/** Writes of one step that are listed. */
const MAX_WRITES = 20;
/** Keys of a cluster that was just loaded have nothing to do: so many are passed over in one slice. */
const MAX_PASSED = 2_000;
const MAX_ERROR = 300;

/**
 * Runs one reconcile, at the time of the next timer when nothing waits. A key that is queued only because the cluster
 * was loaded is passed over when it has nothing to do. Undefined: nothing is left, or the slice has to end.
 */
export function runStep(loop: Loop, state: State, shouldYield: () => boolean): RanStep | undefined {
  for (let passed = 0; passed < MAX_PASSED; passed++) {
    const next = loop.peek();
    if (!next) return undefined;
    const mark = state.mark();
    const ran = runOne(loop, next.at);
    if (!ran) return undefined;
    const changes = state.since(mark);
    if (!ran.isLoaded || changes.length > 0) return ranStep(ran, changes, state.now);
    if (shouldYield()) return undefined;
  }
  return undefined;
}

function runOne(loop: Loop, until: Millis): Reconciled | undefined {
  let ran: Reconciled | undefined;
  loop.onReconciled = (one) => (ran = one);
  try {
    loop.advance(until, Number.POSITIVE_INFINITY, () => ran !== undefined);
  } finally {
    loop.onReconciled = undefined;
  }
  return ran;
}

/** What a status shows of what runs next. */
export const nextStep = ({ controller, key, cause, at, why, queued }: Upcoming): NextStep => ({
  controller: controller.name,
  component: controller.component,
  ...(key.namespace === '' ? {} : { namespace: key.namespace }),
  name: key.name,
  at: microTimestamp(at),
  why,
  ...(cause > 0 ? { cause } : {}),
  queued,
});

function ranStep(
  { controller, key, cause, outcome, error }: Reconciled,
  changes: readonly AppliedChange[],
  now: Millis,
): RanStep {
  const writes = changes.slice(0, MAX_WRITES).map(stepWrite);
  return {
    controller: controller.name,
    component: controller.component,
    ...(key.namespace === '' ? {} : { namespace: key.namespace }),
    name: key.name,
    at: microTimestamp(now),
    ...(cause > 0 ? { cause } : {}),
    outcome,
    ...(error === undefined ? {} : { error: textOf(error).slice(0, MAX_ERROR) }),
    writes,
    ...(changes.length > writes.length ? { moreWrites: changes.length - writes.length } : {}),
  };
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const stepWrite = ({ revision, type, resource, namespace, name, old }: AppliedChange): StepWrite => ({
  revision,
  verb: type === 'delete' ? 'delete' : old ? 'update' : 'create',
  resource,
  ...(namespace === '' ? {} : { namespace }),
  name,
});
