import type { EphemeralContainer, Pod } from '../../../../api/core_v1.js';
import type { ActionRequest } from '../../../../machinery/kind.js';
import { deepEqual } from '../../../../machinery/meta/equal.js';
import { forbiddenField, Path, type FieldError } from '../../../../machinery/meta/field.js';
import { diffInternalForms, toInternalForm } from '../../../internal-form.js';
import { defaultPodSpec } from '../defaults.js';
import { validatePod } from '../validation/pod.js';
import { refuseInvalidPod } from './refuse.js';

/**
 * PUT of pods/ephemeralcontainers: containers may be added, never changed or removed. Models EphemeralContainersREST of
 * pkg/registry/core/pod/storage and ValidatePodEphemeralContainersUpdate.
 */
export function updateEphemeralContainers({ verb, object: old, body, store }: ActionRequest<Pod>): Pod {
  if (verb === 'get') return old;
  const ephemeralContainers = (body as Pod).spec?.ephemeralContainers ?? [];
  const pod: Pod = { ...old, spec: { ...old.spec, ephemeralContainers } };
  defaultPodSpec(pod.spec);
  refuseInvalidPod(pod, [
    ...validatePod(pod),
    ...validateEphemeralContainersUpdate(ephemeralContainers, old.spec.ephemeralContainers ?? []),
  ]);
  return store(pod);
}

function validateEphemeralContainersUpdate(
  next: readonly EphemeralContainer[],
  was: readonly EphemeralContainer[],
): FieldError[] {
  const path = Path.of('spec', 'ephemeralContainers');
  return was.flatMap((before) => {
    const after = next.find((c) => c.name === before.name);
    if (!after) return [forbiddenField(path, `existing ephemeral containers "${before.name}" may not be removed\n`)];
    const same = deepEqual(toInternalForm('EphemeralContainer', after), toInternalForm('EphemeralContainer', before));
    return same
      ? []
      : [
          forbiddenField(
            path,
            `existing ephemeral containers "${before.name}" may not be changed\n${diffInternalForms('EphemeralContainer', before, after)}`,
          ),
        ];
  });
}
