import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HPAScalingRules,
} from '../../api/autoscaling_v2.js';
import type { AutoscalerRuntime, NotedReplicas } from '../../kinds/terrarium/autoscalerruntime/kind.js';
import { microTimestamp, MINUTE, parseTimestamp, SECOND, type Millis } from '../../machinery/time/time.js';

/** kube-controller-manager's --horizontal-pod-autoscaler-downscale-stabilization. */
const DOWNSCALE_STABILIZATION = 5 * MINUTE;
const SCALE_UP_FACTOR = 2;
const SCALE_UP_MINIMUM = 4;

/** What an autoscaler remembers. */
export type Memory = Pick<AutoscalerRuntime, 'recommendations' | 'scaleUps' | 'scaleDowns'>;
export const NO_MEMORY: Memory = { recommendations: [], scaleUps: [], scaleDowns: [] };

/** What a recommendation comes to, and what the conditions say of it. */
export interface Decision {
  readonly replicas: number;
  /** Of AbleToScale. */
  readonly able: readonly [reason: string, message: string];
  /** Of ScalingLimited: true when a limit has changed the recommendation. */
  readonly limited: readonly [isLimited: boolean, reason: string, message: string];
}

const READY = ['ReadyForNewScale', 'recommended size matches current size'] as const;
const DOWN_STABILIZED = [
  'ScaleDownStabilized',
  'recent recommendations were higher than current one, applying the highest recent recommendation',
] as const;
const UP_STABILIZED = [
  'ScaleUpStabilized',
  'recent recommendations were lower than current one, applying the lowest recent recommendation',
] as const;
const IN_RANGE = ['DesiredWithinRange', 'the desired count is within the acceptable range'] as const;
const TOO_MANY = ['TooManyReplicas', 'the desired replica count is more than the maximum replica count'] as const;
const TOO_FEW = ['TooFewReplicas', 'the desired replica count is less than the minimum replica count'] as const;
const UP_LIMIT = [
  'ScaleUpLimit',
  'the desired replica count is increasing faster than the maximum scale rate',
] as const;
const DOWN_LIMIT = [
  'ScaleDownLimit',
  'the desired replica count is decreasing faster than the maximum scale rate',
] as const;

/** Models horizontal.go normalizeDesiredReplicas and normalizeDesiredReplicasWithBehaviors. */
export function decide(
  { spec }: HorizontalPodAutoscaler,
  memory: Memory,
  current: number,
  desired: number,
  now: Millis,
): Decision {
  const { minReplicas: least = 1, maxReplicas: most, behavior } = spec;
  const isUp = desired >= current;
  // Without a behavior the highest recommendation counts, of whatever direction.
  const window = behavior ? windowOf(behavior, isUp) : DOWNSCALE_STABILIZATION;
  const recent = recommendedSince(memory, now - window, now);
  const stable = behavior && isUp ? Math.min(desired, ...recent) : Math.max(desired, ...recent);
  const able = stable === desired ? READY : behavior && isUp ? UP_STABILIZED : DOWN_STABILIZED;
  const [replicas, why] = behavior
    ? limitByRules(behavior, memory, current, stable, least, most, now)
    : limitByDefault(current, stable, least, most);
  return { replicas, able, limited: [replicas !== stable, ...why] };
}

const windowOf = ({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior, isUp: boolean): Millis =>
  isUp
    ? (scaleUp?.stabilizationWindowSeconds ?? 0) * SECOND
    : (scaleDown?.stabilizationWindowSeconds ?? DOWNSCALE_STABILIZATION / SECOND) * SECOND;

/** All recommendations that held at some time since then. */
function recommendedSince({ recommendations }: Memory, since: Millis, now: Millis): number[] {
  if (since >= now) return [];
  const before = recommendations.findLastIndex(({ at }) => parseTimestamp(at) <= since);
  return recommendations.slice(Math.max(0, before)).map(({ replicas }) => replicas);
}

type Limited = readonly [replicas: number, why: readonly [string, string]];

/** Models convertDesiredReplicasWithRules. */
function limitByDefault(current: number, desired: number, least: number, most: number): Limited {
  const rate = Math.max(SCALE_UP_FACTOR * current, SCALE_UP_MINIMUM);
  if (desired < least) return [least, TOO_FEW];
  if (desired > Math.min(rate, most)) return most > rate ? [rate, UP_LIMIT] : [most, TOO_MANY];
  return [desired, IN_RANGE];
}

/** Models convertDesiredReplicasWithBehaviorRate. */
function limitByRules(
  { scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior,
  { scaleUps, scaleDowns }: Memory,
  current: number,
  desired: number,
  least: number,
  most: number,
  now: Millis,
): Limited {
  if (desired > current) {
    const rate = Math.max(current, upLimit(scaleUp, scaleUps, scaleDowns, current, now));
    if (desired > Math.min(most, rate)) return most > rate ? [rate, UP_LIMIT] : [most, TOO_MANY];
  } else if (desired < current) {
    const rate = Math.min(current, downLimit(scaleDown, scaleUps, scaleDowns, current, now));
    if (desired < Math.max(least, rate)) return least < rate ? [rate, DOWN_LIMIT] : [least, TOO_FEW];
  }
  return [desired, IN_RANGE];
}

const changedIn = (changes: readonly NotedReplicas[], seconds: number, now: Millis): number =>
  changes.reduce((sum, { at, replicas }) => sum + (parseTimestamp(at) > now - seconds * SECOND ? replicas : 0), 0);

type Changes = readonly NotedReplicas[];

/** How many replicas there may be next. Models calculateScaleUpLimitWithScalingRules. */
function upLimit(rules: HPAScalingRules = {}, ups: Changes, downs: Changes, current: number, now: Millis): number {
  const { policies = [], selectPolicy = 'Max' } = rules;
  if (selectPolicy === 'Disabled') return current;
  const proposals = policies.map(({ type, value, periodSeconds }) => {
    const before = current - changedIn(ups, periodSeconds, now) + changedIn(downs, periodSeconds, now);
    return type === 'Pods' ? before + value : Math.ceil(before * (1 + value / 100));
  });
  return selectPolicy === 'Min' ? Math.min(...proposals) : Math.max(0, ...proposals);
}

/** Models calculateScaleDownLimitWithBehaviors. */
function downLimit(rules: HPAScalingRules = {}, ups: Changes, downs: Changes, current: number, now: Millis): number {
  const { policies = [], selectPolicy = 'Max' } = rules;
  if (selectPolicy === 'Disabled') return current;
  const proposals = policies.map(({ type, value, periodSeconds }) => {
    const before = current - changedIn(ups, periodSeconds, now) + changedIn(downs, periodSeconds, now);
    return type === 'Pods' ? before - value : Math.trunc(before * (1 - value / 100));
  });
  return selectPolicy === 'Min' ? Math.max(...proposals) : Math.min(Infinity, ...proposals);
}

/** What is remembered after a recommendation and what was made of it: what no window reaches is forgotten. */
export function remember(
  { spec }: HorizontalPodAutoscaler,
  memory: Memory,
  { desired, from, to }: { readonly desired?: number; readonly from: number; readonly to: number },
  now: Millis,
): Memory {
  const { behavior } = spec;
  const at = microTimestamp(now);
  const last = memory.recommendations.at(-1);
  const all =
    desired === undefined || last?.replicas === desired
      ? memory.recommendations
      : [...memory.recommendations, { at, replicas: desired }];
  const reach = behavior ? Math.max(windowOf(behavior, true), windowOf(behavior, false)) : DOWNSCALE_STABILIZATION;
  const first = all.findLastIndex((one) => parseTimestamp(one.at) <= now - reach);
  const noted = (changes: Changes, rules: HPAScalingRules | undefined, change: number): Changes => {
    const longest = Math.max(0, ...(rules?.policies ?? []).map(({ periodSeconds }) => periodSeconds));
    const kept = changes.filter((one) => parseTimestamp(one.at) > now - longest * SECOND);
    return behavior && change > 0 ? [...kept, { at, replicas: change }] : kept;
  };
  return {
    recommendations: first > 0 ? all.slice(first) : all,
    scaleUps: noted(memory.scaleUps, behavior?.scaleUp, to - from),
    scaleDowns: noted(memory.scaleDowns, behavior?.scaleDown, from - to),
  };
}
