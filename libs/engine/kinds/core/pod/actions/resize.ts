import type { Container, Pod, PodSpec, ResourceRequirements } from '../../../../api/core_v1.js';
import type { ActionRequest } from '../../../../machinery/kind.js';
import { deepEqual } from '../../../../machinery/meta/equal.js';
import { forbiddenField, invalidValue, Path, type FieldError } from '../../../../machinery/meta/field.js';
import { toInternalForm } from '../../../internal-form.js';
import { defaultPod } from '../defaults.js';
import { qosClass } from '../status/qos.js';
import { validatePod } from '../validation/pod.js';
import { refuseInvalidPod } from './refuse.js';

const SPEC = Path.of('spec');

/**
 * PUT of pods/resize: only cpu and memory of containers and of the pod change, within the same QoS class. Models
 * ResizeREST of pkg/registry/core/pod/storage and ValidatePodResize.
 */
export function resize({ verb, object: old, body, store }: ActionRequest<Pod>): Pod {
  if (verb === 'get') return old;
  const pod: Pod = { ...old, spec: dropNonResizeUpdates((body as Pod).spec ?? { containers: [] }, old.spec) };
  defaultPod(pod);
  refuseInvalidPod(pod, [...validatePod(pod), ...validateResize(pod, old)]);
  return store(pod);
}

/**
 * The stored spec with the new resources and resize policies. Containers that were added, removed or renamed are kept,
 * so that the validation refuses them. Models dropNonResizeUpdates.
 */
function dropNonResizeUpdates(next: PodSpec, was: PodSpec): PodSpec {
  if (
    next.containers?.length !== was.containers.length ||
    (next.initContainers?.length ?? 0) !== (was.initContainers?.length ?? 0)
  )
    return { ...next };
  const merged = (now: readonly Container[] = [], before: readonly Container[] = []): Container[] =>
    now.some((c, i) => c.name !== before[i]!.name)
      ? [...now]
      : now.map(({ resources, resizePolicy }, i) => ({ ...before[i]!, resources, resizePolicy }));
  const spec: PodSpec = { ...was, resources: next.resources, containers: merged(next.containers, was.containers) };
  if (was.initContainers) spec.initContainers = merged(next.initContainers, was.initContainers);
  return spec;
}

function validateResize({ spec }: Pod, old: Pod): FieldError[] {
  const was = old.spec;
  if (was.os?.name === 'windows') return [forbiddenField(Path.of(), 'windows pods cannot be resized')];
  const errors =
    qosClass(spec) === (old.status.qosClass ?? qosClass(was))
      ? []
      : [invalidValue(SPEC, old.status.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing')];
  const order = [
    ...validateContainerOrder(spec.containers, was.containers, 'containers'),
    ...validateContainerOrder(spec.initContainers, was.initContainers, 'initContainers'),
  ];
  if (order.length > 0) return [...errors, ...order];
  for (const field of ['initContainers', 'containers'] as const) {
    was[field]?.forEach((container, i) => {
      if (field === 'initContainers' && container.restartPolicy !== 'Always') return;
      const at = SPEC.child(field).index(i).child('resources');
      for (const part of ['requests', 'limits'] as const) {
        const now = spec[field]![i]!.resources?.[part] ?? {};
        if (Object.keys(container.resources?.[part] ?? {}).some((name) => now[name] === undefined))
          errors.push(forbiddenField(at.child(part), `resource ${part} cannot be removed`));
      }
    });
  }
  for (const part of ['requests', 'limits'] as const) {
    const now = spec.resources?.[part] ?? {};
    if (Object.keys(was.resources?.[part] ?? {}).some((name) => now[name] === undefined))
      errors.push(forbiddenField(SPEC.child('resources').child(part), `resource ${part} cannot be removed`));
  }
  const others = {
    ...spec,
    ...(spec.resources ? { resources: withOldComputeAmounts(spec.resources, was.resources) } : {}),
    containers: withOldComputeResources(spec.containers, was.containers) ?? [],
    initContainers: withOldComputeResources(spec.initContainers, was.initContainers),
  };
  if (errors.length === 0 && !deepEqual(toInternalForm('PodSpec', others), toInternalForm('PodSpec', was)))
    errors.push(forbiddenField(SPEC, 'only cpu and memory resources are mutable'));
  return errors;
}

function validateContainerOrder(
  next: readonly Container[] = [],
  was: readonly Container[] = [],
  field: string,
): FieldError[] {
  const at = SPEC.child(field);
  if (next.length !== was.length) return [forbiddenField(at, `${field} may not be added or removed on resize`)];
  return was.flatMap(({ name }, i) =>
    next[i]!.name === name
      ? []
      : [forbiddenField(at.index(i).child('name'), `${field} may not be renamed or reordered on resize`)],
  );
}

/** The containers with the cpu and memory of the stored ones: what is left differs only in what must not change. */
function withOldComputeResources(
  next: readonly Container[] | undefined,
  was: readonly Container[] | undefined,
): Container[] | undefined {
  return next?.map((container, i) => {
    const before = was?.[i];
    if (!before) return container;
    return { ...container, resources: withOldComputeAmounts(container.resources, before.resources) };
  });
}

function withOldComputeAmounts(next: ResourceRequirements = {}, was: ResourceRequirements = {}): ResourceRequirements {
  const mask = (part: 'requests' | 'limits'): Record<string, string> | undefined => {
    const { cpu: _, memory: __, ...others } = next[part] ?? {};
    const old = was[part];
    const merged = {
      ...others,
      ...(old?.['cpu'] === undefined ? {} : { cpu: old['cpu'] }),
      ...(old?.['memory'] === undefined ? {} : { memory: old['memory'] }),
    };
    return Object.keys(merged).length || old ? merged : undefined;
  };
  return { ...next, limits: mask('limits'), requests: mask('requests') };
}
