import type { Pod } from '../../api/core_v1.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import { Nodes, Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { defineController, watch, type Controller } from '../../runtime/controller.js';
import { Addresses } from '../cni/addresses.js';
import type { ImageCatalog } from '../cri/image.js';
import { inClusterSources } from './container/in-cluster.js';
import { beginPodSync } from './pod-workers/pod-sync.js';
import { syncPod } from './pod-workers/sync-pod.js';
import { syncTerminatingPod } from './pod-workers/sync-terminating-pod.js';
import { deletePodRuntime } from './pod/pod-runtime.js';
import { mirrorPod, staticPods } from './pod/static-pods.js';

/**
 * Every node's kubelet: runs the pods that are bound to its node, and reports their status. It keeps nothing in memory:
 * what a pod's status cannot express is in its PodRuntime. Models pkg/kubelet/kubelet.go, pod_workers.go.
 * Left out: eviction, cgroups, device plug-ins.
 */
export const kubelet = (images: ImageCatalog): Controller =>
  defineController<Pod, Addresses>({
    name: 'kubelet',
    component: 'kubelet',
    actor: actorOf,
    eventSource: 'kubelet',
    settles: true,
    for: { kind: Pods, keys: keysOf },
    watches: [
      // A new node's static pods get their mirror pods.
      watch({ kind: Nodes, when: (_node, old) => !old, keys: (node) => staticPods(node).map(keyOf) }),
      ...inClusterSources(images),
    ],
    attach(observe) {
      const addresses = new Addresses();
      observe(Pods, (old, next) => addresses.onPod(old as Pod | undefined, next as Pod | undefined));
      return addresses;
    },
    reconcile(context, key, addresses) {
      const { client } = context;
      const pod = client.get(Pods, key);
      if (!pod) {
        deletePodRuntime(client, key);
        const mirror = mirrorPod(key, client);
        if (mirror) client.create(Pods, mirror);
        return;
      }
      if (!pod.spec.nodeName || (isPodTerminal(pod) && !pod.metadata.deletionTimestamp)) return;
      if (!client.get(Nodes, { namespace: '', name: pod.spec.nodeName })) return;
      const sync = beginPodSync(context, pod, images);
      return pod.metadata.deletionTimestamp ? syncTerminatingPod(sync) : syncPod(sync, addresses);
    },
  });

const actorOf = (key: Key, reader: Reader): string =>
  `system:node:${reader.get(Pods, key)?.spec.nodeName ?? 'unknown'}`;

function* keysOf(pod: Pod, reader: Reader, old: Pod | undefined): Iterable<Key> {
  const key = keyOf(pod);
  if (needsSync(pod, old) || (old && !reader.get(Pods, key))) yield key;
}

/** A change of the status alone is the kubelet's own, unless other components set the pod's readiness gates. */
function needsSync(pod: Pod, old: Pod | undefined): boolean {
  if (!pod.spec.nodeName) return false;
  if (!old?.spec.nodeName || pod.spec.readinessGates?.length) return true;
  return (
    old.spec !== pod.spec ||
    old.metadata.deletionTimestamp !== pod.metadata.deletionTimestamp ||
    old.metadata.deletionGracePeriodSeconds !== pod.metadata.deletionGracePeriodSeconds
  );
}
