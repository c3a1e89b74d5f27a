import type { ServiceAccount } from '../../api/core_v1.js';
import { Namespaces, ServiceAccounts } from '../../kinds/index.js';
import { defineController, watch } from '../../runtime/controller.js';

const DEFAULT = 'default';

/**
 * Gives every namespace its service account 'default'. Models
 * pkg/controller/serviceaccount/serviceaccounts_controller.go.
 */
export const controller = defineController({
  name: 'serviceaccount',
  actor: 'system:serviceaccount:kube-system:service-account-controller',
  eventSource: 'serviceaccount-controller',
  for: Namespaces,
  watches: [
    watch<ServiceAccount>({
      kind: ServiceAccounts,
      when: (account) => account.metadata.name === DEFAULT,
      keys: (account) => [{ namespace: '', name: account.metadata.namespace! }],
    }),
  ],
  reconcile({ client }, { name: namespace }) {
    const object = client.get(Namespaces, { namespace: '', name: namespace });
    if (!object || object.metadata.deletionTimestamp !== undefined) return;
    if (client.get(ServiceAccounts, { namespace, name: DEFAULT })) return;
    client.create(ServiceAccounts, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: DEFAULT, namespace },
    });
  },
});
