import type {
  MatchCondition,
  MatchResources,
  NamedRuleWithOperations,
  ParamKind,
  ParamRef,
  RuleWithOperations,
} from '../../api/admissionregistration_v1.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooMany,
  type FieldError,
  type Path,
} from '../../machinery/meta/field.js';
import { formatLabelSelector } from '../../machinery/selectors/selectors.js';
import {
  invalidEach,
  isDNS1035Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  isQualifiedName,
  validateLabelSelector,
} from '../../machinery/meta/validation.js';
import { validateEach, validateOptionalEnum, validateRequiredText } from '../field-validation.js';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];
const MAX_CONDITIONS = 64;
export const FAILURE_POLICIES = ['Fail', 'Ignore'];
export const MATCH_POLICIES = ['Equivalent', 'Exact'];

type Rule = RuleWithOperations & Pick<NamedRuleWithOperations, 'resourceNames'>;

/** Models pkg/apis/admissionregistration/v1 SetDefaults_Rule. */
export const defaultRules = <T extends Rule>(rules: T[]): T[] =>
  rules.map((r) => (r.scope === undefined ? { ...r, scope: '*' } : r));

/** Models pkg/apis/admissionregistration/v1 SetDefaults_MatchResources. */
export const defaultMatch = (m: MatchResources): MatchResources => ({
  ...m,
  matchPolicy: m.matchPolicy ?? 'Equivalent',
  namespaceSelector: m.namespaceSelector ?? {},
  objectSelector: m.objectSelector ?? {},
  ...(m.resourceRules ? { resourceRules: defaultRules(m.resourceRules) } : {}),
  ...(m.excludeResourceRules ? { excludeResourceRules: defaultRules(m.excludeResourceRules) } : {}),
});

/** A non-empty list in which '*' stands alone. */
function validateList(values: readonly string[] | undefined, path: Path, others: string): FieldError[] {
  if (!values?.length) return [required(path)];
  return values.length > 1 && values.includes('*')
    ? [invalidValue(path, values, `if '*' is present, must not specify other ${others}`)]
    : [];
}

/** Models pkg/apis/admissionregistration/validation validateRuleWithOperations. */
export const validateRule = (rule: Rule, path: Path): FieldError[] => [
  ...validateList(rule.operations, path.child('operations'), 'operations'),
  ...validateEach(rule.operations, path.child('operations'), (o, at) =>
    OPERATIONS.includes(o) ? [] : [notSupported(at, o, OPERATIONS)],
  ),
  ...validateList(rule.apiGroups, path.child('apiGroups'), 'API groups'),
  ...validateList(rule.apiVersions, path.child('apiVersions'), 'API versions'),
  ...validateEach(rule.apiVersions, path.child('apiVersions'), (v, at) => (v ? [] : [required(at)])),
  ...validateResources(rule.resources ?? [], path.child('resources')),
  ...validateOptionalEnum(path.child('scope'), rule.scope, SCOPES),
];

function validateResources(resources: readonly string[], path: Path): FieldError[] {
  if (!resources.length) return [required(path)];
  const [whole, subs] = [new Set<string>(), new Set<string>()];
  const errors = validateEach(resources, path, (text, at) => {
    if (!text) return [required(at)];
    const slash = text.indexOf('/');
    if (slash < 0) return [];
    const [resource, sub] = [text.slice(0, slash), text.slice(slash + 1)];
    const problems: FieldError[] = [];
    if (whole.has(resource))
      problems.push(invalidValue(at, text, `if '${resource}/*' is present, must not specify ${text}`));
    if (subs.has(sub)) problems.push(invalidValue(at, text, `if '*/${sub}' is present, must not specify ${text}`));
    if (sub === '*') whole.add(resource);
    if (resource === '*') subs.add(sub);
    return problems;
  });
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalidValue(path, resources, "if '*/*' is present, must not specify other resources"));
  // Upstream looks at the last one only.
  const last = resources.filter((r) => r && !r.includes('/')).at(-1);
  if (resources.includes('*') && last !== '*') {
    errors.push(
      invalidValue(path, resources, "if '*' is present, must not specify other resources without subresources"),
    );
  }
  return errors;
}

export function validateMatchConditions(conditions: readonly MatchCondition[] | undefined, path: Path): FieldError[] {
  const seen = new Set<string>();
  const errors = validateEach(conditions, path, ({ name, expression }, at) => {
    const problems = validateRequiredText(at.child('name'), name, isQualifiedName);
    if (seen.has(name)) problems.push(duplicate(at.child('name'), name));
    seen.add(name);
    return expression?.trim() ? problems : [required(at.child('expression')), ...problems];
  });
  return (conditions?.length ?? 0) > MAX_CONDITIONS
    ? [tooMany(path, conditions!.length, MAX_CONDITIONS), ...errors]
    : errors;
}

export const validateMatch = (match: MatchResources, path: Path): FieldError[] => [
  ...validateOptionalEnum(path.child('matchPolicy'), match.matchPolicy, MATCH_POLICIES),
  ...validateLabelSelector(match.namespaceSelector, path.child('namespaceSelector')),
  ...validateLabelSelector(match.objectSelector, path.child('objectSelector')),
  ...validateEach(match.resourceRules, path.child('resourceRules'), validateNamedRule),
  ...validateEach(match.excludeResourceRules, path.child('excludeResourceRules'), validateNamedRule),
];

function validateNamedRule(rule: NamedRuleWithOperations, path: Path): FieldError[] {
  const seen = new Set<string>();
  const names = validateEach(rule.resourceNames, path.child('resourceNames'), (name, at) => {
    const repeated = seen.has(name) ? [duplicate(at, name)] : [];
    seen.add(name);
    return [...invalidEach(at, name, isPathSegmentName(name)), ...repeated];
  });
  return [...validateRule(rule, path), ...names];
}

export function validateParamKind(kind: ParamKind, path: Path): FieldError[] {
  const errors = validateRequiredText(path.child('kind'), kind.kind, (text) =>
    isDNS1035Label(text.toLowerCase()).map((m) => `may have mixed case, but should otherwise match: ${m}`),
  );
  const at = path.child('apiVersion');
  if (!kind.apiVersion) return [required(at), ...errors];
  const parts = kind.apiVersion.split('/');
  if (parts.length > 2)
    return [invalidValue(at, kind.apiVersion, `unexpected GroupVersion string: ${kind.apiVersion}`), ...errors];
  const [version, group] = [parts.at(-1)!, parts.length === 2 ? parts[0]! : ''];
  return [
    ...(group ? invalidEach(at, group, isDNS1123Subdomain(group)) : []),
    ...invalidEach(at, version, isDNS1035Label(version)),
    ...errors,
  ];
}

export function validateParamRef(ref: ParamRef, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (ref.name && ref.selector) {
    errors.push(
      forbiddenField(path.child('name'), 'name and selector are mutually exclusive'),
      forbiddenField(path.child('selector'), 'name and selector are mutually exclusive'),
    );
  } else if (!ref.name && !ref.selector) {
    errors.push(required(path, 'one of name or selector must be specified'));
  }
  if (ref.name) errors.push(...invalidEach(path.child('name'), ref.name, isPathSegmentName(ref.name)));
  errors.push(...validateLabelSelector(ref.selector, path.child('selector')));
  const action = ref.parameterNotFoundAction;
  const at = path.child('parameterNotFoundAction');
  return action ? [...errors, ...validateOptionalEnum(at, action, ['Deny', 'Allow'])] : [...errors, required(at)];
}

export const paramKindText = (kind: ParamKind | undefined): string =>
  kind ? `${kind.apiVersion}/${kind.kind}` : '<unset>';

/** Whether the parameter is namespaced cannot be told here, so that its namespace is '*'. */
export function paramRefText(ref: ParamRef | undefined): string {
  if (ref?.name) return `${ref.namespace || '*'}/${ref.name}`;
  return ref?.selector ? formatLabelSelector(ref.selector) : '<unset>';
}
