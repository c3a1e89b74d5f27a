import type { MatchCondition, Variable } from '../../api/admissionregistration_v1.js';
import { ANY, BOOL, Environment, listOf, mapOf, mayBe, type ObjectType, STRING, type Type, typeText } from '../../machinery/cel/index.js';
import { invalidValue, type FieldError, type Path } from '../../machinery/field.js';

const object = (name: string, fields: Readonly<Record<string, Type>>): ObjectType => ({ kind: 'object', name, fields: new Map(Object.entries(fields).map(([field, type]) => [field, { type, property: field }])) });
const gvk = object('kubernetes.GroupVersionKind', { group: STRING, version: STRING, kind: STRING });
const gvr = object('kubernetes.GroupVersionResource', { group: STRING, version: STRING, resource: STRING });

/** What 'request' is. Models apiserver/pkg/admission/plugin/cel BuildRequestType. */
const requestType = object('kubernetes.AdmissionRequest', {
  kind: gvk, resource: gvr, subResource: STRING, requestKind: gvk, requestResource: gvr, requestSubResource: STRING, name: STRING, namespace: STRING, operation: STRING,
  userInfo: object('kubernetes.UserInfo', { username: STRING, uid: STRING, groups: listOf(STRING), extra: mapOf(STRING, listOf(STRING)) }), dryRun: BOOL, options: ANY,
});
const authorizerTypes: Readonly<Record<string, Type>> = {
  authorizer: { kind: 'opaque', name: 'kubernetes.authorization.Authorizer' },
  'authorizer.requestResource': { kind: 'opaque', name: 'kubernetes.authorization.ResourceCheck' },
};

export interface Declared {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** Names of the policy's variables that may be used. */
  readonly variables?: readonly string[];
}

const NAMES: Readonly<Partial<Record<Type['kind'], string>>> = { null: 'null_type' };
const MAX_ENVIRONMENTS = 500;
const environments = new Map<string, Environment>();

/** Where a policy's expressions are compiled: one for each set of names. */
export function policyEnvironment({ params, authorizer, variables }: Declared): Environment {
  const key = `${params} ${authorizer} ${variables ? `(${variables.join(' ')})` : ''}`;
  let environment = environments.get(key);
  if (!environment) {
    if (environments.size >= MAX_ENVIRONMENTS) environments.clear();
    environment = new Environment({
      variables: {
        object: ANY, oldObject: ANY, request: requestType, namespaceObject: ANY,
        ...(params ? { params: ANY } : {}),
        ...(authorizer ? authorizerTypes : {}),
        ...(variables ? { variables: object('kubernetes.variables', Object.fromEntries(variables.map((name) => [name, ANY]))) } : {}),
      },
      structs: (name) => name === 'JSONPatch' || name === 'Object' || name.startsWith('Object.'),
    });
    environments.set(key, environment);
  }
  return environment;
}

/** Does the text compile, to one of these types? Models pkg/apis/admissionregistration/validation validateCELCondition. */
export function validateExpression(text: string | undefined, path: Path, declared: Declared, kinds: readonly Type['kind'][] = []): FieldError[] {
  if (!text?.trim()) return [];
  const { program, error } = policyEnvironment(declared).compile(text);
  if (!program) return [invalidValue(path, text, `compilation failed: ${error}`)];
  if (kinds.length === 0 || kinds.some((kind) => mayBe(program.type, kind))) return [];
  return [invalidValue(path, text, kinds.length === 1 ? `must evaluate to ${kinds[0]} but got ${typeText(program.type)}` : `must evaluate to one of [${kinds.map((k) => NAMES[k] ?? k).join(' ')}]`)];
}

export const validateConditionExpressions = (conditions: readonly MatchCondition[] | undefined, path: Path, declared: Declared): FieldError[] =>
  (conditions ?? []).flatMap((c, i) => validateExpression(c.expression, path.index(i).child('expression'), declared, ['bool']));

/** A variable may use those before it. */
export const validateVariableExpressions = (variables: readonly Variable[] | undefined, path: Path, declared: Declared): FieldError[] =>
  (variables ?? []).flatMap((v, i) => validateExpression(v.expression, path.index(i).child('expression'), { ...declared, variables: variables!.slice(0, i).map((earlier) => earlier.name) }));
