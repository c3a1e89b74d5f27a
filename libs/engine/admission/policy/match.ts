import type {
  MatchResources,
  NamedRuleWithOperations,
  ParamKind,
  ParamRef,
  RuleWithOperations,
} from '../../api/admissionregistration_v1.js';
import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import type { LabelSelector } from '../../api/meta_v1.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import type { AdmissionRequest } from '../../runtime/admission.js';

type Rule = RuleWithOperations & Pick<NamedRuleWithOperations, 'resourceNames'>;

/** Policies and webhooks are not subject to themselves, or a mistake in one could not be undone. */
export const isExempt = (kind: Kind): boolean =>
  kind.internal === true ||
  (kind.group === 'admissionregistration.k8s.io' && /^(mutating|validating)(admissionpolic|webhook)/.test(kind.plural));

/** Models apiserver/pkg/admission/plugin/policy/matching. An absent match takes everything. */
export function matchesResources(match: MatchResources | undefined, request: AdmissionRequest): boolean {
  if (!match) return true;
  if (
    !matchesNamespaceSelector(match.namespaceSelector, request) ||
    !matchesObjectSelector(match.objectSelector, request)
  )
    return false;
  if (matchVersion(match.excludeResourceRules ?? [], match.matchPolicy, request)) return false;
  return !match.resourceRules?.length || matchVersion(match.resourceRules, match.matchPolicy, request) !== undefined;
}

/** The version in which the rules take a request: its own, or by the policy 'Equivalent' any other that is served. */
export function matchVersion(
  rules: readonly Rule[],
  policy: string | undefined,
  request: AdmissionRequest,
): Kind | undefined {
  const { requestKind } = request;
  if (rules.some((rule) => matchesRule(rule, request, requestKind))) return requestKind;
  if (policy === 'Exact' || !rules.some((rule) => rule.operations?.some((o) => o === '*' || o === request.operation)))
    return undefined;
  const others = request.versions.filter((kind) => kind !== requestKind);
  for (const rule of rules) for (const kind of others) if (matchesRule(rule, request, kind)) return kind;
  return undefined;
}

function matchesRule(rule: Rule, { operation, subresource, name }: AdmissionRequest, kind: Kind): boolean {
  const has = (list: readonly string[] | undefined, value: string): boolean =>
    list?.some((item) => item === '*' || item === value) ?? false;
  if (!has(rule.operations, operation) || !has(rule.apiGroups, kind.group)) return false;
  if (!has(rule.apiVersions, kind.version)) return false;
  if (rule.resourceNames?.length && !rule.resourceNames.includes(name)) return false;
  const namespaced = kind.scope === 'Namespaced';
  if (rule.scope === 'Cluster' ? namespaced : rule.scope === 'Namespaced' && !namespaced) return false;
  return rule.resources?.some((resource) => matchesResourceName(resource, kind.plural, subresource)) ?? false;
}

/** A rule names 'pods', 'pods/status', or either part as a star. */
function matchesResourceName(text: string, plural: string, subresource: string): boolean {
  const [resource, sub = ''] = text.split('/');
  return (resource === '*' || resource === plural) && (sub === subresource || sub === '*');
}

const matchesEverything = (selector: LabelSelector | undefined): boolean =>
  !selector || (!selector.matchExpressions?.length && Object.keys(selector.matchLabels ?? {}).length === 0);

export function matchesNamespaceSelector(selector: LabelSelector | undefined, request: AdmissionRequest): boolean {
  if (matchesEverything(selector)) return true;
  if (request.kind === Namespaces)
    return matchesLabelSelector(selector, (request.object ?? request.old)?.metadata.labels);
  if (!request.namespace) return true;
  return matchesLabelSelector(
    selector,
    request.client.get(Namespaces, { namespace: '', name: request.namespace })?.metadata.labels,
  );
}

export const matchesObjectSelector = (
  selector: LabelSelector | undefined,
  { object, old }: AdmissionRequest,
): boolean =>
  matchesEverything(selector) || [object, old].some((o) => o && matchesLabelSelector(selector, o.metadata.labels));

/**
 * The objects that a binding's parameters are, or null for a policy without. Throws Misconfigured. Models
 * generic.CollectParams.
 */
export function collectParams(
  paramKind: ParamKind | undefined,
  ref: ParamRef | undefined,
  request: AdmissionRequest,
): readonly (KubeObject | null)[] {
  if (!paramKind || !ref) return [null];
  const kind = request.client.kindFor(paramKind.apiVersion ?? '', paramKind.kind ?? '');
  if (!kind)
    throw new ConfigurationError(
      `failed to find resource referenced by paramKind: '${paramKind.apiVersion}, Kind=${paramKind.kind}'`,
    );
  const namespace = paramsNamespace(kind, ref, request);
  const found = ref.name
    ? [request.client.get(kind, { namespace, name: ref.name })].filter((o) => o !== undefined)
    : request.client
        .list(kind, kind.scope === 'Namespaced' ? namespace : undefined)
        .filter((o) => matchesLabelSelector(ref.selector, o.metadata.labels));
  if (found.length === 0 && ref.parameterNotFoundAction === 'Deny')
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return found.map((o) => kind.storedAs?.fromStorage(o) ?? o);
}

function paramsNamespace(kind: Kind, ref: ParamRef, request: AdmissionRequest): string {
  if (kind.scope === 'Cluster') {
    if (ref.namespace)
      throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
    return '';
  }
  const namespace = ref.namespace || request.namespace;
  if (!namespace)
    throw new ConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  return namespace;
}

/** A policy or binding that cannot be followed; its failurePolicy says what then. */
export class ConfigurationError extends Error {}
