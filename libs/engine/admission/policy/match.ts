import type {
  MatchResources,
  NamedRuleWithOperations,
  RuleWithOperations,
} from '../../api/admissionregistration_v1.js';
import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import type { LabelSelector } from '../../api/meta_v1.js';
import type { Kind } from '../../machinery/kind.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import type { AdmissionRequest } from '../../runtime/admission.js';

type Rule = RuleWithOperations & Pick<NamedRuleWithOperations, 'resourceNames'>;

/**
 * Whether policies and webhooks never see the kind: their own configurations, since a mistake in one could not be
 * undone otherwise, and kinds that no client sees. Models apiserver/pkg/admission/plugin/webhook/predicates/rules
 * IsExempt….
 */
export const isExempt = (kind: Kind): boolean =>
  kind.internal === true ||
  (kind.group === 'admissionregistration.k8s.io' && /^(mutating|validating)(admissionpolic|webhook)/.test(kind.plural));

/**
 * Whether a policy or a binding concerns the request; without constraints it does. Models
 * apiserver/pkg/admission/plugin/policy/matching Matcher.Matches.
 */
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

/**
 * The version in which the rules match the request: the request's own, or with the match policy 'Equivalent' any other
 * served version; undefined when no rule matches.
 */
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

/** `text` is what a rule names: 'pods', 'pods/status', with '*' for either part. */
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
