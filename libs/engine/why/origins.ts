import { Nodes } from '../kinds/index.js';
import { storageKey } from '../machinery/kind.js';
import { controllerOf, keyOf, type KubeObject } from '../machinery/meta/object.js';
import type { HistoryAnswer, PastChange } from '../machinery/past-change.js';
import { parseTimestamp } from '../machinery/time/time.js';
import { kindOfObject, kindOfResource, ownerObject, type World } from './world.js';

/** Changes of one object that are looked through for what asked for its deletion, or which node had it. */
const MAX_OF_OBJECT = 20;
const KEPT_NO_LONGER = 'older changes are no longer retained';
export const AS_CREATED = 'it is part of the cluster as it was created';
const SEARCHED_ENOUGH = 'older changes were not looked through';
const NODE = 'system:node:';
const MARK = 'metadata.deletionTimestamp';

/** Where the story of a change goes on. */
export interface Origin {
  /** 0: there is none. */
  readonly revision: number;
  readonly ends: string;
  /** The change is because of this one, though it does not name it. */
  readonly isCause?: true;
}

export const NOWHERE: Origin = { revision: 0, ends: '' };

type Place = Pick<PastChange, 'resource' | 'namespace' | 'name' | 'revision'>;

export function endOf({ ended, template }: HistoryAnswer): string {
  if (ended === 'beginning') return `${AS_CREATED}${template === undefined ? '' : ` (template ${template})`}`;
  return ended === 'retention' ? KEPT_NO_LONGER : ended === 'budget' ? SEARCHED_ENOUGH : '';
}

export const isDeletion = ({ verb, fields }: PastChange): boolean => verb === 'delete' || fields.includes(MARK);

/** The namespace whose deletion makes its controller delete an object: of a namespace, itself. */
export const namespaceOf = ({ resource, namespace, name, revision }: Place): Place => ({
  resource: 'namespaces',
  namespace: '',
  name: resource === 'namespaces' ? name : namespace,
  revision,
});

/** The change that asked for a deletion which was carried out later. */
export function findMark(world: World, { resource, namespace, name, revision }: Place): Origin {
  const filter = { resource, namespace, name };
  const answer = world.past({ type: 'search', filter, before: revision, limit: MAX_OF_OBJECT });
  const mark = answer.changes.find(({ fields }) => fields.includes(MARK));
  return mark ? { revision: mark.revision, ends: '', isCause: true } : { revision: 0, ends: endOf(answer) };
}

/** The creation of an object that is gone. */
export function findCreation(world: World, { resource, namespace, name, revision }: Place): Origin {
  const filter = { resource, namespace, name, verbs: ['create' as const] };
  const [found] = world.past({ type: 'search', filter, before: revision, limit: 1 }).changes;
  return found ? { revision: found.revision, ends: '' } : NOWHERE;
}

/** What has happened to the node of a pod, for which it was deleted a while later: its deletion, or its taints. */
export function findNodeChange(world: World, { resource, namespace, name, revision }: Place): Origin {
  const own = { resource, namespace, name };
  const ofPod = world.past({ type: 'search', filter: own, before: revision, limit: MAX_OF_OBJECT });
  const kubelet = ofPod.changes.find(({ actor }) => actor.startsWith(NODE))?.actor;
  if (kubelet === undefined) return NOWHERE;
  const node = kubelet.slice(NODE.length);
  const isGone = !world.read.get(Nodes, { namespace: '', name: node });
  const filter = { resource: 'nodes', namespace: '', name: node };
  const verbs = isGone ? { verbs: ['delete' as const] } : {};
  const answer = world.past({
    type: 'search',
    filter: { ...filter, ...verbs },
    before: revision,
    limit: isGone ? 1 : MAX_OF_OBJECT,
  });
  const found = isGone ? answer.changes[0] : answer.changes.find(({ fields }) => fields.includes('spec'));
  return found ? { revision: found.revision, ends: '', isCause: true } : NOWHERE;
}

export function creationOf(world: World, { metadata }: KubeObject, resource: string): Origin {
  const { namespace = '', name = '', creationTimestamp = '' } = metadata;
  const answer = world.past({ type: 'creation', resource, namespace, name, at: parseTimestamp(creationTimestamp) });
  const [found] = answer.changes;
  return found ? { revision: found.revision, ends: '' } : { revision: 0, ends: endOf(answer) || AS_CREATED };
}

/**
 * What a user has asked last of the workload for whose sake components have made changes, the newest first, that are
 * too many to be followed: a StatefulSet's pods come one because of the other.
 */
export function findRequest(world: World, changes: readonly PastChange[]): Origin {
  const oldest = changes.at(-1)!;
  for (const { resource, namespace, name } of changes) {
    const kind = kindOfResource(world, resource);
    const object = kind && world.read.get(kind, { namespace, name });
    const top = object && topOwner(world, object);
    const topKind = top && top !== object ? kindOfObject(world, top) : undefined;
    if (!top || !topKind) continue;
    const filter = { ...keyOf(top), resource: storageKey(topKind), ofUsers: true };
    const asked = world.past({ type: 'search', filter, before: oldest.revision, limit: MAX_OF_OBJECT });
    const found = asked.changes.find(({ verb, fields }) => verb === 'create' || fields.includes('spec'));
    return found ? { revision: found.revision, ends: '' } : creationOf(world, top, filter.resource);
  }
  return NOWHERE;
}

function topOwner(world: World, object: KubeObject): KubeObject {
  const owner = controllerOf(object);
  const parent = owner && ownerObject(world, owner, object.metadata.namespace ?? '');
  return parent ? topOwner(world, parent) : object;
}
