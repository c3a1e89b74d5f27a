/** PUT of pods/ephemeralcontainers and pods/resize: each changes its own part of the spec alone. */
import type { Container, EphemeralContainer, Pod } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/equal.js';
import { forbiddenField, Path, type FieldError } from '../../../machinery/field.js';
import type { ActionRequest } from '../../../machinery/kind.js';
import { invalid } from '../../../machinery/status.js';
import { defaultPodSpec } from './defaults.js';
import { qosClass } from './qos.js';
import { validatePod } from './validation.js';

const SPEC = Path.of('spec');
const POD = { group: '', kind: 'Pod' };

function refuse(pod: Pod, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(POD, pod.metadata.name ?? '', errors);
}

/** Models ValidatePodEphemeralContainersUpdate: containers may be added, never changed or removed. */
export function updateEphemeralContainers({ verb, object: old, body, store }: ActionRequest<Pod>): Pod {
  if (verb === 'get') return old;
  const wanted = (body as Pod).spec?.ephemeralContainers ?? [];
  const pod: Pod = { ...old, spec: { ...old.spec, ephemeralContainers: wanted } };
  defaultPodSpec(pod.spec);
  refuse(pod, [...validatePod(pod), ...ephemeralChanges(wanted, old.spec.ephemeralContainers ?? [])]);
  return store(pod);
}

function ephemeralChanges(next: readonly EphemeralContainer[], was: readonly EphemeralContainer[]): FieldError[] {
  const path = SPEC.child('ephemeralContainers');
  return was.flatMap((before) => {
    const after = next.find((c) => c.name === before.name);
    if (!after) return [forbiddenField(path, `existing ephemeral containers "${before.name}" may not be removed\n`)];
    return deepEqual(after, before) ? [] : [forbiddenField(path, `existing ephemeral containers "${before.name}" may not be changed\n`)];
  });
}

/** Models ValidatePodResize: only containers' resources and resize policies, within the same QoS class. */
export function resize({ verb, object: old, body, store }: ActionRequest<Pod>): Pod {
  if (verb === 'get') return old;
  const wanted = (body as Pod).spec ?? { containers: [] };
  const containers = (was: readonly Container[], next: readonly Container[] | undefined): Container[] => was.map((c) => {
    const { resources, resizePolicy } = next?.find((n) => n.name === c.name) ?? c;
    return { ...c, ...(resources ? { resources } : {}), ...(resizePolicy ? { resizePolicy } : {}) };
  });
  const pod: Pod = { ...old, spec: { ...old.spec, containers: containers(old.spec.containers, wanted.containers) } };
  const errors = validatePod(pod);
  if (!deepEqual(containers(old.spec.containers, wanted.containers).map((c) => c.name), (wanted.containers ?? []).map((c) => c.name))) {
    errors.push(forbiddenField(SPEC, 'only cpu and memory resources are mutable'));
  }
  if (qosClass(pod.spec) !== old.status.qosClass) errors.push(forbiddenField(SPEC, `Pod QOS Class may not change as a result of resizing`));
  refuse(pod, errors);
  return store(pod);
}
