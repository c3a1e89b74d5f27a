import type { Node, Pod } from '../../api/core_v1.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import {
  Components,
  Faults,
  FileChanges,
  MachineChanges,
  NodeRuntimes,
  Nodes,
  PodMachines,
  PodRuntimes,
  PodSandboxes,
  Pods,
} from '../../kinds/index.js';
import type { MachineChange } from '../../kinds/terrarium/machinechange/kind.js';
import { changesEffects } from '../../kinds/terrarium/fault/active.js';
import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import { runsPods, type NodeRuntime } from '../../kinds/terrarium/noderuntime/kind.js';
import type { PodSandbox } from '../../kinds/terrarium/podsandbox/kind.js';
import type { Reader } from '../../machinery/client.js';
import { keyOf, type Key, type KubeObject } from '../../machinery/meta/object.js';
import type { Millis } from '../../machinery/time/time.js';
import { defineController, NO_KEYS, watch, type Controller, type Source } from '../../runtime/controller.js';
import { Addresses } from '../cni/addresses.js';
import type { ImageCatalog } from '../cri/image.js';
import { isUnlisted } from '../cri/sandboxes/sandbox-pod.js';
import { podNameOf } from '../cri/records/machine-record.js';
import { forgetMachine } from './pod/heard-lines.js';
import type { Machines } from '../cri/machines.js';
import { isControlPlane } from '../host/files/config-files.js';
import { podsWhoseTurnItIs } from './images/pull-queue.js';
import { inClusterSources } from './container/in-cluster.js';
import { beginPodSync } from './pod-workers/pod-sync.js';
import { syncPod } from './pod-workers/sync-pod.js';
import { syncTerminatingPod } from './pod-workers/sync-terminating-pod.js';
import { podsThatSee } from './volumemanager/sharers.js';
import { deletePodRuntime, type PodRuntime } from './pod/pod-runtime.js';
import { isWithoutManifest, mirrorPod, mirrorPodsOf, staticPodKeys, staticPods } from './pod/static-pods.js';

/**
 * From a change until its pod's worker has seen it: at no speed does a pod start, fail or end in the instant that it
 * was bound in.
 */
const SYNC_LATENCY: Millis = 5;

/** Writes to files that pods share and that come together are looked at once. */
const SHARED_DELAY: Millis = 20;

/**
 * Every node's kubelet: runs the pods that are bound to its node, and reports their status. It keeps nothing in memory:
 * what a pod's status cannot express is in its PodRuntime. Models pkg/kubelet/kubelet.go, pod_workers.go.
 * Left out: device plug-ins.
 */
export const kubelet = (images: ImageCatalog, machines?: Machines): Controller =>
  defineController<Pod, Addresses>({
    name: 'kubelet',
    component: 'kubelet',
    actor: actorOf,
    eventSource: 'kubelet',
    settles: true,
    for: { kind: Pods, keys: keysOf, delay: SYNC_LATENCY },
    watches: [
      // A new node's static pods get their mirror pods, and those of one that has joined the control plane.
      watch<Node>({
        kind: Nodes,
        when: (node, old) => !old || (isControlPlane(node) && !isControlPlane(old)),
        keys: (node) => staticPods(node).map(keyOf),
      }),
      // Switching a component off takes its manifest away.
      watch({ kind: Components, keys: ({ metadata }, reader) => mirrorPodsOf(metadata.name ?? '', reader) }),
      // A kubelet that starts looks at all of its pods, and at its folder of manifests.
      watch({ kind: NodeRuntimes, keys: podsOfRuntime }),
      watch<Fault>({
        kind: Faults,
        when: (fault, old) =>
          changesEffects(fault, old, 'process', 'probe', 'network', 'volume', 'clock', 'stress', 'registry', 'etcd'),
        keys: (_fault, read) => read.list(Pods).map(keyOf),
      }),
      ...inClusterSources(images),
      // An exec may have ended the main program, or made it end sooner.
      // Somebody has stopped a container at the runtime, or a manager of the kubelet stops the pod.
      watch({ kind: PodRuntimes, when: (next, old) => wasAskedAnew(next, old) }),
      // A kubelet pulls one image at a time: the next pull begins when one has ended.
      watch({ kind: PodRuntimes, keys: podsWhoseTurnItIs as NonNullable<Source['keys']> }),
      watch({ kind: PodMachines, when: (record, old) => record !== old }),
      watch<MachineChange>({
        kind: MachineChanges,
        when: (change, old) => change !== old && change.isQuiet !== true,
        keys: podOfChange,
      }),
      // A program may wait for a file that another pod's program writes.
      watch({ kind: FileChanges, delay: SHARED_DELAY, keys: podsThatSee }),
    ],
    attach(observe) {
      const addresses = new Addresses();
      observe(Pods, (old, next) => addresses.onPod(old as Pod | undefined, next as Pod | undefined));
      observe(PodSandboxes, (old, next) => addresses.onPod((old as PodSandbox)?.pod, (next as PodSandbox)?.pod));
      return addresses;
    },
    reconcile(context, key, addresses) {
      if (isUnlisted(key)) return;
      const { client } = context;
      const pod = client.get(Pods, key);
      if (!pod) {
        deletePodRuntime(client, key);
        forgetMachine(client, key);
        const mirror = mirrorPod(key, client);
        if (mirror) client.create(Pods, mirror);
        return;
      }
      if (!runsPods(client, pod.spec.nodeName ?? '')) return;
      if (isWithoutManifest(pod, client)) {
        client.delete(Pods, key, { gracePeriodSeconds: 0 });
        return;
      }
      if (!pod.spec.nodeName || (isPodTerminal(pod) && !pod.metadata.deletionTimestamp)) return;
      if (!client.get(Nodes, { namespace: '', name: pod.spec.nodeName })) return;
      const sync = beginPodSync(context, pod, images, machines);
      return pod.metadata.deletionTimestamp ? syncTerminatingPod(sync) : syncPod(sync, addresses);
    },
  });

function wasAskedAnew(next: KubeObject, old: KubeObject | undefined): boolean {
  const { asked } = next as PodRuntime;
  return asked !== undefined && asked !== (old as PodRuntime | undefined)?.asked;
}

const podOfChange = ({ metadata: { namespace = '', name = '' } }: KubeObject): readonly Key[] => [
  { namespace, name: podNameOf(name) },
];

const podsOfRuntime = (next: NodeRuntime, reader: Reader, old: NodeRuntime | undefined): readonly Key[] => {
  const name = next.metadata.name ?? '';
  const pods = reader.byIndex(Pods, 'nodeName', name).map(keyOf);
  return [...pods, ...staticPodKeys(name, [...(old?.manifests ?? []), ...(next.manifests ?? [])])];
};

const actorOf = (key: Key, reader: Reader): string =>
  `system:node:${reader.get(Pods, key)?.spec.nodeName ?? 'unknown'}`;

function keysOf(pod: Pod, reader: Reader, old: Pod | undefined): readonly Key[] {
  const key = keyOf(pod);
  return needsSync(pod, old) || (old && !reader.get(Pods, key)) ? [key] : NO_KEYS;
}

/** A change of the status alone is the worker's own, unless other components set the pod's readiness gates. */
function needsSync(pod: Pod, old: Pod | undefined): boolean {
  if (!pod.spec.nodeName) return false;
  if (!old?.spec.nodeName || pod.spec.readinessGates?.length) return true;
  return (
    old.spec !== pod.spec ||
    old.metadata.deletionTimestamp !== pod.metadata.deletionTimestamp ||
    old.metadata.deletionGracePeriodSeconds !== pod.metadata.deletionGracePeriodSeconds
  );
}
