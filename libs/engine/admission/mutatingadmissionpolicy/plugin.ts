import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  Mutation,
} from '../../api/admissionregistration_v1.js';
import { kind as Policies } from '../../kinds/admissionregistration/mutatingadmissionpolicy/kind.js';
import { kind as Bindings } from '../../kinds/admissionregistration/mutatingadmissionpolicybinding/kind.js';
import { toJson } from '../../machinery/cel/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { Kind } from '../../machinery/kind.js';
import { mergeFields } from '../../machinery/managedfields/merge.js';
import { isObject, type Json, type KubeObject, type Unstructured } from '../../machinery/meta/object.js';
import { applyJsonPatch } from '../../machinery/patch/patch.js';
import { ApiError } from '../../machinery/meta/status.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { ownedType } from '../../runtime/managed-fields.js';
import { isExempt, matchesResources } from '../policy/match.js';
import { collectParams, ConfigurationError } from '../policy/params.js';
import { replaceDraft } from '../replace-draft.js';
import { ExpressionError, PolicyEvaluation } from '../policy/evaluation.js';
import { refuse } from '../refuse.js';
import { ReinvocationContext } from '../webhook/reinvocation.js';

interface Invocation {
  readonly policy: MutatingAdmissionPolicy;
  readonly binding: MutatingAdmissionPolicyBinding;
  readonly params: KubeObject | null;
}

/**
 * Applies the mutations of policies to the object, one after the other. Models
 * apiserver/pkg/admission/plugin/policy/mutating.
 */
export const plugin: AdmissionPlugin = {
  name: 'MutatingAdmissionPolicy',
  handlesBodies: true,
  mutate(request) {
    const policies = request.client.list(Policies);
    if (policies.length === 0 || !request.object || isExempt(request.kind)) return;
    const invocations = invocationsOf(policies, request);
    if (invocations.length === 0) return;
    const reinvocation = ReinvocationContext.of(request, 'MutatingAdmissionPolicy');
    for (const invocation of invocations) dispatch(invocation, request, reinvocation);
    reinvocation.saveOutput(request);
  },
};

function dispatch(invocation: Invocation, request: AdmissionRequest, reinvocation: ReinvocationContext): void {
  const { policy, binding, params } = invocation;
  const id = [policy.metadata.name, binding.metadata.name, params?.metadata.namespace, params?.metadata.name].join('/');
  if (!reinvocation.shouldInvoke(request, id)) return;
  const before = request.object!;
  const after = invokePolicy(invocation, request, before);
  const changed = !deepEqual(before, after);
  if (changed) replaceDraft(request, after as Unstructured);
  reinvocation.recordInvocation(request, id, changed, policy.spec.reinvocationPolicy === 'IfNeeded');
}

function invocationsOf(policies: readonly MutatingAdmissionPolicy[], request: AdmissionRequest): Invocation[] {
  const bindings = request.client.list(Bindings);
  return policies.flatMap((policy) => {
    const own = bindings.filter((b) => b.spec.policyName === policy.metadata.name);
    if (own.length === 0 || !matchesResources(policy.spec.matchConstraints, request)) return [];
    return own
      .filter((b) => matchesResources(b.spec.matchResources, request))
      .flatMap((binding) =>
        applyFailurePolicy(policy, binding, request, [], () =>
          collectParams(policy.spec.paramKind, binding.spec.paramRef, request).map((params) => ({
            policy,
            binding,
            params,
          })),
        ),
      );
  });
}

function invokePolicy(
  { policy, binding, params }: Invocation,
  request: AdmissionRequest,
  object: KubeObject,
): KubeObject {
  return applyFailurePolicy(policy, binding, request, object, () => {
    const run = new PolicyEvaluation(request, policy.spec, params, object);
    if (!run.matchesConditions()) return object;
    let current = object;
    for (const mutation of policy.spec.mutations ?? []) {
      current = applyMutation(mutation, run, current, request.kind);
      run.replaceObject(current);
    }
    return current;
  });
}

/** Runs `work`; a failure is `otherwise` with the failurePolicy Ignore, and a 403 otherwise. */
function applyFailurePolicy<T>(
  policy: MutatingAdmissionPolicy,
  binding: MutatingAdmissionPolicyBinding,
  request: AdmissionRequest,
  otherwise: T,
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    const text =
      error instanceof ConfigurationError
        ? `failed to configure binding: ${error.message}`
        : error instanceof ExpressionError || error instanceof ApiError
          ? error.message
          : undefined;
    if (text === undefined) throw error;
    if (policy.spec.failurePolicy === 'Ignore') return otherwise;
    const message = `policy '${policy.metadata.name}' with binding '${binding.metadata.name}' denied request: ${text}`;
    const { code, reason, details } = refuse(request, '');
    throw new ApiError(code, reason, message, { ...details, causes: [{ message }] });
  }
}

function applyMutation(
  { patchType, jsonPatch, applyConfiguration }: Mutation,
  run: PolicyEvaluation,
  object: KubeObject,
  kind: Kind,
): KubeObject {
  const text = (patchType === 'JSONPatch' ? jsonPatch : applyConfiguration)?.expression ?? '';
  const result = toJson(run.evaluate(text)) as Json;
  const json = object as unknown as Json;
  if (patchType === 'JSONPatch') {
    if (!Array.isArray(result)) throw new ExpressionError('must evaluate to list of JSONPatch');
    return applyJsonPatch(json, result) as unknown as KubeObject;
  }
  if (!isObject(result)) throw new ExpressionError('must evaluate to Object');
  for (const name of ['apiVersion', 'kind'])
    if (result[name] !== undefined)
      throw new ExpressionError(`error applying patch: invalid ApplyConfiguration: may not mutate ${name}`);
  return mergeFields(json, result, ownedType(kind)) as KubeObject;
}
