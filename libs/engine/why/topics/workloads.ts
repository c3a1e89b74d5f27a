import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../api/apps_v1.js';
import type { Pod } from '../../api/core_v1.js';
import { Nodes, PersistentVolumeClaims, Pods } from '../../kinds/index.js';
import { isPodReady } from '../../kinds/core/pod/status/phase.js';
import { controllerOf, type KubeObject } from '../../machinery/meta/object.js';
import { matchesMap } from '../../machinery/selectors/selectors.js';
import type { WhyFinding } from '../../machinery/questions/why.js';
import { findingOf, lastEvent, MAX_DEPTH, refOf, revisionOf, type Topic, type World } from '../world.js';
import { podTopic } from './pod.js';
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

const podsOf = ({ read }: World, owner: KubeObject): Pod[] =>
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

/** What the API server has refused to a controller: quota, admission, validation. */
function refusal(world: World, owner: KubeObject & Counted): WhyFinding | undefined {
  const condition = conditionOf(owner, 'ReplicaFailure', 'True');
  const event = lastEvent(world, owner, ['FailedCreate', 'ReplicaSetCreateError']);
  const message = condition?.message ?? event?.message;
  if (!message) return undefined;
  return findingOf(owner, condition?.reason ?? 'FailedCreate', `it may not create pods: ${message}`, {
    revision: event && !condition ? revisionOf(event) : revisionOf(owner),
  });
}

const controllerManagerDown = (world: World, owner: KubeObject): WhyFinding[] =>
  world.isEnabled('kube-controller-manager')
    ? []
    : [findingOf(owner, 'NoController', 'kube-controller-manager does not run, so nobody acts on it')];

/** Why a Deployment does not come to its end. */
export const deploymentTopic: Topic<Deployment> = (world, deployment, depth) => {
  const { spec, status } = deployment;
  const wanted = spec.replicas ?? 1;
  const isSeen = (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);
  const isDone = isSeen && status.updatedReplicas === wanted && status.availableReplicas === wanted;
  if ((isDone || (isSeen && wanted === 0 && !status.replicas)) && status.replicas === status.updatedReplicas) return [];
  const down = controllerManagerDown(world, deployment);
  if (down.length > 0) return down;
  const sets = ownedBy<ReplicaSet>(world.read.dependents(deployment.metadata.uid ?? ''), deployment, 'ReplicaSet');
  const newest = sets.sort((a, b) => numberOf(b) - numberOf(a))[0];
  const causes = [
    ...[refusal(world, newest ?? deployment) ?? refusal(world, deployment)].filter((one) => one !== undefined),
    ...(newest ? podReasons(world, podsOf(world, newest), depth) : []),
  ];
  if (spec.paused) causes.unshift(findingOf(deployment, 'DeploymentPaused', 'its rollout is paused (spec.paused)'));
  const late = conditionOf(deployment, 'Progressing', 'False');
  const counts = `${status.updatedReplicas ?? 0} of ${wanted} replicas are updated, ${status.availableReplicas ?? 0} are available`;
  const message = late?.message ? `${late.message}: ${counts}` : counts;
  return [...causes, findingOf(deployment, late?.reason ?? 'NotComplete', message)];
};

const numberOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[REVISION] ?? 0);

/** Why a ReplicaSet, or a ReplicationController, has fewer ready pods than it wants. */
export const replicaSetTopic: Topic<ReplicaSet> = (world, set, depth) => {
  const wanted = set.spec.replicas ?? 1;
  const ready = set.status?.readyReplicas ?? 0;
  if (ready >= wanted) return [];
  const down = controllerManagerDown(world, set);
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
  if (readyReplicas >= wanted && updatedReplicas >= wanted) return [];
  const down = controllerManagerDown(world, set);
  if (down.length > 0) return down;
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
  return [...waits, ...reasons, ...claims, ...(refused ? [refused] : []), own];
};

const ordinalOf = ({ metadata }: Pod): number => Number(/-(\d+)$/.exec(metadata.name ?? '')?.[1] ?? 0);

function claimsOf(world: World, set: StatefulSet, pod: Pod | undefined, depth: number): WhyFinding[] {
  if (!pod || depth >= MAX_DEPTH) return [];
  return (set.spec.volumeClaimTemplates ?? []).flatMap(({ metadata }) => {
    const name = `${metadata?.name}-${pod.metadata.name}`;
    const claim = world.read.get(PersistentVolumeClaims, { namespace: set.metadata.namespace ?? '', name });
    return claim ? claimTopic(world, claim, depth + 1) : [];
  });
}

/** Why a DaemonSet's pods are not on every node that it wants. */
export const daemonSetTopic: Topic<DaemonSet> = (world, set, depth) => {
  const { desiredNumberScheduled = 0, numberReady = 0 } = set.status ?? {};
  const down = controllerManagerDown(world, set);
  if (down.length > 0) return down;
  if (desiredNumberScheduled === 0) return [noNodeFinding(world, set)];
  if (numberReady >= desiredNumberScheduled) return [];
  const refused = refusal(world, set);
  const own = findingOf(set, 'NotReady', `${numberReady} of ${desiredNumberScheduled} pods are ready`);
  return [...(refused ? [refused] : []), ...podReasons(world, podsOf(world, set), depth), own];
};

function noNodeFinding({ read }: World, set: DaemonSet): WhyFinding {
  const selector = set.spec.template.spec?.nodeSelector;
  const nodes = read.list(Nodes);
  const matching = nodes.filter(({ metadata }) => matchesMap(selector, metadata.labels));
  const details = matching.map((node) => {
    const taints = (node.spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).join(', ');
    return `${refOf(node)}: ${taints ? `has taints that it does not tolerate: ${taints}` : 'its affinity excludes it'}`;
  });
  const message =
    matching.length === 0
      ? `no node has the labels of its nodeSelector ${JSON.stringify(selector)}`
      : 'no node admits its pods';
  return findingOf(set, 'NoNodes', message, { details });
}

export const podsSelectedBy = (world: World, namespace: string, selector: Readonly<Record<string, string>>): Pod[] =>
  world.read.list(Pods, namespace).filter(({ metadata }) => matchesMap(selector, metadata.labels));
