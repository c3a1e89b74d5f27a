import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import { notFound } from '../../machinery/meta/status.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { refuse } from '../refuse.js';

const IMMORTAL: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Nothing is created in a namespace that is missing or going. Models
 * apiserver/pkg/admission/plugin/namespace/lifecycle.
 */
export const plugin: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  mutate(request) {
    if (request.operation === 'CREATE' && request.kind.scope === 'Namespaced') checkNamespace(request);
    else if (request.operation === 'DELETE' && request.kind === Namespaces && IMMORTAL.has(request.name))
      throw refuse(request, 'this namespace may not be deleted');
  },
};

function checkNamespace(request: AdmissionRequest): void {
  const { namespace } = request;
  const found = request.client.get(Namespaces, { namespace: '', name: namespace });
  if (!found) throw notFound(Namespaces, namespace);
  if (found.status.phase !== 'Terminating') return;
  throw refuse(request, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}
