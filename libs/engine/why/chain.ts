import type { Event } from '../api/core_v1.js';
import { controllerOf, type KubeObject } from '../machinery/meta/object.js';
import type { HistoryAnswer, PastChange } from '../machinery/past-change.js';
import { parseTimestamp } from '../machinery/time/time.js';
import type { WhyStep } from '../machinery/questions/why.js';
import { leaveOut } from './leave-out.js';
import { isComponent, stepOf } from './text.js';
import { kindOfResource, ownerObject, type World } from './world.js';

/** Changes that are followed from the last status back to a user's write. */
const MAX_CHANGES = 256;
/** How often a chain goes on from an object's creation, where a component has acted because of the time. */
const MAX_JUMPS = 6;
/** Changes of one object that are looked through for what asked for its deletion. */
const MAX_OF_OBJECT = 20;

export interface CausalChain {
  /** The oldest first. */
  readonly steps: WhyStep[];
  /** Why it does not go back to a user's write; empty when it does. */
  readonly ends: string;
}

const EVENTS = 'events';
const KEPT_NO_LONGER = 'older changes are no longer retained';
const SEARCHED_ENOUGH = 'older changes were not looked through';
const BEFORE_THE_LOG = 'it was there when the cluster was made';

/**
 * The changes that led to a revision. A change names its cause; one that a component has made because a time had come
 * names none: then the object's own creation is next, and then its owner's.
 */
export function chainOf(world: World, revision: number): CausalChain {
  const changes: PastChange[] = [];
  let next = revision;
  let ends = '';
  for (let jump = 0; jump < MAX_JUMPS && next > 0 && changes.length < MAX_CHANGES; jump++) {
    const answer = world.past({ type: 'chain', revision: next, limit: MAX_CHANGES - changes.length });
    changes.push(...answer.changes);
    const last = changes.at(-1);
    if (answer.ended) ends = endOf(answer);
    if (!last || answer.ended || !isComponent(last.actor) || last.cause !== 0) break;
    const found = findOrigin(world, last, changes);
    ends = found.ends;
    next = found.revision;
  }
  if (changes.length >= MAX_CHANGES && changes.at(-1)?.cause) ends = `it has more than ${MAX_CHANGES} steps`;
  const steps = leaveOut(changes.reverse()).map(({ change, leftOut }) =>
    stepOf(change, kindOfResource(world, change.resource)?.singular, leftOut),
  );
  return { steps, ends };
}

interface Origin {
  /** 0: there is none. */
  readonly revision: number;
  readonly ends: string;
}

/** Where the story of a change that has no cause goes on. */
function findOrigin(world: World, change: PastChange, known: readonly PastChange[]): Origin {
  const { resource, namespace, name } = change;
  const kind = kindOfResource(world, resource);
  const object = kind && world.read.get(kind, { namespace, name });
  if (!object) return change.verb === 'delete' ? findMark(world, change) : { revision: 0, ends: '' };
  const isEvent = resource === EVENTS;
  const creation = change.verb === 'create' || isEvent ? undefined : creationOf(world, object, resource);
  if (creation && !known.some(({ revision }) => revision === creation.revision)) return creation;
  const owner = isEvent ? (object as Event).involvedObject : controllerOf(object);
  const parent = owner && ownerObject(world, owner, namespace);
  const parentKind = parent && world.kinds().find((one) => one.kind === parent.kind && !one.storedAs);
  if (!parent || !parentKind) return { revision: 0, ends: '' };
  const group = parentKind.group ? `.${parentKind.group}` : '';
  return creationOf(world, parent, `${parentKind.plural}${group}`);
}

function creationOf(world: World, { metadata }: KubeObject, resource: string): Origin {
  const { namespace = '', name = '', creationTimestamp = '' } = metadata;
  const answer = world.past({ type: 'creation', resource, namespace, name, at: parseTimestamp(creationTimestamp) });
  const [found] = answer.changes;
  return found ? { revision: found.revision, ends: '' } : { revision: 0, ends: endOf(answer) || BEFORE_THE_LOG };
}

/** The change that asked for a deletion which was carried out later. */
function findMark(world: World, { resource, namespace, name, revision }: PastChange): Origin {
  const filter = { resource, namespace, name };
  const answer = world.past({ type: 'search', filter, before: revision, limit: MAX_OF_OBJECT });
  const mark = answer.changes.find(({ fields }) => fields.includes('metadata.deletionTimestamp'));
  return { revision: mark?.revision ?? 0, ends: mark ? '' : endOf(answer) };
}

export const endOf = ({ ended }: HistoryAnswer): string =>
  ended === 'retention' ? KEPT_NO_LONGER : ended === 'budget' ? SEARCHED_ENOUGH : '';
