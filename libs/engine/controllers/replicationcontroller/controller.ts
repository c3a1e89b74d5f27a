import { Pods, ReplicationControllers } from '../../kinds/index.js';
import type { ReplicationController } from '../../api/core_v1.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { controllerOf } from '../../machinery/meta/object.js';
import { matchesMap } from '../../machinery/selectors/selectors.js';
import { defineController, watch } from '../../runtime/controller.js';
import { replicaIndexes, syncReplicas } from '../replicas.js';
import type { Pod } from '../../api/core_v1.js';

/** Keeps as many pods running as each ReplicationController asks for. Models pkg/controller/replication. */
export const controller = defineController({
  name: 'replicationcontroller',
  actor: 'system:serviceaccount:kube-system:replication-controller',
  eventSource: 'replication-controller',
  for: ReplicationControllers,
  owns: [Pods],
  watches: [
    watch<Pod>({
      kind: Pods,
      when: (pod) => controllerOf(pod) === undefined,
      *keys(pod, reader) {
        const namespace = pod.metadata.namespace ?? '';
        for (const rc of reader.list(ReplicationControllers, namespace)) {
          if (isSelectedBy(rc, pod)) yield { namespace, name: rc.metadata.name! };
        }
      },
    }),
  ],
  indexes: replicaIndexes,
  reconcile(context, key) {
    const { client } = context;
    const object = client.get(ReplicationControllers, key);
    if (!object || !object.spec.selector || Object.keys(object.spec.selector).length === 0) return undefined;
    const { selector, template, replicas = 1, minReadySeconds = 0 } = object.spec;
    const { status } = object;
    return syncReplicas(context, {
      kind: ReplicationControllers,
      object,
      selector: { matchLabels: selector },
      template: template!,
      replicas,
      minReadySeconds,
      status: { ...status, replicas: status.replicas ?? 0 },
      relatedPods: (own) => own,
      saveStatus({ terminatingReplicas: _, ...next }) {
        if (!deepEqual(next, status)) client.updateStatus(ReplicationControllers, { ...object, status: next });
      },
    });
  },
});

const isSelectedBy = (rc: ReplicationController, pod: Pod): boolean =>
  Object.keys(rc.spec.selector ?? {}).length > 0 && matchesMap(rc.spec.selector, pod.metadata.labels);
