import { Advances as Kind, Clocks } from '../../kinds/index.js';
import {
  parseSpan,
  type Advance,
  type AdvanceCondition,
  type AdvanceStatus,
  type RanStep,
} from '../../kinds/terrarium/advance/kind.js';
import { CLOCK, type Clock } from '../../kinds/terrarium/clock/kind.js';
import { HOUR, microTimestamp, parseTimestamp, type Millis } from '../../machinery/time/time.js';
import type { Loop } from '../../runtime/loop.js';
import type { Progress } from '../../runtime/loop-options.js';
import type { Registry } from '../../runtime/registry.js';
import type { State } from '../../runtime/state/state.js';
import { anchorAt } from './clock.js';
import { Condition, ConditionError, type Judgement } from './condition.js';
import { nextStep, runStep } from './steps.js';

const DEFAULT_LIMIT: Millis = HOUR;
/** Steps that a status lists. */
const MAX_RAN = 20;
const TERRARIUM = 'system:terrarium';
const CLOCK_KEY = { namespace: '', name: CLOCK };

export interface AdvancesParts {
  readonly state: State;
  readonly registry: Registry;
  readonly loop: Loop;
}

/** A slice of the components' work. */
export interface Slice {
  /** Real ms since the epoch. */
  readonly realNow: Millis;
  readonly maxChanges: number;
  shouldYield(): boolean;
}

type Outcome = Pick<AdvanceCondition, 'type' | 'reason' | 'message'>;

/**
 * Carries out a cluster's Advances, one after the other. All that lasts of one is in its status, so that any process
 * goes on with it.
 */
export class Advances {
  /** Those that are not over, in the order of their creation. */
  private readonly open = new Map<string, Advance>();
  private condition: { readonly uid: string; readonly value: Condition } | undefined;

  constructor(private readonly parts: AdvancesParts) {
    const { state } = parts;
    state.observe(state.resourceOf(Kind), (old, next) => this.follow(old as Advance, next as Advance));
  }

  private follow(old: Advance | undefined, next: Advance | undefined): void {
    const uid = (next ?? old)?.metadata.uid ?? '';
    if (!next || next.status.conditions) this.open.delete(uid);
    else this.open.set(uid, next);
  }

  /** The one whose turn it is. */
  get current(): Advance | undefined {
    if (this.open.size === 0) return undefined;
    return [...this.open.values()].sort(byRevision)[0];
  }

  /** Does a slice of the current one. */
  run(advance: Advance, slice: Slice): Progress {
    const begun = advance.status.startedAt === undefined ? this.begin(advance) : advance;
    try {
      if (begun.spec.steps === undefined) this.runTime(begun, slice);
      else this.runSteps(begun, slice);
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      this.finish(begun, slice, { type: 'Failed', reason: 'InvalidCondition', message: error.message });
    }
    return { settled: false, nextWake: this.parts.loop.nextWake };
  }

  private begin(advance: Advance): Advance {
    const { now } = this.parts.state;
    const { by, to, until, limit } = advance.spec;
    const span = until === undefined ? parseSpan(by ?? '') : limit === undefined ? DEFAULT_LIMIT : parseSpan(limit);
    const target = to === undefined ? span && now + span : Math.max(now, parseTimestamp(to));
    return this.put(advance, {
      phase: 'Running',
      startedAt: microTimestamp(now),
      ...(target === undefined ? {} : { target: microTimestamp(target) }),
      reached: microTimestamp(now),
      progress: 0,
    });
  }

  private runTime(advance: Advance, slice: Slice): void {
    const { state, loop } = this.parts;
    const target = parseTimestamp(advance.status.target!);
    const condition = this.conditionOf(advance);
    let judgement: Judgement | undefined = condition?.judge(true);
    const shouldYield = (): boolean => {
      judgement = condition?.judge(false);
      return judgement?.holds === true || slice.shouldYield();
    };
    const { settled } = judgement?.holds ? { settled: false } : loop.advance(target, slice.maxChanges, shouldYield);
    if (judgement?.holds) return this.finish(advance, slice, HOLDS);
    if (!settled) return this.report(advance, target);
    state.now = Math.max(state.now, target);
    const status = { ...advance.status, progress: 100 };
    this.finish(advance, slice, condition ? limitPassed(judgement) : ARRIVED, status);
  }

  private conditionOf({ spec: { until }, metadata: { uid = '' } }: Advance): Condition | undefined {
    if (until === undefined) return undefined;
    if (this.condition?.uid !== uid)
      this.condition = { uid, value: new Condition(until, this.parts.state, this.parts.registry) };
    return this.condition.value;
  }

  private runSteps(advance: Advance, slice: Slice): void {
    const { state, loop } = this.parts;
    const steps = advance.spec.steps!;
    const done = Math.round(((advance.status.progress ?? 0) * steps) / 100);
    const ran: RanStep[] = [];
    const { revision } = state;
    let isIdle = false;
    while (done + ran.length < steps) {
      const step = runStep(loop, state, slice.shouldYield);
      if (step) ran.push(step);
      isIdle = !step && !loop.peek();
      if (isIdle || !step || slice.shouldYield() || state.revision - revision >= slice.maxChanges) break;
    }
    const next = loop.peek();
    const { next: _, ...status } = advance.status;
    const told: AdvanceStatus = {
      ...status,
      ...(ran.length + (status.ran?.length ?? 0) === 0 ? {} : { ran: [...(status.ran ?? []), ...ran].slice(-MAX_RAN) }),
      ...(next ? { next: nextStep(next) } : {}),
      progress: steps === 0 ? 100 : ((done + ran.length) * 100) / steps,
      reached: microTimestamp(state.now),
    };
    if (done + ran.length >= steps) this.finish(advance, slice, STEPPED, told);
    else if (isIdle) this.finish(advance, slice, IDLE, told);
    else this.put(advance, told);
  }

  /** Tells how far it is, each hundredth once. */
  private report(advance: Advance, target: Millis): void {
    const { now } = this.parts.state;
    const start = parseTimestamp(advance.status.startedAt!);
    const progress = target === start ? 0 : Math.floor((100 * (now - start)) / (target - start));
    if (progress <= (advance.status.progress ?? 0)) return;
    this.put(advance, { ...advance.status, progress, reached: microTimestamp(now) });
  }

  private finish(advance: Advance, slice: Slice, outcome: Outcome, status = advance.status): void {
    const { now } = this.parts.state;
    const at = microTimestamp(now);
    const condition: AdvanceCondition = { ...outcome, status: 'True', lastTransitionTime: `${at.slice(0, 19)}Z` };
    const isComplete = outcome.type === 'Complete';
    this.condition = undefined;
    this.put(advance, {
      ...status,
      phase: isComplete ? 'Succeeded' : 'Failed',
      reached: at,
      progress: isComplete ? 100 : (status.progress ?? 0),
      conditions: [condition],
    });
    this.anchor(advance, slice.realNow);
  }

  /** From here on time runs by the Clock again. */
  private anchor({ spec: { pause } }: Advance, realNow: Millis): void {
    const { state } = this.parts;
    const clock = state.get(Clocks, CLOCK_KEY) ?? newClock(state.now);
    const { spec, metadata } = clock;
    const draft: Clock = {
      ...clock,
      metadata: { ...metadata },
      spec: pause ? { ...spec, paused: true } : spec,
      status: anchorAt(state.now, realNow),
    };
    state.put(state.resourceOf(Clocks), draft, TERRARIUM, state.revision);
  }

  private put(advance: Advance, status: AdvanceStatus): Advance {
    const { state } = this.parts;
    const draft = { ...advance, metadata: { ...advance.metadata }, status };
    return state.put(state.resourceOf(Kind), draft, TERRARIUM, state.revision) as Advance;
  }
}

const byRevision = (a: Advance, b: Advance): number => createdOf(a) - createdOf(b);
/** A status is written while its Advance runs: that one stays the first. */
const createdOf = ({ status, metadata }: Advance): number => (status.startedAt ? 0 : Number(metadata.resourceVersion));

const ARRIVED: Outcome = { type: 'Complete', reason: 'TimeReached', message: 'The time was reached.' };
const HOLDS: Outcome = { type: 'Complete', reason: 'ConditionHolds', message: 'The condition holds.' };
const STEPPED: Outcome = { type: 'Complete', reason: 'StepsRan', message: 'The steps have run.' };
const IDLE: Outcome = { type: 'Complete', reason: 'NothingToDo', message: 'Nothing is left to do.' };
const limitPassed = (judgement: Judgement | undefined): Outcome => ({
  type: 'Failed',
  reason: 'LimitPassed',
  message: `The condition did not hold within the limit${judgement?.error ? `: ${judgement.error}` : ''}.`,
});

/** A Clock that its user has deleted is made again. */
const newClock = (now: Millis): Clock => ({
  apiVersion: 'terrarium.dev/v1alpha1',
  kind: 'Clock',
  metadata: { name: CLOCK, uid: CLOCK, creationTimestamp: `${microTimestamp(now).slice(0, 19)}Z`, generation: 1 },
  spec: { rate: 1, paused: false },
  status: {},
});
