import type { AuditPolicy, AuditRule } from '../../../kinds/terrarium/noderuntime/api-server-configuration.js';
import { invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { isDNS1123Subdomain } from '../../../machinery/meta/validation.js';
import { aggregate, decodeConfig, findTypeError, type Read } from './config-file.js';

const SCHEME = {
  kind: 'Policy',
  versions: ['audit.k8s.io/v1'],
  source: 'k8s.io/apiserver/pkg/audit/scheme.go:30',
};
const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'];
const POLICY_FIELDS = { rules: '[]v1.PolicyRule', omitStages: '[]string', omitManagedFields: 'bool' };
const RULE_FIELDS = {
  level: 'string',
  users: '[]string',
  userGroups: '[]string',
  verbs: '[]string',
  resources: '[]v1.GroupResources',
  namespaces: '[]string',
  nonResourceURLs: '[]string',
  omitStages: '[]string',
  omitManagedFields: 'bool',
};
const RESOURCE_FIELDS = { group: 'string', resources: '[]string', resourceNames: '[]string' };
/** Rules that are looked at. */
const MAX_RULES = 1_000;

/**
 * The policy in a file's text, or why the API server does not take it. Fields that it does not know are left out, as
 * upstream's lenient decoder does. Models apiserver/pkg/audit/policy/reader.go LoadPolicyFromBytes and
 * apis/audit/validation.
 */
export function parseAuditPolicy(text: string): Read<AuditPolicy> {
  const decoded = decodeConfig(text, SCHEME);
  if (decoded.failure !== undefined) return { failure: `failed decoding: ${decoded.failure}` };
  const policy = decoded.value as unknown as AuditPolicy & Record<string, unknown>;
  const wrongType = findWrongType(policy);
  if (wrongType !== undefined) return { failure: `failed decoding: ${wrongType}` };
  const rules = (policy.rules ?? []).slice(0, MAX_RULES);
  const errors = rules.flatMap((rule, i) => validateRule(rule, Path.of('rules').index(i)));
  if (errors.length > 0) return { failure: aggregate(errors.map(({ message }) => message)) };
  if (rules.length === 0) return { failure: 'loaded illegal policy with 0 rules' };
  const { omitStages, omitManagedFields } = policy;
  return {
    value: {
      rules: rules.map((rule) => pick(rule, RULE_FIELDS)),
      ...(omitStages?.length ? { omitStages } : {}),
      ...(omitManagedFields ? { omitManagedFields } : {}),
    },
  };
}

function findWrongType(policy: AuditPolicy & Record<string, unknown>): string | undefined {
  const own = findTypeError('Policy', policy, POLICY_FIELDS);
  if (own !== undefined) return own;
  for (const rule of policy.rules ?? []) {
    const wrong =
      findTypeError('PolicyRule.rules', rule as unknown as Record<string, unknown>, RULE_FIELDS) ??
      rule.resources
        ?.map((one) => findTypeError('GroupResources.rules.resources', one, RESOURCE_FIELDS))
        .find((error) => error !== undefined);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const pick = (rule: AuditRule, fields: Readonly<Record<string, string>>): AuditRule =>
  Object.fromEntries(
    Object.entries(rule).filter(
      ([name, value]) => Object.hasOwn(fields, name) && value !== null && value !== undefined,
    ),
  ) as unknown as AuditRule;

function validateRule(
  { level, nonResourceURLs = [], resources = [], namespaces = [] }: AuditRule,
  at: Path,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!level) errors.push(required(at.child('level')));
  else if (!LEVELS.includes(level)) errors.push(notSupported(at.child('level'), level, LEVELS));
  errors.push(...validateUrls(nonResourceURLs, at.child('nonResourceURLs')));
  for (const { group } of resources) {
    const messages = group ? isDNS1123Subdomain(group) : [];
    if (messages.length > 0) errors.push(invalidValue(at.child('resources', 'group'), group, messages.join(',')));
  }
  if (nonResourceURLs.length > 0 && resources.length + namespaces.length > 0)
    errors.push(
      invalidValue(
        at.child('nonResourceURLs'),
        nonResourceURLs,
        'rules cannot apply to both regular resources and non-resource URLs',
      ),
    );
  return errors;
}

function validateUrls(urls: readonly string[], at: Path): FieldError[] {
  return urls.flatMap((url, i) => {
    if (url === '*') return [];
    const errors: FieldError[] = [];
    if (!url.startsWith('/'))
      errors.push(invalidValue(at.index(i), url, "non-resource URL rules must begin with a '/' character"));
    if (url.slice(0, -1).includes('*'))
      errors.push(
        invalidValue(at.index(i), url, "non-resource URL wildcards '*' must be the final character of the rule"),
      );
    return errors;
  });
}
