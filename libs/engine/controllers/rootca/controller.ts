import type { ConfigMap } from '../../api/core_v1.js';
import { ConfigMaps, Namespaces } from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { defineController, watch } from '../../runtime/controller.js';

const NAME = 'kube-root-ca.crt';
const SOURCE = { namespace: 'kube-system', name: NAME };
const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. ' +
  'No other usage is guaranteed across distributions of Kubernetes clusters.';

/**
 * Gives every namespace the cluster's CA, as kube-system has it. Models
 * pkg/controller/certificates/rootcacertpublisher.
 */
export const controller = defineController({
  name: 'rootca',
  actor: 'system:serviceaccount:kube-system:root-ca-cert-publisher',
  eventSource: 'root-ca-cert-publisher',
  for: Namespaces,
  watches: [
    watch<ConfigMap>({
      kind: ConfigMaps,
      when: (map) => map.metadata.name === NAME,
      keys: (map) => [{ namespace: '', name: map.metadata.namespace! }],
    }),
  ],
  reconcile({ client }, { name: namespace }) {
    const object = client.get(Namespaces, { namespace: '', name: namespace });
    const data = client.get(ConfigMaps, SOURCE)?.data;
    if (!object || object.metadata.deletionTimestamp !== undefined || !data) return;
    const annotations = { 'kubernetes.io/description': DESCRIPTION };
    const current = client.get(ConfigMaps, { namespace, name: NAME });
    if (!current) {
      client.create(ConfigMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: NAME, namespace, annotations },
        data,
      });
    } else if (!deepEqual(current.data, data)) {
      client.update(ConfigMaps, {
        ...current,
        metadata: { ...current.metadata, annotations: { ...current.metadata.annotations, ...annotations } },
        data,
      });
    }
  },
});
