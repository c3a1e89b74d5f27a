import type { Pod } from '../../api/core_v1.js';
import { Pods, ReplicaSets } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { controllerOf, type KubeObject } from '../../machinery/meta/object.js';
import { defineController } from '../../runtime/controller.js';
import { orphanSource } from '../controller-ref-manager.js';
import { controlledPods, isPodActive } from '../pods.js';
import { replicaIndexes, syncReplicas } from '../replicas.js';

/** Keeps as many pods running as each ReplicaSet asks for. Models pkg/controller/replicaset. */
export const controller = defineController({
  name: 'replicaset',
  actor: 'system:serviceaccount:kube-system:replicaset-controller',
  for: ReplicaSets,
  owns: [Pods],
  watches: [orphanSource(Pods, ReplicaSets)],
  indexes: replicaIndexes,
  reconcile(context, key) {
    const { client } = context;
    const object = client.get(ReplicaSets, key);
    if (!object) return undefined;
    const { selector, template, replicas = 1, minReadySeconds = 0 } = object.spec;
    return syncReplicas(context, {
      kind: ReplicaSets,
      object,
      selector,
      template: template!,
      replicas,
      minReadySeconds,
      status: object.status,
      relatedPods: (own) => siblingPods(client, object) ?? own,
      saveStatus(status) {
        if (!deepEqual(status, object.status)) client.updateStatus(ReplicaSets, { ...object, status });
      },
    });
  },
});

/** Active pods of all ReplicaSets of the same Deployment; undefined for a ReplicaSet of its own. */
function siblingPods(reader: Reader, object: KubeObject): Pod[] | undefined {
  const owner = controllerOf(object);
  if (!owner) return undefined;
  const siblings = reader.dependents(owner.uid).filter((o) => o.kind === 'ReplicaSet');
  return siblings.flatMap((s) =>
    controlledPods(reader.dependents(s.metadata.uid!), s.metadata.uid!).filter(isPodActive),
  );
}
