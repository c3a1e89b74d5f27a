import type {
  MutatingAdmissionPolicySpec,
  ValidatingAdmissionPolicySpec,
  Variable,
} from '../../api/admissionregistration_v1.js';
import { duplicate, invalidValue, required, type FieldError, type Path } from '../../machinery/meta/field.js';
import { isCIdentifier } from '../../machinery/meta/validation.js';
import { validateEach, validateOptionalEnum } from '../field-validation.js';
import {
  soundVariables,
  validateConditionExpressions,
  validateVariableExpressions,
  type Declared,
} from './expressions.js';
import {
  defaultMatch,
  FAILURE_POLICIES,
  validateMatch,
  validateMatchConditions,
  validateParamKind,
} from './matching.js';

type Spec = Pick<
  ValidatingAdmissionPolicySpec & MutatingAdmissionPolicySpec,
  'failurePolicy' | 'matchConditions' | 'matchConstraints' | 'paramKind' | 'variables'
>;

export const defaultPolicy = <T extends Spec>(spec: T): T => ({
  ...spec,
  failurePolicy: spec.failurePolicy ?? 'Fail',
  ...(spec.matchConstraints ? { matchConstraints: defaultMatch(spec.matchConstraints) } : {}),
});

/** What validating and mutating policies share. Models pkg/apis/admissionregistration/validation. */
export function validatePolicy(spec: Spec, path: Path): FieldError[] {
  const errors = validateOptionalEnum(path.child('failurePolicy'), spec.failurePolicy, FAILURE_POLICIES);
  if (spec.paramKind) errors.push(...validateParamKind(spec.paramKind, path.child('paramKind')));
  const constraints = path.child('matchConstraints');
  const match = spec.matchConstraints;
  if (!match) errors.push(required(constraints));
  else if (!match.resourceRules?.length)
    errors.push(...validateMatch(match, constraints), required(constraints.child('resourceRules')));
  else errors.push(...validateMatch(match, constraints));
  const declared = declaredBy(spec);
  return [
    ...errors,
    ...validateMatchConditions(spec.matchConditions, path.child('matchConditions')),
    ...validateConditionExpressions(spec.matchConditions, path.child('matchConditions'), {
      params: declared.params,
      authorizer: true,
    }),
    ...validateVariables(spec.variables, path.child('variables')),
    ...validateVariableExpressions(spec.variables, path.child('variables'), declared),
  ];
}

/** What a policy's own expressions may name. */
export function declaredBy({ paramKind, variables }: Spec, mutates = false): Declared {
  const declared: Declared = { params: paramKind !== undefined, authorizer: true, mutates };
  return variables?.length ? { ...declared, variables: soundVariables(variables, declared) } : declared;
}

function validateVariables(variables: readonly Variable[] | undefined, path: Path): FieldError[] {
  const seen = new Set<string>();
  return validateEach(variables, path, ({ name, expression }, at) => {
    const errors: FieldError[] = [];
    if (!name?.trim()) errors.push(required(at.child('name'), 'name is not specified'));
    else if (isCIdentifier(name).length)
      errors.push(invalidValue(at.child('name'), name, 'must be a valid CEL identifier'));
    else if (seen.has(name)) errors.push(duplicate(at.child('name'), name));
    seen.add(name);
    return expression?.trim() ? errors : [...errors, required(at.child('expression'), 'expression is not specified')];
  });
}
