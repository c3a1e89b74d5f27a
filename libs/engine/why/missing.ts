import type { Kind } from '../machinery/kind.js';
import type { HistoryAnswer } from '../machinery/past-change.js';
import { microTimestamp } from '../machinery/time/time.js';
import type { WhyFinding, WhyStep } from '../machinery/questions/why.js';
import { chainOf, type CausalChain } from './chain.js';
import { nearObjects, resourceOf } from './find-object.js';
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
  const by = first && first.revision < deleted.revision ? `, because ${first.text} at revision ${first.revision}` : '';
  const when = `${microTimestamp(deleted.at).slice(0, 19)}Z`;
  const message = `${object} was deleted at ${when} (revision ${deleted.revision}) by ${actorText(deleted.actor)}${by}`;
  return { finding: { object, reason: 'Deleted', message, revision: deleted.revision }, chain };
}

/** The oldest step of those that name each other: what stands before them has only made the object. */
function causeOf({ steps }: CausalChain): WhyStep | undefined {
  let at = steps.length - 1;
  while (at > 0 && steps[at]!.cause !== 0) at--;
  return steps[at];
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
