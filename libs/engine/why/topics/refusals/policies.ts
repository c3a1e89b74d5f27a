import type { ValidatingAdmissionPolicyBinding } from '../../../api/admissionregistration_v1.js';
import { ValidatingAdmissionPolicies, ValidatingAdmissionPolicyBindings } from '../../../kinds/index.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { findKind } from '../../find-object.js';
import { findingOf, refOf, type World } from '../../world.js';

const REFUSAL = /ValidatingAdmissionPolicy '([^']+)' with binding '([^']+)'/g;

/** The policy that has refused, its binding, and the parameters that the binding names and nobody has made. */
export function policyFindings(world: World, namespace: string, message: string): WhyFinding[] {
  return [...message.matchAll(REFUSAL)].flatMap(([, name = '', bindingName = '']) => {
    const policy = world.read.get(ValidatingAdmissionPolicies, { namespace: '', name });
    const binding = world.read.get(ValidatingAdmissionPolicyBindings, { namespace: '', name: bindingName });
    if (!policy) return [];
    const rules = (policy.spec?.validations ?? []).map(({ expression }) => `it asks for: ${expression}`);
    const text = `it denies what is created in the namespace ${namespace} (${binding ? refOf(binding) : 'no binding'})`;
    return [
      ...(binding ? paramFindings(world, binding, namespace) : []),
      findingOf(policy, 'ValidatingAdmissionPolicy', text, { details: rules }),
    ];
  });
}

function paramFindings(world: World, binding: ValidatingAdmissionPolicyBinding, namespace: string): WhyFinding[] {
  const { paramRef, policyName } = binding.spec ?? {};
  const policy = world.read.get(ValidatingAdmissionPolicies, { namespace: '', name: policyName ?? '' });
  const kind = policy?.spec?.paramKind ? findKind(world, policy.spec.paramKind.kind ?? '') : undefined;
  if (!paramRef?.name || !kind) return [];
  const where = kind.scope === 'Namespaced' ? (paramRef.namespace ?? namespace) : '';
  if (world.read.get(kind, { namespace: where, name: paramRef.name })) return [];
  const what = [kind.singular, where, paramRef.name].filter((part) => part !== '').join('/');
  return [findingOf(binding, 'NoParameters', `its parameters are not there: ${what}`)];
}
