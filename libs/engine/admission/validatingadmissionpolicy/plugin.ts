import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  Validation,
} from '../../api/admissionregistration_v1.js';
import { kind as Policies } from '../../kinds/admissionregistration/validatingadmissionpolicy/kind.js';
import { kind as Bindings } from '../../kinds/admissionregistration/validatingadmissionpolicybinding/kind.js';
import { ApiError } from '../../machinery/meta/status.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { isExempt, matchesResources } from '../policy/match.js';
import { collectParams, ConfigurationError } from '../policy/params.js';
import { ExpressionError, PolicyEvaluation } from '../policy/evaluation.js';
import { refuseNamed } from '../refuse.js';
import { own } from '../../machinery/meta/object.js';

const MAX_MESSAGE = 5 * 1024;
const CODES: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

/** A validation that failed. */
interface Denial {
  readonly message: string;
  readonly reason: string;
}

/**
 * Evaluates the validations of all policies, and denies the request if a binding with the action Deny has one that
 * failed. Models apiserver/pkg/admission/plugin/policy/validating. Left out: audit annotations, since there is no audit
 * log.
 */
export const plugin: AdmissionPlugin = {
  name: 'ValidatingAdmissionPolicy',
  handlesBodies: true,
  validate(request) {
    const policies = request.client.list(Policies);
    if (policies.length === 0 || isExempt(request.kind)) return;
    const bindings = request.client.list(Bindings);
    const denied: { text: string; reason: string }[] = [];
    for (const policy of policies) {
      const own = bindings.filter((b) => b.spec.policyName === policy.metadata.name);
      if (own.length === 0 || !matchesResources(policy.spec.matchConstraints, request)) continue;
      for (const binding of own)
        if (matchesResources(binding.spec.matchResources, request))
          denied.push(...applyActions(policy, binding, request));
    }
    if (denied.length > 0) throw denialError(request, denied[0]!.text, denied[0]!.reason);
  },
};

/** Adds the warnings of a binding with the action Warn, and returns the denials of one with the action Deny. */
function applyActions(
  policy: ValidatingAdmissionPolicy,
  binding: ValidatingAdmissionPolicyBinding,
  request: AdmissionRequest,
): { text: string; reason: string }[] {
  const names = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`;
  const denials = collectDenials(policy, binding, request);
  const actions = binding.spec.validationActions ?? [];
  if (actions.includes('Warn'))
    for (const { message } of denials.judged) request.warn(`Validation failed for ${names}: ${message}`);
  const denied = actions.includes('Deny') ? [...denials.unusable, ...denials.judged] : denials.unusable;
  return denied.map(({ message, reason }) => ({ text: `${names} denied request: ${message}`, reason }));
}

/** `unusable` are errors of the binding's configuration: they deny the request whatever its actions are. */
function collectDenials(
  policy: ValidatingAdmissionPolicy,
  binding: ValidatingAdmissionPolicyBinding,
  request: AdmissionRequest,
): { unusable: Denial[]; judged: Denial[] } {
  const { spec } = policy;
  const strict = spec.failurePolicy !== 'Ignore';
  try {
    return {
      unusable: [],
      judged: collectParams(spec.paramKind, binding.spec.paramRef, request).flatMap((params) =>
        evaluate(policy, new PolicyEvaluation(request, spec, params), strict),
      ),
    };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return {
      unusable: strict ? [{ message: `failed to configure binding: ${error.message}`, reason: 'Invalid' }] : [],
      judged: [],
    };
  }
}

function evaluate({ spec }: ValidatingAdmissionPolicy, run: PolicyEvaluation, strict: boolean): Denial[] {
  const failing = (check: () => Denial[]): Denial[] => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return strict ? [{ message: error.message, reason: 'Invalid' }] : [];
    }
  };
  return failing(() => {
    if (!run.matchesConditions()) return [];
    return (spec.validations ?? []).flatMap((validation) =>
      failing(() =>
        run.evaluate(validation.expression) === true
          ? []
          : [{ message: denialMessage(validation, run), reason: validation.reason ?? 'Invalid' }],
      ),
    );
  });
}

function denialMessage({ expression, message, messageExpression }: Validation, run: PolicyEvaluation): string {
  return evaluateMessage(messageExpression, run) || message?.trim() || `failed expression: ${expression.trim()}`;
}

/** The value of a messageExpression; '' when it fails, spans lines or is too long, so that the message is used. */
function evaluateMessage(expression: string | undefined, run: PolicyEvaluation): string {
  if (!expression) return '';
  try {
    const value = run.evaluate(expression);
    const text = typeof value === 'string' ? value.trim() : '';
    return text.length > MAX_MESSAGE || text.includes('\n') ? '' : text;
  } catch (error) {
    if (error instanceof ExpressionError) return '';
    throw error;
  }
}

function denialError(request: AdmissionRequest, text: string, reason: string): ApiError {
  const { message, details } = refuseNamed(request, text);
  return new ApiError(own(CODES, reason) ?? 422, reason, message, { ...details, causes: [{ message: text }] });
}
