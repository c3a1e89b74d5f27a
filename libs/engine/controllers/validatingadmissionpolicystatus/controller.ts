import type { ExpressionWarning, ValidatingAdmissionPolicy } from '../../api/admissionregistration_v1.js';
import { ValidatingAdmissionPolicies } from '../../kinds/index.js';
import { typedEnvironment } from '../../kinds/admissionregistration/expressions.js';
import { ANY, type Environment } from '../../machinery/cel/index.js';
import type { Client } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import { defineController } from '../../runtime/controller.js';
import { typeOfKind } from './types.js';

const MAX_KINDS = 10;

/**
 * Says of a policy's expressions what does not fit the types that it matches. Models
 * pkg/controller/validatingadmissionpolicystatus.
 */
export const controller = defineController({
  name: 'validatingadmissionpolicystatus',
  actor: 'system:serviceaccount:kube-system:validatingadmissionpolicy-status-controller',
  for: { kind: ValidatingAdmissionPolicies },
  reconcile({ client }, key) {
    const policy = client.get(ValidatingAdmissionPolicies, key);
    const generation = policy?.metadata.generation;
    if (!policy || generation === undefined || generation <= (policy.status?.observedGeneration ?? 0)) return;
    const expressionWarnings = warningsOf(client, policy);
    client.updateStatus(ValidatingAdmissionPolicies, {
      ...policy,
      status: {
        ...policy.status,
        observedGeneration: generation,
        typeChecking: expressionWarnings.length > 0 ? { expressionWarnings } : {},
      },
    });
  },
});

interface Matched {
  readonly name: string;
  readonly environment: Environment;
}

function warningsOf(client: Client, policy: ValidatingAdmissionPolicy): ExpressionWarning[] {
  const { paramKind, variables, validations = [] } = policy.spec;
  const paramsOf = paramKind && client.kindFor(paramKind.apiVersion ?? '', paramKind.kind ?? '');
  const params = paramKind && ((paramsOf && typeOfKind(paramsOf)) ?? ANY);
  const matched = matchedKinds(client, policy).flatMap((kind): Matched[] => {
    const object = typeOfKind(kind);
    return object
      ? [
          {
            name: `${kind.group}/${kind.version}, Kind=${kind.kind}`,
            environment: typedEnvironment({ object, params }, variables),
          },
        ]
      : [];
  });
  const check = (fieldRef: string, text: string | undefined): ExpressionWarning[] => {
    if (!text) return [];
    const faults = matched.flatMap(({ name, environment }) => {
      const { error } = environment.compile(text);
      return error === undefined ? [] : [`${name}: ${error}\n`];
    });
    return faults.length > 0 ? [{ fieldRef, warning: faults.join('\n') }] : [];
  };
  return validations.flatMap(({ expression, messageExpression }, i) => [
    ...check(`spec.validations[${i}].expression`, expression),
    ...check(`spec.validations[${i}].messageExpression`, messageExpression),
  ]);
}

/**
 * The kinds that a policy names outright, in order; wildcards and subresources name none. Models
 * apiserver/pkg/admission/plugin/policy/validating/typechecking.go.
 */
function matchedKinds(client: Client, { spec }: ValidatingAdmissionPolicy): Kind[] {
  const found = new Map<string, Kind>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of spec.matchConstraints?.resourceRules ?? []) {
    if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) continue;
    const kinds = findKinds(
      client,
      apiGroups,
      apiVersions,
      resources.filter((name) => !/[*/]/.test(name)),
    );
    for (const kind of kinds.slice(0, MAX_KINDS)) found.set(`${kind.group}\0${kind.version}\0${kind.kind}`, kind);
    if (kinds.length >= MAX_KINDS) break;
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);
}

function findKinds(
  client: Client,
  groups: readonly string[],
  versions: readonly string[],
  resources: readonly string[],
): Kind[] {
  const sorted = (names: readonly string[]): string[] => [...names].sort();
  const served = client.allKinds();
  return sorted(groups).flatMap((group) =>
    sorted(versions).flatMap((version) =>
      sorted(resources).flatMap((plural) => {
        const kind = served.find((k) => k.group === group && k.plural === plural);
        return (kind && client.kindFor(group ? `${group}/${version}` : version, kind.kind)) ?? [];
      }),
    ),
  );
}
