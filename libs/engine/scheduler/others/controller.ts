import type { Node, Pod } from '../../api/core_v1.js';
import { authorize } from '../../auth/authorization/authorizer.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import { ClusterRoleBindings, Nodes, PersistentVolumeClaims, Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { makeAccess } from '../../machinery/requests/auth.js';
import { defineController, index, NO_KEYS, watch, type Context, type Controller } from '../../runtime/controller.js';
import { RETRIES_OF_A_POD, schedule } from '../controller.js';
import { isAssignedPodChange, isChangedForCycle, isRoomChange } from '../queue/event-handlers.js';
import { DEFAULT_SCHEDULER, isUnassigned } from '../queue/pending.js';
import { findScheduler, isSchedulerPod, isSchedulerUp, type ReadNodeFile } from './find-scheduler.js';
import { LazyCache } from './lazy-cache.js';
import { isMirrorPod } from '../../kinds/core/pod/mirror.js';

/** Files the pods that run a scheduler's program. */
const SCHEDULERS = 'scheduler/programs';
/** Files the pods that wait for another scheduler than the first one. */
const WAITING = 'scheduler/others';

const isOthers = (pod: Pod): boolean =>
  (pod.spec.schedulerName ?? DEFAULT_SCHEDULER) !== DEFAULT_SCHEDULER && isUnassigned(pod);

const waiting = (reader: Reader): readonly Key[] => reader.byIndex(Pods, WAITING, 'yes').map(keyOf);

/**
 * Schedulers beside the first one: a pod that names one is placed while a program runs whose configuration has a
 * profile of that name, as the account of its pod. Each goes by the plug-ins of the default profile.
 */
export const otherSchedulers = (readNodeFile: ReadNodeFile): Controller =>
  defineController<Pod, LazyCache>({
    name: 'other-schedulers',
    component: 'terrarium',
    actor: 'system:kube-scheduler',
    rateLimit: RETRIES_OF_A_POD,
    for: { kind: Pods, when: (pod, old) => isOthers(pod) && isChangedForCycle(pod, old) },
    watches: [
      watch({ kind: Pods, keys: podsThatAct }),
      watch<Node>({ kind: Nodes, when: isRoomChange, keys: (_node, reader) => waiting(reader) }),
      watch({ kind: ClusterRoleBindings, keys: (_binding, reader) => waiting(reader) }),
      watch({ kind: PersistentVolumeClaims, keys: (_claim, reader) => waiting(reader) }),
    ],
    indexes: [
      index(Pods, SCHEDULERS, (pod: Pod) => (isSchedulerPod(pod) ? ['yes'] : [])),
      index(Pods, WAITING, (pod: Pod) => (isOthers(pod) ? ['yes'] : [])),
    ],
    attach(observe) {
      const cache = new LazyCache();
      observe(Nodes, (old, next) => cache.onNode(old as Node | undefined, next as Node | undefined));
      observe(Pods, (old, next) => cache.onPod(old as Pod | undefined, next as Pod | undefined));
      return cache;
    },
    reconcile(context, key, cache) {
      const { client } = context;
      const pod = client.get(Pods, key);
      if (!pod || !isOthers(pod)) return;
      const programs = client.byIndex(Pods, SCHEDULERS, 'yes');
      const scheduler = findScheduler(programs, client, pod.spec.schedulerName ?? '', readNodeFile);
      // Without its rights it sees no pods, and goes on trying.
      if (!scheduler || !mayPlace(scheduler, pod, client)) return;
      schedule(contextOf(context, scheduler), pod, cache.of(client), hostOf(scheduler));
    },
  });

const hostOf = ({ metadata, spec }: Pod): string =>
  (spec.hostNetwork ? spec.nodeName : metadata.name) ?? metadata.name ?? '';

/** A static pod's scheduler has the credentials that kubeadm has given it: undefined. */
function accountOf({ metadata, spec }: Pod): string | undefined {
  if (isMirrorPod({ metadata })) return undefined;
  return `system:serviceaccount:${metadata.namespace}:${spec.serviceAccountName ?? 'default'}`;
}

/** Whether the scheduler's account may see pods and nodes, and bind this pod. */
function mayPlace(scheduler: Pod, { metadata: { namespace = '' } }: Pod, read: Reader): boolean {
  const name = accountOf(scheduler);
  if (name === undefined) return true;
  const [group, own] = ['system:serviceaccounts', scheduler.metadata.namespace ?? ''];
  const user = { name, groups: [group, `${group}:${own}`, 'system:authenticated'] };
  const accesses = [
    makeAccess('list', { resource: 'pods' }),
    makeAccess('list', { resource: 'nodes' }),
    makeAccess('create', { resource: 'pods', subresource: 'binding', namespace }),
  ];
  return accesses.every((access) => authorize(user, access, read).allowed);
}

function contextOf(context: Context, scheduler: Pod): Context {
  const { now, random, etcd, cause } = context;
  const account = accountOf(scheduler);
  return {
    ...{ now, random, etcd, cause },
    client: account === undefined ? context.client : context.as(account),
    as: (actor) => context.as(actor),
    event: (...args) => context.event(...args),
  };
}

/** A scheduler that comes up looks at all its pods; so do all of them when a pod leaves room, or others are placed. */
function podsThatAct(pod: Pod, reader: Reader, old: Pod | undefined): readonly Key[] {
  const isUp = isSchedulerPod(pod) && isSchedulerUp(pod) && !(old && isSchedulerUp(old));
  if (isUp || isAssignedPodChange(pod, old)) return waiting(reader);
  if (!pod.spec.nodeName || !old) return NO_KEYS;
  const hasEnded = isPodTerminal(pod) && !isPodTerminal(old);
  return hasEnded || !reader.get(Pods, keyOf(pod)) ? waiting(reader) : NO_KEYS;
}
