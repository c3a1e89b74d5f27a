import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import { ApiError } from '../../machinery/meta/status.js';
import type { AdmissionPlugin } from '../../runtime/admission.js';

/** Makes the namespace that something is created in. Models plugin/pkg/admission/namespace/autoprovision. */
export const plugin: AdmissionPlugin = {
  name: 'NamespaceAutoProvision',
  isOff: true,
  mutate({ operation, kind, namespace, client, dryRun }) {
    if (operation !== 'CREATE' || dryRun || namespace === '' || kind === Namespaces) return;
    if (client.get(Namespaces, { namespace: '', name: namespace })) return;
    try {
      client.create(Namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } } as never);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 409) throw error;
    }
  },
};
