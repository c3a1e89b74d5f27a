import type { Deployment, ReplicaSet, StatefulSet } from '../../api/apps_v1.js';
import type { Pod } from '../../api/core_v1.js';
import { PersistentVolumeClaims, Pods, Services } from '../../kinds/index.js';
import { isPodReady } from '../../kinds/core/pod/status/phase.js';
import { controllerOf, type KubeObject } from '../../machinery/meta/object.js';
import { matchesMap } from '../../machinery/selectors/selectors.js';
import type { WhyFinding } from '../../machinery/questions/why.js';
import { explainMissing } from '../missing.js';
import { findingOf, lastEvent, MAX_DEPTH, revisionOf, type Topic, type World } from '../world.js';
import { podTopic } from './pods/pod.js';
import { claimTopic } from './storage.js';

const REVISION = 'deployment.kubernetes.io/revision';
/** Unready pods that are looked at one by one: they mostly have one reason. */
const MAX_PODS = 5;

interface Counted {
  readonly status?: {
    readonly conditions?: readonly { type: string; status: string; reason?: string; message?: string }[];
  };
}

const conditionOf = ({ status }: Counted, type: string, value: string) =>
  status?.conditions?.find((one) => one.type === type && one.status === value);

const ownedBy = <T extends KubeObject>(objects: readonly KubeObject[], owner: KubeObject, kind: string): T[] =>
  objects.filter((one) => one.kind === kind && controllerOf(one)?.uid === owner.metadata.uid) as T[];

export const podsOf = ({ read }: World, owner: KubeObject): Pod[] =>
  ownedBy<Pod>(read.dependents(owner.metadata.uid ?? ''), owner, 'Pod');

/** The reasons of pods that are not ready, each once. */
export function podReasons(world: World, pods: readonly Pod[], depth: number): WhyFinding[] {
  if (depth >= MAX_DEPTH) return [];
  const unready = pods.filter((pod) => !isPodReady(pod) && pod.status.phase !== 'Succeeded');
  const found = unready.slice(0, MAX_PODS).flatMap((pod) => podTopic(world, pod, depth + 1));
  return found.filter(({ object, reason }, i) => {
    const isNode = object.startsWith('node/');
    return found.findIndex((one) => one.reason === reason && (!isNode || one.object === object)) === i;
  });
}

/** Findings of a pod that is ready again: its end, and what stands behind it. */
const MAX_OF_POD = 3;

/** Pods that are ready by now, or were replaced: what has ended their containers, or them. */
export function troubles(world: World, owner: KubeObject, pods: readonly Pod[], depth: number): WhyFinding[] {
  if (depth >= MAX_DEPTH) return [];
  const failed: Pod[] = [];
  const restarted: Pod[] = [];
  // Once, and at what few have first: there may be ten thousand of them.
  for (const pod of pods) {
    if (pod.status.phase === 'Failed') failed.push(pod);
    else if (hasFailedOnce(pod) && isPodReady(pod)) restarted.push(pod);
  }
  const of = (found: readonly Pod[]): WhyFinding[] =>
    found.slice(-MAX_PODS).flatMap((pod) => podTopic(world, pod, depth + 1).slice(0, MAX_OF_POD));
  const reasons = [...of(failed), ...of(restarted)];
  const unique = reasons.filter(({ reason }, i) => reasons.findIndex((one) => one.reason === reason) === i);
  if (unique.length === 0) return [];
  const counts = [
    ...(failed.length > 0 ? [`${failed.length} of its pods have failed, and were replaced`] : []),
    ...(restarted.length > 0 ? [`${restarted.length} of its pods have restarted containers`] : []),
  ];
  return [...unique, findingOf(owner, 'Unstable', `it is available now, but ${counts.join(', and ')}`)];
}

const hasFailedOnce = ({ status }: Pod): boolean =>
  status.containerStatuses?.some(
    ({ restartCount, lastState }) => restartCount > 0 && lastState?.terminated !== undefined,
  ) ?? false;

const MAX_CHANGES = 20;

/** Nothing runs because nothing is asked for: since the last change of its spec. */
function scaledToZero(world: World, owner: KubeObject): WhyFinding {
  const { namespace = '', name = '' } = owner.metadata;
  const resource = `${owner.kind.toLowerCase()}s${owner.apiVersion === 'v1' ? '' : '.apps'}`;
  const before = Number.MAX_SAFE_INTEGER;
  const past = world.past({ type: 'search', filter: { resource, namespace, name }, before, limit: MAX_CHANGES });
  const change = past.changes.find(({ verb, fields }) => verb === 'create' || fields.includes('spec'));
  const revision = change?.revision ?? revisionOf(owner);
  return findingOf(owner, 'ScaledToZero', 'it asks for no pods (spec.replicas is 0)', { revision });
}

/** What the API server has refused to a controller: quota, admission, validation. */
export function refusal(world: World, owner: KubeObject & Counted): WhyFinding | undefined {
  const condition = conditionOf(owner, 'ReplicaFailure', 'True');
  const event = lastEvent(world, owner, ['FailedCreate', 'ReplicaSetCreateError']);
  const message = condition?.message ?? event?.message;
  if (!message) return undefined;
  return findingOf(owner, condition?.reason ?? 'FailedCreate', `it may not create pods: ${message}`, {
    revision: event && !condition ? revisionOf(event) : revisionOf(owner),
  });
}

export const controllerDown = (world: World, owner: KubeObject, ...controllers: readonly string[]): WhyFinding[] => {
  if (!world.isEnabled('kube-controller-manager'))
    return [findingOf(owner, 'NoController', 'kube-controller-manager does not run, so nobody acts on it')];
  const down = controllers.filter((name) => !world.isEnabled('kube-controller-manager', name));
  if (down.length === 0) return [];
  return [
    findingOf(owner, 'NoController', `the ${down.join(' and the ')} controller does nothing, so nobody acts on it`),
  ];
};

/** Why a Deployment does not come to its end. */
export const deploymentTopic: Topic<Deployment> = (world, deployment, depth) => {
  const { spec, status } = deployment;
  const wanted = spec.replicas ?? 1;
  const isSeen = (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);
  const isDone = isSeen && status.updatedReplicas === wanted && status.availableReplicas === wanted;
  if (isSeen && wanted === 0 && !status.replicas) return [scaledToZero(world, deployment)];
  const down = controllerDown(world, deployment, 'deployment', 'replicaset');
  if (down.length > 0) return down;
  const sets = ownedBy<ReplicaSet>(world.read.dependents(deployment.metadata.uid ?? ''), deployment, 'ReplicaSet');
  const newest = sets.sort((a, b) => numberOf(b) - numberOf(a))[0];
  if (isDone && status.replicas === status.updatedReplicas)
    return newest ? troubles(world, deployment, podsOf(world, newest), depth) : [];
  const causes = [
    ...[refusal(world, newest ?? deployment) ?? refusal(world, deployment)].filter((one) => one !== undefined),
    ...(newest ? podReasons(world, podsOf(world, newest), depth) : []),
  ];
  if (spec.paused) causes.unshift(findingOf(deployment, 'DeploymentPaused', 'its rollout is paused (spec.paused)'));
  const late = conditionOf(deployment, 'Progressing', 'False');
  const counts = `${status.updatedReplicas ?? 0} of ${wanted} replicas are updated, ${status.availableReplicas ?? 0} are available`;
  const message = late?.message ? `${late.message.replace(/\.$/, '')}: ${counts}` : counts;
  const unplaced = causes.some(({ reason }) => reason === 'Unschedulable' || reason === 'FailedCreate');
  const held = unplaced && sets.length > 1 ? heldPlaces(deployment) : [];
  return [...causes, ...held, findingOf(deployment, late?.reason ?? 'NotComplete', message)];
};

/** Old pods keep the places that new ones need, when none of them may go before. */
function heldPlaces(deployment: Deployment): WhyFinding[] {
  const { replicas = 1, strategy } = deployment.spec;
  const { maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {};
  const most =
    typeof maxUnavailable === 'number'
      ? maxUnavailable
      : Math.floor((replicas * Number.parseFloat(maxUnavailable)) / 100);
  const { status } = deployment;
  const old = (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  if (strategy?.type === 'Recreate' || most > 0 || old <= 0) return [];
  const message =
    `its old pods (${old}) stay, and keep their places, until a new one is ready: of ${replicas} replicas ` +
    `maxUnavailable ${maxUnavailable} lets none go before`;
  return [findingOf(deployment, 'OldPodsStay', message)];
}

const numberOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[REVISION] ?? 0);

/** Why a ReplicaSet, or a ReplicationController, has fewer ready pods than it wants. */
export const replicaSetTopic: Topic<ReplicaSet> = (world, set, depth) => {
  const wanted = set.spec.replicas ?? 1;
  const ready = set.status?.readyReplicas ?? 0;
  if (wanted === 0 && !set.status?.replicas) return [scaledToZero(world, set)];
  if (ready >= wanted) return troubles(world, set, podsOf(world, set), depth);
  const down = controllerDown(world, set, set.kind === 'ReplicaSet' ? 'replicaset' : 'replicationcontroller');
  if (down.length > 0) return down;
  const refused = refusal(world, set);
  const pods = podReasons(world, podsOf(world, set), depth);
  const own = findingOf(set, 'NotReady', `${ready} of ${wanted} replicas are ready`);
  return [...(refused && (set.status?.replicas ?? 0) < wanted ? [refused] : []), ...pods, own];
};

/** Why a StatefulSet does not go on: in order it waits for the pod before. */
export const statefulSetTopic: Topic<StatefulSet> = (world, set, depth) => {
  const wanted = set.spec.replicas ?? 1;
  const { readyReplicas = 0, updatedReplicas = 0 } = set.status ?? {};
  if (wanted === 0 && !set.status?.replicas) return [scaledToZero(world, set)];
  if (readyReplicas >= wanted && updatedReplicas >= wanted) return troubles(world, set, podsOf(world, set), depth);
  const down = controllerDown(world, set, 'statefulset');
  if (down.length > 0) return down;
  const held = heldUpdate(set);
  const pods = podsOf(world, set).sort((a, b) => ordinalOf(a) - ordinalOf(b));
  const first = pods.find((pod) => !isPodReady(pod));
  const own = findingOf(set, 'NotReady', `${readyReplicas} of ${wanted} replicas are ready`);
  const isOrdered = set.spec.podManagementPolicy !== 'Parallel';
  const claims = claimsOf(world, set, first, depth);
  const refused = pods.length < wanted && !first ? refusal(world, set) : undefined;
  const reasons = first ? podReasons(world, [first], depth) : [];
  const waits =
    first && isOrdered && pods.length < wanted
      ? [
          findingOf(
            set,
            'WaitingForPredecessor',
            `${set.metadata.name}-${ordinalOf(first) + 1} is not created before ${first.metadata.name} is ready (podManagementPolicy OrderedReady)`,
          ),
        ]
      : [];
  return [
    ...reasons,
    ...claims,
    ...(refused ? [refused] : []),
    ...waits,
    ...staleFindings(set, first),
    ...held,
    ...governing(world, set),
    own,
  ];
};

/** The Service that gives its pods their names, where that is not there. */
function governing(world: World, { metadata, spec }: StatefulSet): WhyFinding[] {
  const { namespace = '' } = metadata;
  const name = spec.serviceName ?? '';
  if (name === '' || world.read.get(Services, { namespace, name })) return [];
  const { finding } = explainMissing(world, Services, namespace, name);
  return [{ ...finding, message: `${finding.message}; it would give its pods their names (spec.serviceName)` }];
}

/** Pods of the old revision stay because the strategy says so. */
function heldUpdate({ spec, status, ...set }: StatefulSet): WhyFinding[] {
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  const { updatedReplicas = 0, currentRevision, updateRevision } = status ?? {};
  const owner = { ...set, spec, status } as StatefulSet;
  if (currentRevision === updateRevision || updatedReplicas >= (spec.replicas ?? 1)) return [];
  if (type === 'OnDelete') return [findingOf(owner, 'OnDelete', ON_DELETE)];
  const partition = Number(rollingUpdate?.partition ?? 0);
  if (partition === 0) return [];
  const message = `its updateStrategy keeps pods below the ordinal ${partition} (partition) at the revision ${currentRevision}`;
  return [findingOf(owner, 'Partition', message)];
}

export const ON_DELETE =
  'its updateStrategy is OnDelete: a pod is of the new revision once somebody has deleted the old one';

const REVISION_LABEL = 'controller-revision-hash';

/** In order, a pod that never gets ready is not replaced by a newer revision either. Known upstream as issue 67250. */
function staleFindings(set: StatefulSet, first: Pod | undefined): WhyFinding[] {
  const { updateRevision } = set.status ?? {};
  const isOrdered = set.spec.podManagementPolicy !== 'Parallel' && set.spec.updateStrategy?.type !== 'OnDelete';
  const revision = first?.metadata.labels?.[REVISION_LABEL];
  if (!first || !isOrdered || !updateRevision || revision === undefined || revision === updateRevision) return [];
  const message =
    `${first.metadata.name} is of the revision ${revision}, and is not replaced by one of ${updateRevision} before it is ` +
    'ready: it has to be deleted by hand';
  return [findingOf(set, 'WaitingForOldRevision', message)];
}

const ordinalOf = ({ metadata }: Pod): number => Number(/-(\d+)$/.exec(metadata.name ?? '')?.[1] ?? 0);

function claimsOf(world: World, set: StatefulSet, pod: Pod | undefined, depth: number): WhyFinding[] {
  if (!pod || depth >= MAX_DEPTH) return [];
  return (set.spec.volumeClaimTemplates ?? []).flatMap(({ metadata }) => {
    const name = `${metadata?.name}-${pod.metadata.name}`;
    const claim = world.read.get(PersistentVolumeClaims, { namespace: set.metadata.namespace ?? '', name });
    return claim ? claimTopic(world, claim, depth + 1) : [];
  });
}

export const podsSelectedBy = (world: World, namespace: string, selector: Readonly<Record<string, string>>): Pod[] =>
  world.read.list(Pods, namespace).filter(({ metadata }) => matchesMap(selector, metadata.labels));
