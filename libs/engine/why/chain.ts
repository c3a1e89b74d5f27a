import type { Event } from '../api/core_v1.js';
import { controllerOf } from '../machinery/meta/object.js';
import type { PastChange } from '../machinery/past-change.js';
import type { WhyStep } from '../machinery/questions/why.js';
import { storageKey } from '../machinery/kind.js';
import { leaveOut, type LeftOut } from './leave-out.js';
import {
  creationOf,
  endOf,
  findCreation,
  findMark,
  findNodeChange,
  findRequest,
  isDeletion,
  namespaceOf,
  NOWHERE,
  type Origin,
} from './origins.js';
import { isComponent, stepOf } from './text.js';
import { kindOfResource, ownerObject, type World } from './world.js';

/** Changes that are followed from the last status back to a user's write. */
const MAX_CHANGES = 256;
/** Changes that lead to what a user has asked before those. */
const MAX_OF_REQUEST = 8;
/** How often a chain goes on from an object's creation, where a component has acted because of the time. */
const MAX_JUMPS = 6;

const KUBE_SYSTEM = 'system:serviceaccount:kube-system:';
/** It deletes what is in a namespace because that is deleted, whatever has woken it. */
const NAMESPACE_CONTROLLER = `${KUBE_SYSTEM}namespace-controller`;
/** They delete pods some time after something has happened to the pods' node. */
export const DELETERS_WITH_NODES = new Set([`${KUBE_SYSTEM}pod-garbage-collector`, `${KUBE_SYSTEM}node-controller`]);

export interface CausalChain {
  /** The oldest first. */
  readonly steps: WhyStep[];
  /** Why it does not go back to a user's write; empty when it does. */
  readonly ends: string;
}

const EVENTS = 'events';

/**
 * The changes that led to a revision. A change names its cause; one that a component has made because a time had come
 * names none: then what it waited for is next, or the object's own creation, and then its owner's.
 */
export function chainOf(world: World, revision: number): CausalChain {
  const { changes, isCut, ends } = followCauses(world, revision);
  const asked = isCut ? requestBefore(world, changes) : [];
  const known = shownChanges(world, changes).reverse();
  const steps = leaveOut(known, asked.length > 0).map(({ change, leftOut }) => shownStep(world, change, leftOut));
  const before = asked.reverse().map((change) => shownStep(world, change));
  const tooLong = isCut ? `it has more than ${changes.length} steps` : '';
  return { steps: [...before, ...steps], ends: asked.length > 0 ? '' : ends || tooLong };
}

/** A chain as far as it was followed. */
interface Followed {
  /** The newest first. */
  readonly changes: PastChange[];
  ends: string;
  /** It goes on, but is followed no further. */
  isCut: boolean;
}

function followCauses(world: World, revision: number): Followed {
  const followed: Followed = { changes: [], ends: '', isCut: true };
  let next: number | undefined = revision;
  for (let jump = 0; jump < MAX_JUMPS && next !== undefined && followed.changes.length < MAX_CHANGES; jump++)
    next = followNamed(world, next, followed);
  return followed;
}

/** Follows the causes that changes name; gives the revision with which the story goes on behind them, if any. */
function followNamed(world: World, revision: number, followed: Followed): number | undefined {
  const { changes } = followed;
  const answer = world.past({ type: 'chain', revision, limit: MAX_CHANGES - changes.length });
  const emptied = answer.changes.findIndex(({ actor }) => actor === NAMESPACE_CONTROLLER);
  changes.push(...(emptied < 0 ? answer.changes : answer.changes.slice(0, emptied + 1)));
  const last = changes.at(-1);
  if (answer.ended && emptied < 0) followed.ends = endOf(answer);
  followed.isCut = answer.ended === 'budget';
  if (!last || followed.ends !== '' || !isComponent(last.actor)) return undefined;
  followed.isCut = true;
  if (emptied < 0 && last.cause !== 0) return undefined;
  const origin = findOrigin(world, last, changes);
  followed.ends = origin.ends;
  followed.isCut = origin.revision > 0;
  if (origin.isCause) changes[changes.length - 1] = { ...last, cause: origin.revision };
  return followed.isCut ? origin.revision : undefined;
}

const shownStep = (world: World, change: PastChange, leftOut: LeftOut = 0): WhyStep =>
  stepOf(change, kindOfResource(world, change.resource)?.singular, leftOut);

/** The user's write, and what has caused it, that a chain which is too long to be followed has come from. */
function requestBefore(world: World, changes: readonly PastChange[]): PastChange[] {
  const { revision } = changes.length > 0 ? findRequest(world, changes) : NOWHERE;
  return revision === 0 ? [] : [...world.past({ type: 'chain', revision, limit: MAX_OF_REQUEST }).changes];
}

/** Changes of what no API serves are no steps: what they have caused names what has caused them. Newest first. */
function shownChanges(world: World, changes: readonly PastChange[]): PastChange[] {
  const hidden = new Set(
    world
      .kinds()
      .filter(({ internal }) => internal)
      .map(storageKey),
  );
  const causes = new Map(
    changes.filter(({ resource }) => hidden.has(resource)).map((one) => [one.revision, one.cause]),
  );
  const causeOf = (revision: number): number => {
    const before = causes.get(revision);
    return before === undefined ? revision : causeOf(before);
  };
  return changes
    .filter(({ revision }) => !causes.has(revision))
    .map((one) => (causes.has(one.cause) ? { ...one, cause: causeOf(one.cause) } : one));
}

/** Where the story of a change that has no cause goes on. */
function findOrigin(world: World, change: PastChange, known: readonly PastChange[]): Origin {
  const { resource, namespace, name, actor } = change;
  if (actor === NAMESPACE_CONTROLLER) return findMark(world, namespaceOf(change));
  const lost = isDeletion(change) && DELETERS_WITH_NODES.has(actor) ? findNodeChange(world, change) : NOWHERE;
  if (lost.revision > 0) return lost;
  const kind = kindOfResource(world, resource);
  const object = kind && world.read.get(kind, { namespace, name });
  if (!object) return ofGone(world, change);
  const isEvent = resource === EVENTS;
  const creation = change.verb === 'create' || isEvent ? undefined : creationOf(world, object, resource);
  // Another object has its name by now: this one ended because somebody had asked for it.
  if (creation && creation.revision > change.revision) return ofGone(world, change);
  if (creation && !known.some(({ revision }) => revision === creation.revision)) return creation;
  const owner = isEvent ? (object as Event).involvedObject : controllerOf(object);
  const parent = owner && ownerObject(world, owner, namespace);
  const parentKind = parent && world.kinds().find((one) => one.kind === parent.kind && !one.storedAs);
  if (!parent || !parentKind) return NOWHERE;
  const group = parentKind.group ? `.${parentKind.group}` : '';
  return creationOf(world, parent, `${parentKind.plural}${group}`);
}

/** What has asked for the end of an object that is gone; else its creation. */
function ofGone(world: World, change: PastChange): Origin {
  const mark = change.fields.includes('metadata.deletionTimestamp') ? NOWHERE : findMark(world, change);
  return mark.revision > 0 || change.verb === 'delete' ? mark : findCreation(world, change);
}
