import { resourceNamed, type Found, listOf } from '../../discovery/targets.js';
import { KubectlFailure } from '../../session/failure.js';
import type { ApiObject, KubeJson, Session } from '../../session/session.js';
import { selectorText } from '../../describe/parts/selector.js';

const REVISION = 'deployment.kubernetes.io/revision';
const CAUSE = 'kubernetes.io/change-cause';

/** One step of an object's history. */
export interface Revision {
  readonly number: number;
  readonly cause: string;
  /** The pod template of that revision. */
  readonly template: KubeJson;
  /** ReplicaSet or ControllerRevision. */
  readonly object: ApiObject;
}

/** The revisions that are kept of a Deployment, DaemonSet or StatefulSet, the oldest first. Throws KubectlFailure. */
export function revisionsOf(session: Session, found: Found): Revision[] {
  switch (found.resource.kind) {
    case 'Deployment':
      return ofDeployment(session, found);
    case 'DaemonSet':
    case 'StatefulSet':
      return ofControllerRevisions(session, found);
    default:
      throw new KubectlFailure(
        `no history viewer has been implemented for "${found.resource.kind}.${found.resource.group}"`,
      );
  }
}

const owns = (owner: ApiObject, { metadata }: ApiObject): boolean =>
  ((metadata?.['ownerReferences'] ?? []) as readonly { uid?: string }[]).some(({ uid }) => uid === owner.metadata?.uid);

const selectionOf = (object: ApiObject): string => `?labelSelector=${encodeURIComponent(selectorText(object) ?? '')}`;

function ofDeployment(session: Session, { object, namespace }: Found): Revision[] {
  const sets = listOf(session, resourceNamed(session, 'replicasets.apps'), namespace, selectionOf(object));
  return sets
    .filter((set) => owns(object, set))
    .map((set) => ({
      number: Number(set.metadata?.annotations?.[REVISION] ?? 0),
      cause: set.metadata?.annotations?.[CAUSE] ?? '',
      template: ((set['spec'] ?? {}) as { template: KubeJson }).template,
      object: set,
    }))
    .sort((a, b) => a.number - b.number);
}

function ofControllerRevisions(session: Session, { object, namespace }: Found): Revision[] {
  const all = listOf(session, resourceNamed(session, 'controllerrevisions.apps'), namespace, selectionOf(object));
  return all
    .filter((one) => owns(object, one))
    .map((one) => ({
      number: Number(one['revision'] ?? 0),
      cause: one.metadata?.annotations?.[CAUSE] ?? '',
      template: ((one['data'] ?? {}) as { spec?: { template?: KubeJson } }).spec?.template ?? {},
      object: one,
    }))
    .sort((a, b) => a.number - b.number);
}
