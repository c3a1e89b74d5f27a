import type { CustomResourceDefinition } from '../../api/apiextensions_v1.js';
import type { PersistentVolume, Pod } from '../../api/core_v1.js';
import { Nodes, Pods } from '../../kinds/index.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { WhyFinding } from '../../machinery/questions/why.js';
import type { ComponentName } from '../../runtime/controller.js';
import { keeperTexts } from './finalizers.js';
import { findingOf, refOf, unique, type World } from '../world.js';

const MAX_DEPENDENTS = 10;
/** Objects in a row that wait for each other, and how many of each are followed. */
const MAX_FOLLOWED = 4;
const MAX_HELD = 3;

interface Keeper {
  /** Undefined: the API server itself. */
  readonly component?: ComponentName;
  /** What it waits for. */
  waitsFor(world: World, object: KubeObject): string;
}

const blockingOf = (world: World, { metadata }: KubeObject): KubeObject[] =>
  world.read
    .dependents(metadata.uid ?? '')
    .filter((one) => one.metadata.ownerReferences?.some((r) => r.uid === metadata.uid && r.blockOwnerDeletion));

const dependentsOf = (world: World, object: KubeObject): string => {
  const blocking = blockingOf(world, object);
  if (blocking.length === 0) return 'the garbage collector, which comes to it next';
  return `its dependents to go first: ${blocking.slice(0, MAX_DEPENDENTS).map(refOf).join(', ')}`;
};

function mountersOf(world: World, { metadata }: KubeObject): Pod[] {
  const mounts = ({ spec }: Pod): boolean =>
    Boolean(spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === metadata.name));
  return world.read.list(Pods, metadata.namespace).filter(mounts);
}

const usersOf = (world: World, object: KubeObject): string => {
  const pods = mountersOf(world, object).map(refOf);
  return pods.length > 0 ? `the pods that mount it: ${pods.join(', ')}` : 'its controller, which comes to it next';
};

const claimOf = (_world: World, volume: KubeObject): string => {
  const { claimRef } = (volume as PersistentVolume).spec;
  return claimRef
    ? `the claim that is bound to it: persistentvolumeclaim/${claimRef.namespace}/${claimRef.name}`
    : 'its controller, which comes to it next';
};

/** The objects of a definition, which go before it. */
function customObjects({ kinds, read }: World, definition: KubeObject): KubeObject[] {
  const { group, names } = (definition as CustomResourceDefinition).spec;
  const kind = kinds().find((one) => one.group === group && one.plural === names.plural && !one.storedAs);
  return kind ? [...read.list(kind)] : [];
}

function instancesOf(world: World, definition: KubeObject): string {
  const objects = customObjects(world, definition).map(refOf);
  const shown = objects.slice(0, MAX_DEPENDENTS).join(', ');
  return objects.length > 0 ? `its objects to go first: ${shown}` : 'the API server, which comes to it next';
}

/** Who takes away the finalizers that Kubernetes itself sets. */
const KEEPERS: Readonly<Record<string, Keeper>> = {
  'kubernetes.io/pvc-protection': { component: 'kube-controller-manager', waitsFor: usersOf },
  'kubernetes.io/pv-protection': {
    component: 'kube-controller-manager',
    waitsFor: claimOf,
  },
  foregroundDeletion: { component: 'kube-controller-manager', waitsFor: dependentsOf },
  orphan: { component: 'kube-controller-manager', waitsFor: () => 'its dependents to be let go' },
  'batch.kubernetes.io/job-tracking': { component: 'kube-controller-manager', waitsFor: () => 'its Job to count it' },
  'customresourcecleanup.apiextensions.k8s.io': { waitsFor: instancesOf },
  'service.kubernetes.io/load-balancer-cleanup': {
    component: 'cloud-controller-manager',
    waitsFor: () => 'its load balancer to be taken down',
  },
};

/** Why an object that somebody has deleted is still there: whose finalizers it has, and what these wait for. */
export function deletionFindings(world: World, object: KubeObject, depth = 0): WhyFinding[] {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds } = object.metadata;
  if (!deletionTimestamp) return [];
  const found = finalizers.map((name) => finalizerFinding(world, object, name));
  const behind = depth < MAX_FOLLOWED ? finalizers.flatMap((name) => heldFindings(world, object, name, depth)) : [];
  if (found.length > 0 || object.kind !== 'Pod') return unique([...found, ...behind]);
  return [podFinding(world, object as Pod, deletionTimestamp, deletionGracePeriodSeconds ?? 0)];
}

/** What waits itself among those that a finalizer waits for. */
function heldFindings(world: World, object: KubeObject, finalizer: string, depth: number): WhyFinding[] {
  const held =
    finalizer === 'foregroundDeletion'
      ? blockingOf(world, object)
      : finalizer === 'kubernetes.io/pvc-protection'
        ? mountersOf(world, object)
        : finalizer === 'customresourcecleanup.apiextensions.k8s.io'
          ? customObjects(world, object)
          : [];
  return held.slice(0, MAX_HELD).flatMap((one) => deletionFindings(world, one, depth + 1));
}

function finalizerFinding(world: World, object: KubeObject, name: string): WhyFinding {
  const since = `it is being deleted since ${object.metadata.deletionTimestamp}`;
  const keeper = Object.hasOwn(KEEPERS, name) ? KEEPERS[name] : undefined;
  if (keeper) {
    const { component } = keeper;
    const stopped =
      component === undefined || world.isEnabled(component) ? '' : `; ${component}, which would do that, does not run`;
    const waits = keeper.waitsFor(world, object);
    return findingOf(object, 'Terminating', `${since}, and finalizer "${name}" waits for ${waits}${stopped}`);
  }
  const owner = setterOf(object, name);
  const whose = owner ? `which ${owner} has set` : 'whose setter is not known';
  const message = `${since}, and nobody has removed the finalizer "${name}", ${whose}: no controller of Kubernetes does`;
  return findingOf(object, 'Terminating', message, { details: keeperTexts(world, object) });
}

/** The field manager of a finalizer. */
function setterOf({ metadata }: KubeObject, finalizer: string): string | undefined {
  const field = `v:${JSON.stringify(finalizer)}`;
  return metadata.managedFields?.find(({ fieldsV1 }) => JSON.stringify(fieldsV1 ?? {}).includes(JSON.stringify(field)))
    ?.manager;
}

function podFinding(world: World, pod: Pod, due: string, graceSeconds: number): WhyFinding {
  const node = pod.spec.nodeName;
  if (!world.isEnabled('kubelet'))
    return findingOf(pod, 'Terminating', 'its kubelet does not run, so nobody ends its containers');
  const notReady = node === undefined ? undefined : unreadyText(world, node);
  if (notReady !== undefined) {
    const waits = `it was to end by ${due}, but its node ${node} ${notReady}: nobody there ends its containers`;
    const message = `${waits}, and it stays until the node is back, is deleted, or somebody deletes the pod by force`;
    return findingOf(pod, 'Terminating', message);
  }
  const message = `its containers have until ${due} to end (grace period ${graceSeconds} s); the kubelet of ${node ?? 'no node'} then removes it`;
  return findingOf(pod, 'Terminating', message);
}

/** Why the kubelet of a node cannot be counted upon. */
function unreadyText({ read }: World, name: string): string | undefined {
  const node = read.get(Nodes, { namespace: '', name });
  if (!node) return 'is not there';
  const ready = node.status.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'Unknown' ? `is not ready (${ready.reason ?? ''})` : undefined;
}
