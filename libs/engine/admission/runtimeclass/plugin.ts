import type { Pod } from '../../api/core_v1.js';
import type { RuntimeClass } from '../../api/node_v1.js';
import { kind as RuntimeClasses } from '../../kinds/node/runtimeclass/kind.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { refuse } from '../refuse.js';

/**
 * Gives a pod the overhead and the scheduling constraints of its RuntimeClass. Models
 * plugin/pkg/admission/runtimeclass.
 */
export const plugin: AdmissionPlugin = {
  name: 'RuntimeClass',
  resources: ['pods'],
  mutate(request) {
    if (request.operation !== 'CREATE' || request.subresource) return;
    const pod = request.object as Pod;
    const name = pod.spec.runtimeClassName;
    if (!name) {
      if (pod.spec.overhead && Object.keys(pod.spec.overhead).length > 0)
        throw refuse(request, 'pod rejected: Pod overhead set without corresponding RuntimeClass defined Overhead');
      return;
    }
    const runtimeClass = request.client.get(RuntimeClasses, { namespace: '', name });
    if (!runtimeClass) throw refuse(request, `pod rejected: RuntimeClass "${name}" not found`);
    applyOverhead(request, pod, runtimeClass);
    applyScheduling(request, pod, runtimeClass);
  },
};

function applyOverhead(request: AdmissionRequest, pod: Pod, runtimeClass: RuntimeClass): void {
  const overhead = runtimeClass.overhead?.podFixed;
  if (!overhead) {
    if (pod.spec.overhead && Object.keys(pod.spec.overhead).length > 0)
      throw refuse(request, 'pod rejected: Pod overhead set without corresponding RuntimeClass defined Overhead');
    return;
  }
  if (pod.spec.overhead && !deepEqual(pod.spec.overhead, overhead))
    throw refuse(request, `pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead`);
  pod.spec = { ...pod.spec, overhead };
}

function applyScheduling(request: AdmissionRequest, pod: Pod, runtimeClass: RuntimeClass): void {
  const { nodeSelector, tolerations } = runtimeClass.scheduling ?? {};
  const own = pod.spec.nodeSelector ?? {};
  for (const [key, value] of Object.entries(nodeSelector ?? {})) {
    if (own[key] !== undefined && own[key] !== value)
      throw refuse(
        request,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`,
      );
  }
  if (nodeSelector) pod.spec = { ...pod.spec, nodeSelector: { ...own, ...nodeSelector } };
  const added = tolerations?.filter((t) => !pod.spec.tolerations?.some((g) => deepEqual(g, t))) ?? [];
  if (added.length > 0) pod.spec = { ...pod.spec, tolerations: [...(pod.spec.tolerations ?? []), ...added] };
}
