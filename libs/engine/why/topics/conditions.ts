import { own, type KubeObject } from '../../machinery/meta/object.js';
import type { WhyFinding } from '../../machinery/questions/why.js';
import { eventsOf, findingOf, revisionOf, type World } from '../world.js';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

const MAX_WARNINGS = 5;

const conditionsOf = (object: KubeObject): readonly Condition[] => {
  const { conditions } = ((object as { status?: { conditions?: unknown } }).status ?? {}) as { conditions?: unknown };
  return Array.isArray(conditions) ? (conditions as Condition[]) : [];
};

/** One condition that was asked for; undefined when the object has none of that type. */
export function conditionFinding(object: KubeObject, type: string): WhyFinding | undefined {
  const found = conditionsOf(object).find((one) => one.type.toLowerCase() === type.toLowerCase());
  if (!found) return undefined;
  const { status, reason, message, lastTransitionTime } = found;
  const since = lastTransitionTime ? ` since ${lastTransitionTime}` : '';
  return findingOf(object, reason || found.type, `${found.type} is ${status}${since}${message ? `: ${message}` : ''}`);
}

export const conditionTypes = (object: KubeObject): string[] => conditionsOf(object).map(({ type }) => type);

/** True means well, in conditions that nobody here knows: 'Ready', 'Available', 'Synced'. False does in these. */
const NEGATIVE: Readonly<Record<string, true>> = { Degraded: true, Stalled: true, Failed: true, Failure: true };

/** What an object of a kind that has no topic says of itself: its conditions, and its latest warnings. */
export function statedFindings(world: World, object: KubeObject): WhyFinding[] {
  const isBad = ({ type, status }: Condition): boolean =>
    status === (own(NEGATIVE, type) || /Fail|Error|Pressure/.test(type) ? 'True' : 'False');
  const stated = conditionsOf(object)
    .filter(isBad)
    .map(({ type, reason, message }) => findingOf(object, reason || type, `${type}: ${message ?? ''}`));
  return [...stated, ...warnings(world, object)];
}

export const warnings = (world: World, object: KubeObject): WhyFinding[] =>
  eventsOf(world, object)
    .filter(({ type }) => type === 'Warning')
    .slice(0, MAX_WARNINGS)
    .map((event) => findingOf(object, event.reason ?? '', event.message ?? '', { revision: revisionOf(event) }));
