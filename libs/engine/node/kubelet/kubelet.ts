import type { Pod } from '../../api/core_v1.js';
import { Nodes, PodRuntimes, Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { defineController, watch, type Controller } from '../../runtime/controller.js';
import { Addresses } from '../cni/addresses.js';
import type { ImageCatalog } from '../cri/image.js';
import { mirrorPod, staticPods } from './pod/static-pods.js';
import { PodSync } from './pod-workers/sync-pod.js';
import { tendedThings } from './container/in-cluster.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';

/** A status that the kubelet itself wrote calls for no new look; readiness gates are set by others. */
const concernsKubelet = (pod: Pod, old: Pod | undefined): boolean => {
  if (!pod.spec.nodeName) return false;
  if (!old || !old.spec.nodeName || pod.spec.readinessGates?.length) return true;
  return (
    old.spec !== pod.spec ||
    old.metadata.deletionTimestamp !== pod.metadata.deletionTimestamp ||
    old.metadata.deletionGracePeriodSeconds !== pod.metadata.deletionGracePeriodSeconds
  );
};

function* keysOf(pod: Pod, reader: Reader, old: Pod | undefined): Iterable<Key> {
  const key = keyOf(pod);
  if (concernsKubelet(pod, old) || (old && !reader.get(Pods, key))) yield key;
}

const actorOf = (key: Key, reader: Reader): string =>
  `system:node:${reader.get(Pods, key)?.spec.nodeName ?? 'unknown'}`;

/**
 * Every node's kubelet: runs the pods that are bound to it and says how they are. It remembers nothing: what a status
 * cannot
 * tell is in the pod's PodRuntime. Models pkg/kubelet. Left out: eviction, cgroups, device plug-ins.
 */
export const kubelet = (images: ImageCatalog): Controller =>
  defineController<Pod, Addresses>({
    name: 'kubelet',
    component: 'kubelet',
    actor: actorOf,
    eventSource: 'kubelet',
    settles: true,
    for: { kind: Pods, keys: keysOf },
    // Static pods belong to their node: a mirror pod that is missing is made again.
    watches: [
      watch({ kind: Nodes, when: (_node, old) => !old, keys: (node) => staticPods(node).map(keyOf) }),
      ...tendedThings(images),
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
        if (client.get(PodRuntimes, key)) client.delete(PodRuntimes, key);
        const mirror = mirrorPod(key, client);
        if (mirror) client.create(Pods, mirror);
        return;
      }
      if (!pod.spec.nodeName || (isPodTerminal(pod) && !pod.metadata.deletionTimestamp)) return;
      if (!client.get(Nodes, { namespace: '', name: pod.spec.nodeName })) return;
      return new PodSync(context, pod, addresses, images).run();
    },
  });
