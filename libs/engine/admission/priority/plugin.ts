import type { Pod } from '../../api/core_v1.js';
import type { PriorityClass } from '../../api/scheduling_v1.js';
import { kind as PriorityClasses } from '../../kinds/scheduling/priorityclass/kind.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { refuse } from '../refuse.js';

const DEFAULT_POLICY = 'PreemptLowerPriority';

/** Computes the priority of pods, and keeps the default PriorityClass unique. Models plugin/pkg/admission/priority. */
export const plugin: AdmissionPlugin = {
  name: 'Priority',
  resources: ['pods', 'priorityclasses.scheduling.k8s.io'],
  mutate(request) {
    if (request.kind === PriorityClasses || request.subresource) return;
    if (request.operation === 'CREATE') setPriority(request, request.object as Pod);
    if (request.operation === 'UPDATE') keepPriority(request.object as Pod, request.old as Pod);
  },
  validate(request) {
    if (request.kind === PriorityClasses && request.object)
      checkSingleDefault(request, request.object as PriorityClass);
  },
};

function setPriority(request: AdmissionRequest, pod: Pod): void {
  const { spec } = pod;
  const priorityClass = spec.priorityClassName
    ? request.client.get(PriorityClasses, { namespace: '', name: spec.priorityClassName })
    : findDefaultClass(request);
  if (spec.priorityClassName && !priorityClass)
    throw refuse(request, `no PriorityClass with name ${spec.priorityClassName} was found`);
  const priority = priorityClass?.value ?? 0;
  if (spec.priority !== undefined && spec.priority !== priority) {
    throw refuse(
      request,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  }
  const policy = priorityClass?.preemptionPolicy ?? DEFAULT_POLICY;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    throw refuse(
      request,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  pod.spec = { ...spec, priority, preemptionPolicy: policy };
  if (priorityClass) pod.spec.priorityClassName = priorityClass.metadata.name;
}

/** Restores the computed fields that a client leaves out of an update. */
function keepPriority(pod: Pod, { spec: { priority, preemptionPolicy } }: Pod): void {
  if (pod.spec.priority === undefined && priority !== undefined) pod.spec = { ...pod.spec, priority };
  if (pod.spec.preemptionPolicy === undefined && preemptionPolicy !== undefined)
    pod.spec = { ...pod.spec, preemptionPolicy };
}

/** The default class; the one with the lowest value when there are several. */
function findDefaultClass(request: AdmissionRequest): PriorityClass | undefined {
  let lowest: PriorityClass | undefined;
  for (const c of request.client.list(PriorityClasses))
    if (c.globalDefault && (!lowest || (c.value ?? 0) < (lowest.value ?? 0))) lowest = c;
  return lowest;
}

function checkSingleDefault(request: AdmissionRequest, given: PriorityClass): void {
  if (!given.globalDefault) return;
  const other = findDefaultClass(request);
  if (other && other.metadata.name !== given.metadata.name) {
    throw refuse(
      request,
      `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`,
    );
  }
}
