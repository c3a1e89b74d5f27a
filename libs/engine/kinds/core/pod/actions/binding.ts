/** POST of pods/binding: puts a pod on a node, once. Models BindingREST of pkg/registry/core/pod/storage. */
import type { Binding, Pod, PodCondition } from '../../../../api/core_v1.js';
import { notSupported, Path, required, type FieldError } from '../../../../machinery/meta/field.js';
import type { ActionRequest } from '../../../../machinery/kind.js';
import { conflict, invalid } from '../../../../machinery/meta/status.js';
import { timestamp } from '../../../../machinery/time/time.js';

const PODS_BINDING = { group: '', plural: 'pods/binding' };
const BINDING = { group: '', kind: 'Binding' };
const target = Path.of('target');

function validate({ target: to }: Binding): FieldError[] {
  const errors: FieldError[] = [];
  if (to?.kind && to.kind !== 'Node') errors.push(notSupported(target.child('kind'), to.kind, ['Node', '<empty>']));
  if (!to?.name) errors.push(required(target.child('name')));
  return errors;
}

export function bind({ object: pod, body, context, store }: ActionRequest<Pod>): unknown {
  const binding = body as Binding;
  const name = pod.metadata.name ?? '';
  const errors = validate(binding);
  if (errors.length > 0) throw invalid(BINDING, name, errors);
  if (binding.metadata?.uid && binding.metadata.uid !== pod.metadata.uid) {
    throw conflict(
      PODS_BINDING,
      name,
      `Precondition failed: UID in precondition: ${binding.metadata.uid}, UID in object meta: ${pod.metadata.uid}`,
    );
  }
  if (pod.metadata.deletionTimestamp !== undefined)
    throw conflict(PODS_BINDING, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  if (pod.spec.nodeName)
    throw conflict(PODS_BINDING, name, `pod ${name} is already assigned to node "${pod.spec.nodeName}"`);
  if (pod.spec.schedulingGates?.length)
    throw conflict(PODS_BINDING, name, `pod ${name} has non-empty .spec.schedulingGates`);
  store(assignPod(pod, binding, timestamp(context.now)));
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

function assignPod(pod: Pod, binding: Binding, now: string): Pod {
  // Go prints a zero Time as null.
  const scheduled: PodCondition = {
    lastProbeTime: null as unknown as undefined,
    lastTransitionTime: now,
    status: 'True',
    type: 'PodScheduled',
  };
  const { nominatedNodeName: _, ...status } = pod.status;
  const metadata = binding.metadata?.annotations
    ? { ...pod.metadata, annotations: { ...pod.metadata.annotations, ...binding.metadata.annotations } }
    : pod.metadata;
  const others = pod.status.conditions?.filter((c) => c.type !== 'PodScheduled') ?? [];
  return {
    ...pod,
    metadata,
    spec: { ...pod.spec, nodeName: binding.target.name },
    status: { ...status, conditions: [...others, scheduled] },
  };
}
