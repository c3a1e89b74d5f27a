import { LRUCache } from 'lru-cache';
import type { MatchCondition, Variable } from '../../api/admissionregistration_v1.js';
import {
  ANY,
  BOOL,
  Environment,
  listOf,
  mapOf,
  type ObjectType,
  STRING,
  type Type,
  typeText,
} from '../../machinery/cel/index.js';
import { invalidValue, type FieldError, type Path } from '../../machinery/meta/field.js';

const object = (name: string, fields: Readonly<Record<string, Type>>): ObjectType => ({
  kind: 'object',
  name,
  fields: new Map(Object.entries(fields).map(([field, type]) => [field, { type, property: field }])),
});
const gvk = object('kubernetes.GroupVersionKind', { group: STRING, version: STRING, kind: STRING });
const gvr = object('kubernetes.GroupVersionResource', { group: STRING, version: STRING, resource: STRING });

/** What 'request' is. Models apiserver/pkg/admission/plugin/cel BuildRequestType. */
const requestType = object('kubernetes.AdmissionRequest', {
  kind: gvk,
  resource: gvr,
  subResource: STRING,
  requestKind: gvk,
  requestResource: gvr,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: object('kubernetes.UserInfo', {
    username: STRING,
    uid: STRING,
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
  }),
  dryRun: BOOL,
  options: ANY,
});
const authorizerTypes: Readonly<Record<string, Type>> = {
  authorizer: { kind: 'opaque', name: 'kubernetes.authorization.Authorizer' },
  'authorizer.requestResource': { kind: 'opaque', name: 'kubernetes.authorization.ResourceCheck' },
};

export interface Declared {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** The policy's variables that may be used. */
  readonly variables?: Readonly<Record<string, Type>>;
  /** A policy that mutates may make objects and patches. */
  readonly mutates?: boolean;
}

/** As cel-go names the type of a result. */
const resultText = (type: Type): string => RESULTS[type.kind] ?? typeText(type);
const RESULTS: Readonly<Partial<Record<Type['kind'], string>>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

/** Characters of the keys of all cached environments. */
const MAX_ENVIRONMENTS = 500_000;
// oxlint-disable-next-line house/no-module-state -- by the names that are declared in them, which hold no objects
const environments = new LRUCache<string, Environment>({
  maxSize: MAX_ENVIRONMENTS,
  sizeCalculation: (_environment, key) => key.length,
});

/** Where a policy's expressions are compiled: one for each set of names. */
export function policyEnvironment({ params, authorizer, variables, mutates }: Declared): Environment {
  const key = `${params} ${authorizer} ${mutates} ${
    variables
      ? `(${Object.entries(variables)
          .map(([name, type]) => `${name}:${typeText(type)}`)
          .join(' ')})`
      : ''
  }`;
  let environment = environments.get(key);
  if (!environment) {
    environment = new Environment({
      variables: {
        object: ANY,
        oldObject: ANY,
        request: requestType,
        namespaceObject: ANY,
        ...(params ? { params: ANY } : {}),
        ...(authorizer ? authorizerTypes : {}),
        ...(variables ? { variables: object('kubernetes.variables', variables) } : {}),
      },
      ...(mutates
        ? { structs: (name: string) => name === 'JSONPatch' || name === 'Object' || name.startsWith('Object.') }
        : {}),
    });
    environments.set(key, environment);
  }
  return environment;
}

/**
 * Where a policy's expressions are compiled against the types that it matches; variables that do not compile may be
 * anything.
 */
export function typedEnvironment(
  types: { readonly object: Type; readonly params?: Type | undefined },
  declared: readonly Variable[] | undefined,
): Environment {
  const known: Record<string, Type> = {};
  const environment = (): Environment =>
    new Environment({
      variables: {
        object: types.object,
        oldObject: types.object,
        request: requestType,
        namespaceObject: ANY,
        ...(types.params ? { params: types.params } : {}),
        ...authorizerTypes,
        variables: object('kubernetes.variables', known),
      },
    });
  for (const { name, expression = '' } of declared ?? [])
    known[name] = environment().compile(expression).program?.type ?? ANY;
  return environment();
}

/**
 * Does the text compile, to one of these types? Models pkg/apis/admissionregistration/validation validateCELCondition.
 */
export function validateExpression(
  text: string | undefined,
  path: Path,
  declared: Declared,
  kinds: readonly Type['kind'][] = [],
): FieldError[] {
  if (!text?.trim()) return [];
  const { program, error } = policyEnvironment(declared).compile(text);
  if (!program) return [invalidValue(path, text, `compilation failed: ${error}`)];
  if (
    kinds.length === 0 ||
    kinds.some((kind) => program.type.kind === kind || (kind === 'list' && program.type.kind === 'any'))
  )
    return [];
  return [
    invalidValue(
      path,
      text,
      `must evaluate to ${kinds.length === 1 ? kinds[0] : `one of [${kinds.map((k) => RESULTS[k] ?? k).join(' ')}]`} but got ${resultText(program.type)}`,
    ),
  ];
}

export const validateConditionExpressions = (
  conditions: readonly MatchCondition[] | undefined,
  path: Path,
  declared: Declared,
): FieldError[] =>
  (conditions ?? []).flatMap((c, i) =>
    validateExpression(c.expression, path.index(i).child('expression'), declared, ['bool']),
  );

/** A variable may use those before it. */
export const validateVariableExpressions = (
  variables: readonly Variable[] | undefined,
  path: Path,
  declared: Declared,
): FieldError[] =>
  (variables ?? []).flatMap((v, i) =>
    validateExpression(v.expression, path.index(i).child('expression'), {
      ...declared,
      variables: soundVariables(variables!.slice(0, i), declared),
    }),
  );

/** The types of variables; those that do not compile are not there for the expressions after them. */
export const soundVariables = (variables: readonly Variable[], declared: Declared): Readonly<Record<string, Type>> =>
  variables.reduce<Readonly<Record<string, Type>>>((known, { name, expression = '' }) => {
    const { program } = policyEnvironment({ ...declared, variables: known }).compile(expression);
    return program ? { ...known, [name]: program.type } : known;
  }, {});
