import type { Kind } from '../machinery/kind.js';
import type { HistoryAnswer } from '../machinery/past-change.js';
import { microTimestamp } from '../machinery/time/time.js';
import type { WhyFinding, WhyStep } from '../machinery/questions/why.js';
import { chainOf, type CausalChain } from './chain.js';
import { findKind, nearObjects, resourceOf } from './find-object.js';
import { endOf } from './origins.js';
import { actorText } from './text.js';
import { refOf, refText, type World } from './world.js';

export interface Missing {
  readonly finding: WhyFinding;
  readonly chain: CausalChain;
}

/** Why an object is not there: somebody has deleted it, or it never was, and something else was meant. */
export function explainMissing(
  world: World,
  kind: Kind,
  namespace: string,
  name: string,
  before = Number.MAX_SAFE_INTEGER,
): Missing {
  const filter = { resource: resourceOf(kind), namespace, name, verbs: ['delete' as const] };
  const answer = world.past({ type: 'search', filter, before, limit: 1 });
  const [deleted] = answer.changes;
  const object = refText(kind.singular, namespace, name);
  if (!deleted) return { finding: neverSeen(world, kind, namespace, name, answer), chain: { steps: [], ends: '' } };
  const chain = chainOf(world, deleted.revision);
  const first = causeOf(chain);
  const evicted = first && isEviction(world, first, filter) ? ' (an eviction, as a drain asks for)' : '';
  const by =
    first && first.revision < deleted.revision ? `, because ${first.text}${evicted} at revision ${first.revision}` : '';
  const when = `${microTimestamp(deleted.at).slice(0, 19)}Z`;
  const message = `${object} was deleted at ${when} (revision ${deleted.revision}) by ${actorText(deleted.actor)}${by}`;
  return { finding: { object, reason: 'Deleted', message, revision: deleted.revision }, chain };
}

/** The Eviction API notes in a pod's status that it is to go, and then asks to delete it. */
function isEviction(
  world: World,
  step: WhyStep,
  place: { resource: string; namespace: string; name: string },
): boolean {
  if (place.resource !== 'pods' || !step.fields.includes(MARK)) return false;
  const { resource, namespace, name } = place;
  const filter = { resource, namespace, name };
  const [before] = world.past({ type: 'search', filter, before: step.revision, limit: 1 }).changes;
  return before?.actor === step.actor && before.fields.join() === 'status';
}

const MARK = 'metadata.deletionTimestamp';

/**
 * What an end is because of: the beginning of its chain. Where a component has acted because of the time, what stands
 * before it has only made the object: then it is that act, when it was meant.
 */
function causeOf({ steps }: CausalChain): WhyStep | undefined {
  let at = steps.length - 1;
  while (at > 0 && steps[at]!.cause !== 0) at--;
  const step = steps[at];
  const isMeant = step?.verb === 'delete' || step?.fields.some((field) => field === MARK || field === 'spec');
  return isMeant ? step : steps[0];
}

function neverSeen(world: World, kind: Kind, namespace: string, name: string, answer: HistoryAnswer): WhyFinding {
  const object = refText(kind.singular, namespace, name);
  const near = nearObjects(world, kind, namespace, name).map(refOf);
  const hint = near.length > 0 ? `; there is ${near.join(', ')}` : '';
  const ended = endOf(answer);
  const since = ended ? ` in the changes since revision ${answer.reached} (${ended})` : '';
  const details = answer.ended === 'budget' ? [`ask again with spec.before: ${answer.reached + 1}`] : [];
  const message = `${object} is not there, and was not deleted${since || ': it never existed'}${hint}`;
  return { object, reason: 'NotFound', message, ...(details.length > 0 ? { details } : {}) };
}

/** 'configmap "conf" not found', and which kind that is. */
const NAMED = /\b(configmap|secret|persistentvolumeclaim|serviceaccount|service) "([a-z0-9.-]+)" not found/i;
const MAX_NAMED = 3;

/** What has become of objects that findings say are not there: who has deleted them, or what may be meant. */
export function namedMissing(world: World, namespace: string, findings: readonly WhyFinding[]): WhyFinding[] {
  const found = findings.slice(0, MAX_NAMED).flatMap(({ message }) => {
    const [, resource, name] = NAMED.exec(message) ?? [];
    const kind = resource === undefined ? undefined : findKind(world, resource);
    if (!kind || name === undefined || world.read.get(kind, { namespace, name })) return [];
    return [explainMissing(world, kind, namespace, name).finding];
  });
  return found.filter(({ object }, i) => found.findIndex((one) => one.object === object) === i);
}
