import { Nodes } from '../kinds/index.js';
import type { Kind } from '../machinery/kind.js';
import type { HistoryAnswer, PastChange } from '../machinery/past-change.js';
import { formatTaint } from '../machinery/scheduling/tolerations.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { microTimestamp } from '../machinery/time/time.js';
import type { WhyFinding, WhyStep } from '../machinery/questions/why.js';
import { chainOf, type CausalChain } from './chain.js';
import { nearObjects, resourceOf } from './find-object.js';
import { endOf, findMark } from './origins.js';
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
  const chain = endChain(world, deleted);
  const first = causeOf(chain);
  const evicted = first && isEviction(world, first, filter) ? ' (an eviction, as a drain asks for)' : preemption(chain);
  const tainted = first ? taintText(world, first) : '';
  const orphaned = deleted.actor === COLLECTOR && first?.object === object && first.verb === 'create';
  const by = orphaned
    ? `, because none of the owners that its ownerReferences name is there (${first.text} at revision ${first.revision})`
    : first && first.revision < deleted.revision
      ? `, because ${first.text}${evicted}${tainted} at revision ${first.revision}`
      : habitOf(deleted.actor);
  const when = `${microTimestamp(deleted.at).slice(0, 19)}Z`;
  const message = `${object} was deleted at ${when} (revision ${deleted.revision}) by ${actorText(deleted.actor)}${by}`;
  return { finding: { object, reason: 'Deleted', message, revision: deleted.revision }, chain };
}

const COLLECTOR = 'system:serviceaccount:kube-system:generic-garbage-collector';

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

/** The scheduler deletes pods for others alone. */
const preemption = ({ steps }: CausalChain): string =>
  steps.some(({ actor, fields }) => actor === 'system:kube-scheduler' && fields.includes(MARK))
    ? ', for which kube-scheduler has preempted it, since its priority is lower,'
    : '';

const HABITS: Readonly<Record<string, string>> = {
  'system:serviceaccount:kube-system:pod-garbage-collector':
    ', which deletes pods that are bound to a node that is not there, that were deleted before they had a node, and ended ones that are too many',
  'system:serviceaccount:kube-system:ttl-after-finished-controller':
    ', which deletes Jobs so long after their end as spec.ttlSecondsAfterFinished says',
};

/** What a component does by itself that names no cause. */
const habitOf = (actor: string): string => (Object.hasOwn(HABITS, actor) ? HABITS[actor]! : '');

/** ' (it has the taint maintenance:NoExecute)' of a change of a node that drives pods away. */
function taintText({ read }: World, { object, fields }: WhyStep): string {
  const [kind, name = ''] = object.split('/');
  const node = kind === 'node' && fields.includes('spec') ? read.get(Nodes, { namespace: '', name }) : undefined;
  const taints = (node?.spec.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  return taints.length > 0 ? ` (it has the taint ${taints.map(formatTaint).join(', ')})` : '';
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

/**
 * The chain of a deletion. Who has carried it out may answer to something else than who has asked for it: a finalizer
 * goes when the last pod does, a Job's controller writes to a pod once more.
 */
function endChain(world: World, deleted: PastChange): CausalChain {
  const chain = chainOf(world, deleted.revision);
  const last = chain.steps.at(-1);
  const mark =
    last && !chain.steps.some((step) => step.object === last.object && isMark(step))
      ? findMark(world, deleted).revision
      : 0;
  if (!last || mark === 0) return chain;
  const { steps, ends } = chainOf(world, mark);
  return { steps: [...steps, { ...last, cause: mark }], ends };
}

const isMark = ({ fields, verb, cause }: WhyStep): boolean =>
  fields.includes(MARK) || (verb === 'delete' && cause === 0);

function neverSeen(world: World, kind: Kind, namespace: string, name: string, answer: HistoryAnswer): WhyFinding {
  const object = refText(kind.singular, namespace, name);
  const alike = nearObjects(world, kind, namespace, name);
  const near = (alike.length > 0 ? alike : classesThere(world, kind)).map(refOf);
  const hint = near.length > 0 ? `; there is ${near.join(', ')}${ofOthers(kind, namespace, near)}` : '';
  const ended = endOf(answer);
  const since = ended ? ` in the changes since revision ${answer.reached} (${ended})` : '';
  const details = answer.ended === 'budget' ? [`ask again with spec.before: ${answer.reached + 1}`] : [];
  const message = `${object} is not there, and was not deleted${since || ': it never existed'}${hint}`;
  return { object, reason: 'NotFound', message, ...(details.length > 0 ? { details } : {}) };
}

/** Kinds that are seen from their own namespace alone. */
const OWN_NAMESPACE = new Set(['configmap', 'secret', 'persistentvolumeclaim', 'serviceaccount']);

const ofOthers = ({ singular }: Kind, namespace: string, near: readonly string[]): string =>
  OWN_NAMESPACE.has(singular) && near.every((ref) => ref.split('/')[1] !== namespace)
    ? `, which pods of the namespace ${namespace} do not see: they have those of their own alone`
    : '';

/** Kinds of which a cluster has a few, by names that say what they are for. */
const CLASSES = new Set(['storageclass', 'deviceclass', 'priorityclass', 'runtimeclass']);
const MAX_CLASSES = 5;
const classesThere = ({ read }: World, kind: Kind): KubeObject[] =>
  CLASSES.has(kind.singular) ? read.list(kind).slice(0, MAX_CLASSES) : [];
