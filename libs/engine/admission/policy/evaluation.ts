import type { MatchCondition, Variable } from '../../api/admissionregistration_v1.js';
import { authorize } from '../../auth/authorization/authorizer.js';
import { policyEnvironment, type Declared } from '../../kinds/admissionregistration/expressions.js';
import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import {
  ANY,
  authorizer,
  COST_BUDGET,
  type Decide,
  EvaluationError,
  resourceCheck,
  type Type,
  type Value,
} from '../../machinery/cel/index.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { AdmissionRequest } from '../../runtime/admission.js';

/** The parts of a policy or webhook that its expressions depend on. */
export interface PolicyParts {
  readonly variables?: readonly Variable[];
  readonly matchConditions?: readonly MatchCondition[];
  readonly paramKind?: unknown;
}

/** Variables are typed dynamically: their types are known when they are computed. */
const declaredVariables = (variables: readonly Variable[]): Readonly<Record<string, Type>> =>
  Object.fromEntries(variables.map((v) => [v.name, ANY]));

/** An expression that could not be evaluated: "expression 'x' resulted in error: y". */
export class ExpressionError extends Error {}

/**
 * Evaluates the expressions of one policy with one parameter object on one request, within the CEL cost budget. Models
 * apiserver/pkg/admission/plugin/cel.
 */
export class PolicyEvaluation {
  private readonly values = new Map<string, Value | EvaluationError>();
  private readonly declared: Declared;
  private budget = COST_BUDGET;

  constructor(
    private readonly request: AdmissionRequest,
    private readonly parts: PolicyParts,
    private readonly params: KubeObject | null,
    private object: KubeObject | undefined = request.object,
  ) {
    this.declared = {
      params: parts.paramKind !== undefined,
      authorizer: true,
      variables: declaredVariables(parts.variables ?? []),
      mutates: true,
    };
  }

  /**
   * Whether all match conditions hold. One that does not hold decides, whatever the others do; otherwise the errors of
   * those that cannot be evaluated are thrown as one ExpressionError.
   */
  matchesConditions(): boolean {
    const failures: string[] = [];
    for (const { expression } of this.parts.matchConditions ?? []) {
      try {
        if (this.evaluate(expression, { ...this.declared, variables: undefined }) !== true) return false;
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        failures.push(error.message);
      }
    }
    const messages = [...new Set(failures)];
    if (messages.length > 0)
      throw new ExpressionError(messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`);
    return true;
  }

  /** The value of an expression. Throws ExpressionError. */
  evaluate(text: string, declared: Declared = this.declared): Value {
    try {
      return this.run(text, declared);
    } catch (error) {
      if (error instanceof EvaluationError)
        throw new ExpressionError(`expression '${text}' resulted in error: ${error.message}`);
      throw error;
    }
  }

  /** Evaluates from here on with the object as a mutation has left it. */
  replaceObject(object: KubeObject): void {
    this.object = object;
    this.values.clear();
  }

  private run(text: string, declared: Declared): Value {
    const { program, error } = policyEnvironment(declared).compile(text);
    if (!program) throw new EvaluationError(`compilation failed: ${error}`);
    const { value, cost } = program.run((name) => this.lookup(name));
    this.budget -= cost;
    if (this.budget < 0)
      throw new EvaluationError(
        'validation failed due to running out of cost budget, no further validation rules will be run',
      );
    return value;
  }

  private lookup(name: string): Value | undefined {
    const known = this.values.get(name);
    if (known instanceof EvaluationError) throw known;
    if (known !== undefined) return known;
    const value = this.find(name);
    if (value !== undefined) this.values.set(name, value);
    return value;
  }

  private find(name: string): Value | undefined {
    const { request } = this;
    switch (name) {
      case 'object':
        return this.object ?? null;
      case 'oldObject':
        return request.old ?? null;
      case 'request':
        return describeRequest(request);
      case 'params':
        return this.params;
      case 'namespaceObject':
        return request.namespace && request.kind !== Namespaces
          ? (request.client.get(Namespaces, { namespace: '', name: request.namespace }) ?? null)
          : null;
      case 'authorizer':
        return authorizer(createDecider(request));
      case 'authorizer.requestResource':
        return resourceCheck(createDecider(request), {
          group: request.kind.group,
          resource: request.kind.plural,
          subresource: request.subresource,
          namespace: request.namespace,
          name: request.name,
        });
      case 'variables':
        return this.variables();
      default:
        return undefined;
    }
  }

  /** The object 'variables': each variable is computed on first use, and sees the variables before it. */
  private variables(): object {
    const { variables = [] } = this.parts;
    const values = {};
    variables.forEach(({ name, expression }, i) => {
      const declared = { ...this.declared, variables: declaredVariables(variables.slice(0, i)) };
      Object.defineProperty(values, name, { enumerable: true, get: () => this.variable(name, expression, declared) });
    });
    return values;
  }

  private variable(name: string, expression: string, declared: Declared): Value {
    const key = `variables.${name}`;
    let value = this.values.get(key);
    if (value === undefined) {
      try {
        value = this.run(expression, declared);
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
        value = new EvaluationError(`composited variable "${name}" fails to evaluate: ${error.message}`);
      }
      this.values.set(key, value);
    }
    if (value instanceof EvaluationError) throw value;
    return value;
  }
}

const createDecider =
  ({ user, client }: AdmissionRequest): Decide =>
  ({ path, serviceAccount, ...attributes }, verb) => {
    const subject = serviceAccount
      ? {
          name: serviceAccount,
          groups: [
            'system:serviceaccounts',
            `system:serviceaccounts:${serviceAccount.split(':')[2]}`,
            'system:authenticated',
          ],
        }
      : user;
    const { allowed, reason = '' } = authorize(subject, { ...attributes, verb, ...(path ? { path } : {}) }, client);
    return { allowed, reason };
  };

/** The variable 'request'. Models apiserver/pkg/admission/plugin/cel CreateAdmissionRequest. */
function describeRequest({
  kind,
  bodyType,
  subresource,
  name,
  namespace,
  operation,
  user,
  dryRun,
}: AdmissionRequest): object {
  const { group, version, kind: type } = bodyType ?? kind;
  const gvk = { group, version, kind: type };
  const gvr = { group: kind.group, version: kind.version, resource: kind.plural };
  // Upstream's request info gives a Namespace its own name as its namespace.
  const requestNamespace = kind === Namespaces ? name : namespace;
  const sub = subresource ? { subResource: subresource, requestSubResource: subresource } : {};
  return {
    kind: gvk,
    resource: gvr,
    requestKind: gvk,
    requestResource: gvr,
    ...sub,
    name,
    ...(requestNamespace ? { namespace: requestNamespace } : {}),
    operation,
    dryRun,
    userInfo: {
      username: user.name,
      ...(user.uid ? { uid: user.uid } : {}),
      groups: user.groups,
      ...(user.extra ? { extra: user.extra } : {}),
    },
    options: {
      apiVersion: 'meta.k8s.io/v1',
      kind: { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions', CONNECT: 'PodExecOptions' }[
        operation
      ],
    },
  };
}
