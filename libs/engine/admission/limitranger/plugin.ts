import type { LimitRange, PersistentVolumeClaim, Pod } from '../../api/core_v1.js';
import { kind as LimitRanges } from '../../kinds/core/limitrange/kind.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { refuseNamed } from '../refuse.js';
import { validateClaim, validatePod } from './constraints.js';
import { setDefaults } from './defaults.js';

/**
 * Applies the defaults and enforces the constraints of a namespace's LimitRanges. Models
 * plugin/pkg/admission/limitranger.
 */
export const plugin: AdmissionPlugin = {
  name: 'LimitRanger',
  resources: ['pods', 'persistentvolumeclaims'],
  mutate(request) {
    if (request.operation !== 'CREATE' || request.subresource || request.kind.kind !== 'Pod') return;
    for (const range of rangesOf(request)) if (setDefaults(request.object as Pod, range)) request.revalidate();
  },
  validate(request) {
    if (request.operation !== 'CREATE' || request.subresource) return;
    for (const range of rangesOf(request)) {
      const errors =
        request.kind.kind === 'Pod'
          ? validatePod(request.object as Pod, range)
          : validateClaim(request.object as PersistentVolumeClaim, range);
      if (errors.length > 0) throw refuseNamed(request, errors.length === 1 ? errors[0]! : `[${errors.join(', ')}]`);
    }
  },
};

const rangesOf = (request: AdmissionRequest): readonly LimitRange[] =>
  request.client.list(LimitRanges, request.namespace);
