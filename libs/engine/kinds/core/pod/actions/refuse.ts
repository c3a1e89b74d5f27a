import type { Pod } from '../../../../api/core_v1.js';
import type { FieldError } from '../../../../machinery/meta/field.js';
import { invalid } from '../../../../machinery/meta/status.js';

const POD = { group: '', kind: 'Pod' };

/** Throws ApiError 422 when an action's pod has errors. */
export function refuseInvalidPod(pod: Pod, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(POD, pod.metadata.name ?? '', errors);
}
