import { Failure } from '../../../api/failure.js';
import { at, textAt, type KubeObject } from '../../../kube/object.js';
import { pathOf, type Resource } from '../../../kube/resource.js';
import { STRATEGIC_PATCH } from '../../../kube/client.js';
import { selectorText } from '../details/related.js';
import type { Write } from '../actions/actions.js';

// Models kubectl/pkg/polymorphichelpers/history.go and rollback.go.

const REVISION = 'deployment.kubernetes.io/revision';
const CHANGE_CAUSE = 'kubernetes.io/change-cause';
const HASH = 'pod-template-hash';
/** Of a Deployment's own: a rollback leaves them as they are. */
const KEPT = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  'deployment.kubernetes.io/revision-history',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deprecated.deployment.rollback.to',
]);
const CONFLICT = 409;
const NOT_FOUND = 404;

/** One state of a workload's pods that it can go back to. */
export interface Revision {
  readonly number: number;
  /** What kept it: a ReplicaSet, or a ControllerRevision. */
  readonly keeper: KubeObject;
  /** Why it was made, by its annotation; '' when nobody has said. */
  readonly cause: string;
  /** The pods' template, without what the controller has put into it. */
  readonly template: unknown;
  readonly isCurrent: boolean;
}

/** Where what keeps the revisions of a workload is read. */
export function keepersPath(workload: KubeObject): string {
  const resource = workload.kind === 'Deployment' ? 'replicasets' : 'controllerrevisions';
  const selector = encodeURIComponent(selectorText(at(workload, 'spec', 'selector')));
  return `${pathOf({ apiVersion: 'apps/v1', resource, namespaced: true }, workload.metadata.namespace)}?labelSelector=${selector}`;
}

/** The revisions of a workload, the latest first. `keepers`: what is at keepersPath(), also those of others. */
export function revisionsOf(workload: KubeObject, keepers: readonly KubeObject[]): Revision[] {
  const own = keepers.filter(({ metadata }) =>
    metadata.ownerReferences?.some(({ uid }) => uid === workload.metadata.uid),
  );
  const all = own
    .map((keeper) => ({
      keeper,
      number: numberOf(keeper),
      cause: keeper.metadata.annotations?.[CHANGE_CAUSE] ?? '',
      template: templateOf(keeper),
    }))
    .filter(({ number }) => number > 0)
    .sort((a, b) => b.number - a.number);
  const current = currentOf(workload, all);
  return all.map((one) => ({ ...one, isCurrent: one.number === current }));
}

const numberOf = (keeper: KubeObject): number =>
  Number(keeper.metadata.annotations?.[REVISION] ?? (textAt(keeper, 'revision') || 0));

function templateOf(keeper: KubeObject): unknown {
  const template = at(keeper, 'spec', 'template') ?? at(keeper, 'data', 'spec', 'template');
  const { $patch: _, metadata, ...rest } = (template ?? {}) as Record<string, unknown>;
  const labels = Object.entries((at(metadata, 'labels') ?? {}) as object).filter(([key]) => key !== HASH);
  return { metadata: { ...(metadata as object | undefined), labels: Object.fromEntries(labels) }, ...rest };
}

/** A Deployment says it by number, a StatefulSet by name; of a DaemonSet it is the latest. */
function currentOf(workload: KubeObject, all: readonly { number: number; keeper: KubeObject }[]): number | undefined {
  const number = workload.metadata.annotations?.[REVISION];
  if (number !== undefined) return Number(number);
  const name = textAt(workload, 'status', 'updateRevision');
  return (all.find(({ keeper }) => keeper.metadata.name === name) ?? all[0])?.number;
}

/** As `kubectl rollout undo --to-revision`. Throws Failure where kubectl refuses, in its words. */
export function rollbackWrite(resource: Resource, workload: KubeObject, revision: Revision): Write {
  const { namespace, name, annotations = {} } = workload.metadata;
  if (at(workload, 'spec', 'paused') === true)
    throw new Failure(
      "cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again",
      CONFLICT,
    );
  const path = `${pathOf(resource, namespace, name)}?fieldManager=kubectl-rollout`;
  const { keeper, template } = revision;
  if (workload.kind !== 'Deployment') return { method: 'PATCH', path, body: at(keeper, 'data'), type: STRATEGIC_PATCH };
  // What was told of that revision is told of it again: its cause, above all.
  const kept = Object.entries(annotations).filter(([key]) => KEPT.has(key));
  const told = Object.entries(keeper.metadata.annotations ?? {}).filter(([key]) => !KEPT.has(key));
  return {
    method: 'PATCH',
    path,
    body: [
      { op: 'replace', path: '/spec/template', value: template },
      {
        op: Object.keys(annotations).length > 0 ? 'replace' : 'add',
        path: '/metadata/annotations',
        value: Object.fromEntries([...kept, ...told]),
      },
    ],
    type: 'application/json-patch+json',
  };
}

/** The revision before the latest one, as `kubectl rollout undo` takes it. Throws Failure when there is none. */
export function revisionBefore(revisions: readonly Revision[], why: string): Revision {
  const [, before] = revisions;
  if (!before) throw new Failure(why, NOT_FOUND);
  return before;
}
