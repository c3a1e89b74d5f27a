import { isMap } from '../../go-template/values.js';
import type { ApiObject, Session } from '../../kubectl/session/session.js';
import { objectPath, type ReleaseObject } from './objects.js';

const fieldOf = (object: ApiObject, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (found, name) => (isMap(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    object,
  );

const numberOf = (object: ApiObject, ...names: readonly string[]): number => {
  const value = fieldOf(object, ...names);
  return typeof value === 'number' ? value : 0;
};

function hasCondition(object: ApiObject, type: string): boolean {
  const conditions = fieldOf(object, 'status', 'conditions');
  return (
    Array.isArray(conditions) &&
    conditions.some((one) => isMap(one) && one['type'] === type && one['status'] === 'True')
  );
}

/** maxUnavailable as a count, rounded down. */
function unavailable(value: unknown, replicas: number): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? Math.floor((Number.parseInt(value, 10) * replicas) / 100) : 0;
}

/** Whether `--wait` goes on for it. Models pkg/kube ReadyChecker.IsReady. */
export function isReady(session: Session, one: ReleaseObject, checksJobs: boolean): boolean {
  const checked = CHECKS[one.kind];
  if (!checked) return true;
  const object = session.find(objectPath(one));
  return object !== undefined && checked(object, checksJobs);
}

const isObserved = (object: ApiObject): boolean =>
  numberOf(object, 'status', 'observedGeneration') >= (object.metadata?.generation ?? 0);

const CHECKS: Readonly<Record<string, (object: ApiObject, checksJobs: boolean) => boolean>> = {
  Pod: (object) => hasCondition(object, 'Ready'),
  Job: (object, checksJobs) =>
    !checksJobs || numberOf(object, 'status', 'succeeded') >= (numberOf(object, 'spec', 'completions') || 1),
  Deployment: (object) => {
    if (fieldOf(object, 'spec', 'paused') === true) return true;
    const wanted = numberOf(object, 'spec', 'replicas');
    const most = unavailable(fieldOf(object, 'spec', 'strategy', 'rollingUpdate', 'maxUnavailable'), wanted);
    const ready = numberOf(object, 'status', 'readyReplicas');
    const old = numberOf(object, 'status', 'replicas') - numberOf(object, 'status', 'updatedReplicas');
    // Pods of older templates are ready too: those of the newest one are what counts.
    return (
      isObserved(object) &&
      numberOf(object, 'status', 'updatedReplicas') >= wanted - most &&
      Math.max(0, ready - old) >= wanted - most
    );
  },
  ReplicaSet: (object) => numberOf(object, 'status', 'readyReplicas') >= numberOf(object, 'spec', 'replicas'),
  ReplicationController: (object) =>
    numberOf(object, 'status', 'readyReplicas') >= numberOf(object, 'spec', 'replicas'),
  StatefulSet: (object) => {
    const wanted = numberOf(object, 'spec', 'replicas');
    if (fieldOf(object, 'spec', 'updateStrategy', 'type') === 'OnDelete') return true;
    const partition = numberOf(object, 'spec', 'updateStrategy', 'rollingUpdate', 'partition');
    return (
      isObserved(object) &&
      numberOf(object, 'status', 'updatedReplicas') >= wanted - partition &&
      numberOf(object, 'status', 'readyReplicas') >= wanted
    );
  },
  DaemonSet: (object) => {
    if (fieldOf(object, 'spec', 'updateStrategy', 'type') === 'OnDelete') return true;
    const wanted = numberOf(object, 'status', 'desiredNumberScheduled');
    const most = unavailable(fieldOf(object, 'spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable'), wanted);
    return (
      isObserved(object) &&
      numberOf(object, 'status', 'updatedNumberScheduled') >= wanted &&
      numberOf(object, 'status', 'numberReady') >= wanted - most
    );
  },
  PersistentVolumeClaim: (object) => fieldOf(object, 'status', 'phase') === 'Bound',
  Service: (object) => {
    const type = fieldOf(object, 'spec', 'type');
    if (type === 'ExternalName') return true;
    if ((fieldOf(object, 'spec', 'clusterIP') ?? '') === '') return false;
    const ingress = fieldOf(object, 'status', 'loadBalancer', 'ingress');
    const external = fieldOf(object, 'spec', 'externalIPs');
    return type !== 'LoadBalancer' || (Array.isArray(external) && external.length > 0) || Array.isArray(ingress);
  },
  CustomResourceDefinition: (object) => hasCondition(object, 'Established'),
};

/** How a hook's object stands: undefined while it runs. Models watchUntilReady. */
export function hookOutcome(session: Session, one: ReleaseObject): { readonly failure?: string } | undefined {
  if (one.kind !== 'Job' && one.kind !== 'Pod') return {};
  const object = session.find(objectPath(one));
  if (object === undefined) return undefined;
  if (one.kind === 'Job') {
    if (hasCondition(object, 'Complete')) return {};
    if (!hasCondition(object, 'Failed')) return undefined;
    const conditions = fieldOf(object, 'status', 'conditions') as readonly { type?: string; reason?: string }[];
    return { failure: `job ${one.name} failed: ${conditions.find(({ type }) => type === 'Failed')?.reason ?? ''}` };
  }
  const phase = fieldOf(object, 'status', 'phase');
  if (phase === 'Succeeded') return {};
  return phase === 'Failed' ? { failure: `pod ${one.name} failed` } : undefined;
}
