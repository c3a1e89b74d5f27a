/** Models ValidateResourceQuota of pkg/apis/core/validation. */
import type { ResourceQuota, ResourceQuotaSpec, ScopedResourceSelectorRequirement } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { invalidValue, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { IMMUTABLE } from '../../../machinery/meta/validation.js';
import { asInternal, type Struct } from '../../internal.js';
import {
  isStandardQuotaResourceName,
  validateResourceQuantityValue,
  validateResourceQuotaResourceName,
} from '../resource-names.js';

const path = Path.of('spec');
const SCOPES = [
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
  'VolumeAttributesClass',
];
const ALONE = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];
const MUST_EXIST =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
const PODS = ['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
/** Scope -> the standard resources that it can limit. */
const COUNTED_IN: Readonly<Record<string, readonly string[] | undefined>> = {
  Terminating: PODS,
  NotTerminating: PODS,
  NotBestEffort: PODS,
  PriorityClass: PODS,
  CrossNamespacePodAffinity: PODS,
  BestEffort: ['pods'],
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
};
const SELECTOR: Struct = { MatchExpressions: [{ ScopeName: '', Operator: '', Values: null }] };
const OPERATORS = ['DoesNotExist', 'Exists', 'In', 'NotIn'];

export function validateQuota({ spec }: ResourceQuota): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, amount] of Object.entries(spec.hard ?? {})) {
    const at = path.child('hard').key(name);
    errors.push(...validateResourceQuotaResourceName(name, at), ...validateResourceQuantityValue(name, amount, at));
  }
  return [...errors, ...validateScopes(spec), ...validateSelector(spec)];
}

/** Returns one error for each resource in `hard` that the scope cannot limit. */
const validateScopeResources = (
  scope: string,
  { hard = {} }: ResourceQuotaSpec,
  at: Path,
  value: unknown,
): FieldError[] => {
  const counted = Object.hasOwn(COUNTED_IN, scope) ? COUNTED_IN[scope] : undefined;
  if (!counted) return [];
  return Object.keys(hard)
    .filter((name) => isStandardQuotaResourceName(name) && !counted.includes(name))
    .map(() => invalidValue(at, value, 'unsupported scope applied to resource'));
};

const CONFLICTS = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];
const validateScopeConflicts = (
  scopes: readonly string[],
  { scopes: shown }: ResourceQuotaSpec,
  at: Path,
): FieldError[] =>
  CONFLICTS.filter((pair) => pair.every((scope) => scopes.includes(scope))).map(() =>
    invalidValue(at, shown, 'conflicting scopes'),
  );

function validateScopes(spec: ResourceQuotaSpec): FieldError[] {
  const { scopes = [] } = spec;
  const at = path.child('scopes');
  const errors = scopes.flatMap((scope) => [
    ...(SCOPES.includes(scope) ? [] : [invalidValue(at, scopes, 'unsupported scope')]),
    ...validateScopeResources(scope, spec, at, scopes),
  ]);
  return [...errors, ...validateScopeConflicts(scopes, spec, at)];
}

function validateSelector(spec: ResourceQuotaSpec): FieldError[] {
  const requirements = spec.scopeSelector?.matchExpressions ?? [];
  const at = path.child('scopeSelector', 'matchExpressions');
  const errors = requirements.flatMap((requirement) => [
    ...(SCOPES.includes(requirement.scopeName)
      ? []
      : [invalidValue(at.child('scopeName'), requirement.scopeName, 'unsupported scope')]),
    ...validateScopeResources(requirement.scopeName, spec, at, asInternal(SELECTOR, spec.scopeSelector)),
    ...validateRequirement(requirement, at),
  ]);
  return [
    ...errors,
    ...validateScopeConflicts(
      requirements.map((r) => r.scopeName),
      spec,
      at,
    ),
  ];
}

function validateRequirement(
  { scopeName, operator, values }: ScopedResourceSelectorRequirement,
  at: Path,
): FieldError[] {
  const errors: FieldError[] = [];
  if (ALONE.includes(scopeName) && operator !== 'Exists')
    errors.push(invalidValue(at.child('operator'), operator ?? '', MUST_EXIST));
  if (!OPERATORS.includes(operator))
    errors.push(invalidValue(at.child('operator'), operator ?? '', 'not a valid selector operator'));
  if ((operator === 'In' || operator === 'NotIn') && !values?.length)
    errors.push(
      required(at.child('values'), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"),
    );
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values?.length)
    errors.push(
      invalidValue(
        at.child('values'),
        values,
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      ),
    );
  return errors;
}

export const validateQuotaUpdate = (next: ResourceQuota, old: ResourceQuota): FieldError[] =>
  deepEqual([...(next.spec.scopes ?? [])].sort(), [...(old.spec.scopes ?? [])].sort())
    ? []
    : [invalidValue(path.child('scopes'), next.spec.scopes, IMMUTABLE)];
