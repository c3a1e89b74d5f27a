import type { Scale } from '../../api/autoscaling_v1.js';
import type { ManagedFieldsEntry } from '../../api/meta_v1.js';
import type { Kind, ScalePaths } from '../../machinery/kind.js';
import type { KubeObject, LabelSelector, Unstructured } from '../../machinery/meta/object.js';
import { formatMap, formatRequirements, requirementsOf, type Labels } from '../../machinery/selectors/selectors.js';
import { setManagedFields } from '../ownership/managed-fields.js';
import type { SubresourceView } from '../registry/writer.js';
import { convertToVersion } from '../response/conversion.js';
import { valueAt, withValueAt } from './scale-paths.js';

export const SCALE_GVK = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
export const SCALE_DEFINITION = 'io.k8s.api.autoscaling.v1.Scale';

/** The Scale of an object. Models pkg/registry/apps/deployment/storage/storage.go scaleFromDeployment. */
export function scaleOf(object: KubeObject, paths: ScalePaths): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = paths.selector === undefined ? '' : selectorText(valueAt(object, paths.selector));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: Number(valueAt(object, paths.spec) ?? 0) },
    status: { replicas: Number(valueAt(object, paths.status) ?? 0), ...(selector ? { selector } : {}) },
  };
}

function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector;
  if (typeof selector !== 'object' || selector === null) return '';
  if ('matchLabels' in selector || 'matchExpressions' in selector)
    return formatRequirements(requirementsOf(selector as LabelSelector));
  return formatMap(selector as Labels);
}

/** A copy of the object with other replicas and managedFields. */
export function withReplicas<T extends KubeObject>(
  object: T,
  paths: ScalePaths,
  replicas: number,
  entries: readonly ManagedFieldsEntry[] | undefined,
): T {
  const draft = withValueAt(object as unknown as Unstructured, paths.spec, replicas) as unknown as T;
  draft.metadata = { ...draft.metadata };
  setManagedFields(draft, entries);
  return draft;
}

/** Shows admission the Scale in place of the object that it belongs to. */
export const scaleView = (kind: Kind, paths: ScalePaths): SubresourceView => ({
  subresource: 'scale',
  type: SCALE_GVK,
  show: (object) => scaleOf(convertToVersion(kind, object), paths),
});
