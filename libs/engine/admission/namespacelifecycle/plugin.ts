import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import { notFound } from '../../machinery/meta/status.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { refuse } from '../refuse.js';

const IMMORTAL: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Refuses to create objects in a namespace that does not exist or terminates, and to delete the system's namespaces.
 * Models apiserver/pkg/admission/plugin/namespace/lifecycle.
 */
export const plugin: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  mutate(request) {
    if (request.operation === 'CREATE' && request.kind.scope === 'Namespaced') checkNamespaceOf(request);
    else if (request.operation === 'DELETE' && request.kind === Namespaces && IMMORTAL.has(request.name))
      throw refuse(request, 'this namespace may not be deleted');
  },
};

function checkNamespaceOf(request: AdmissionRequest): void {
  const { namespace } = request;
  const stored = request.client.get(Namespaces, { namespace: '', name: namespace });
  if (!stored) throw notFound(Namespaces, namespace);
  if (stored.status.phase !== 'Terminating') return;
  throw refuse(request, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}
