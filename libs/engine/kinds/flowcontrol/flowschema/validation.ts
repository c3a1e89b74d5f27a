import type {
  FlowSchema,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../../../api/flowcontrol_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { invalidEach, isDNS1123Label, isDNS1123Subdomain } from '../../../machinery/meta/validation.js';
import { validateEach } from '../../field-validation.js';
import { asInternal, pointer, type Struct } from '../../internal.js';

const MAX_PRECEDENCE = 10_000;
const DISTINGUISHERS = ['ByNamespace', 'ByUser'];
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
const SUBJECTS = { Group: 'group', ServiceAccount: 'serviceAccount', User: 'user' } as const;

/** Models pkg/apis/flowcontrol/validation ValidateFlowSchemaSpec. */
export function validateFlowSchema({ metadata, spec }: FlowSchema): FieldError[] {
  const path = Path.of('spec');
  const precedence = spec.matchingPrecedence ?? 0;
  const at = path.child('matchingPrecedence');
  const errors: FieldError[] = [];
  if (precedence <= 0) errors.push(invalidValue(at, precedence, 'must be a positive value'));
  if (precedence > MAX_PRECEDENCE)
    errors.push(invalidValue(at, precedence, `must not be greater than ${MAX_PRECEDENCE}`));
  if (precedence === 1 && metadata.name !== 'exempt')
    errors.push(invalidValue(at, precedence, "only the schema named 'exempt' may have matchingPrecedence 1"));
  const method = spec.distinguisherMethod;
  if (method && !DISTINGUISHERS.includes(method.type))
    errors.push(notSupported(path.child('distinguisherMethod', 'type'), asInternal(METHOD, method), DISTINGUISHERS));
  const level = spec.priorityLevelConfiguration?.name;
  const levelPath = path.child('priorityLevelConfiguration', 'name');
  if (level) errors.push(...invalidEach(levelPath, level, isDNS1123Subdomain(level)));
  else errors.push(required(levelPath, 'must reference a priority level'));
  return [
    ...errors,
    ...validateEach(spec.rules, path.child('rules'), validateRules),
    ...validateMandatory(metadata.name ?? '', spec, path),
  ];
}

function validateRules(rule: PolicyRulesWithSubjects, path: Path): FieldError[] {
  const subjects = path.child('subjects');
  const errors = rule.subjects?.length
    ? validateEach(rule.subjects, subjects, validateSubject)
    : [required(subjects, 'subjects must contain at least one value')];
  if (!rule.resourceRules?.length && !rule.nonResourceRules?.length) {
    errors.push(required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
  }
  return [
    ...errors,
    ...validateEach(rule.resourceRules, path.child('resourceRules'), validateResourceRule),
    ...validateEach(rule.nonResourceRules, path.child('nonResourceRules'), validateNonResourceRule),
  ];
}

function validateSubject(subject: Subject, path: Path): FieldError[] {
  if (!(subject.kind in SUBJECTS)) return [notSupported(path.child('kind'), subject.kind, Object.keys(SUBJECTS))];
  const wanted = SUBJECTS[subject.kind as keyof typeof SUBJECTS];
  const at = path.child(wanted);
  const given = subject[wanted];
  const errors: FieldError[] = [];
  if (!given) errors.push(required(at, `${wanted} is required when subject kind is '${subject.kind}'`));
  else if (!given.name) errors.push(required(at.child('name')));
  else if (wanted === 'serviceAccount' && given.name !== '*')
    errors.push(...invalidEach(at.child('name'), given.name, isDNS1123Subdomain(given.name)));
  const namespace = subject.serviceAccount?.namespace;
  if (wanted === 'serviceAccount' && given) {
    if (namespace) errors.push(...invalidEach(at.child('namespace'), namespace, isDNS1123Label(namespace)));
    else errors.push(required(at.child('namespace'), 'must specify namespace for service account'));
  }
  for (const [kind, field] of Object.entries(SUBJECTS)) {
    if (field !== wanted && subject[field])
      errors.push(forbiddenField(path.child(field), `${field} is forbidden when subject kind is not '${kind}'`));
  }
  return errors;
}

/** The list has something in it, and '*' only alone. */
function validateList(path: Path, values: readonly string[] | undefined, empty: string, others: string): FieldError[] {
  if (!values?.length) return [required(path, empty)];
  return values.length > 1 && values.includes('*')
    ? [invalidValue(path, values, `if '*' is present, must not specify other ${others}`)]
    : [];
}

function validateVerbs(verbs: readonly string[] | undefined, path: Path): FieldError[] {
  const errors = validateList(path, verbs, 'verbs must contain at least one value', 'verbs');
  const known = verbs?.every((v) => v === '*' || VERBS.includes(v)) ?? true;
  return errors.length || known ? errors : [notSupported(path, verbs, VERBS)];
}

function validateResourceRule(rule: ResourcePolicyRule, path: Path): FieldError[] {
  const namespaces = path.child('namespaces');
  const errors = [
    ...validateVerbs(rule.verbs, path.child('verbs')),
    ...validateList(
      path.child('apiGroups'),
      rule.apiGroups,
      'resource rules must supply at least one api group',
      'api groups',
    ),
    ...validateList(
      path.child('resources'),
      rule.resources,
      'resource rules must supply at least one resource',
      'resources',
    ),
  ];
  if (!rule.namespaces?.length) {
    return rule.clusterScope
      ? errors
      : [
          ...errors,
          required(namespaces, 'resource rules that are not cluster scoped must supply at least one namespace'),
        ];
  }
  if (rule.namespaces.includes('*')) return [...errors, ...validateList(namespaces, rule.namespaces, '', 'namespaces')];
  const intro = "each member of this list must be '*' or a DNS-1123 label; ";
  return [
    ...errors,
    ...validateEach(rule.namespaces, namespaces, (ns, at) =>
      invalidEach(
        at,
        ns,
        isDNS1123Label(ns).map((m) => intro + m),
      ),
    ),
  ];
}

function validateNonResourceRule({ verbs, nonResourceURLs: urls }: NonResourcePolicyRule, path: Path): FieldError[] {
  const at = path.child('nonResourceURLs');
  const errors = [
    ...validateVerbs(verbs, path.child('verbs')),
    ...validateList(at, urls, 'nonResourceURLs must contain at least one value', 'non-resource URLs'),
  ];
  return urls?.includes('*')
    ? errors
    : [...errors, ...validateEach(urls, at, (url, i) => invalidEach(i, url, badURL(url)))];
}

function badURL(url: string): string[] {
  if (url === '') return ['must not be empty'];
  if (!url.startsWith('/')) return ['must start with slash'];
  if (url.includes(' ')) return ['must not contain white-space'];
  if (url.includes('//')) return ['must not contain double slash'];
  return url.includes('*') && !/^[^*]*\/\*$/.test(url) ? ['wildcard can only do suffix matching'] : [];
}

/** The server's own schemas are as they are. Models pkg/apis/flowcontrol/internalbootstrap. */
function validateMandatory(name: string, spec: FlowSchemaSpec, path: Path): FieldError[] {
  const fixed = Object.hasOwn(MANDATORY, name) ? MANDATORY[name] : undefined;
  return !fixed || deepEqual(fixed, spec)
    ? []
    : [invalidValue(path, asInternal(SPEC, spec), `spec of '${name}' must equal the fixed value`)];
}

const groups = (...names: string[]): Subject[] => names.map((name) => ({ kind: 'Group', group: { name } }));
const everything = (...names: string[]): PolicyRulesWithSubjects[] => [
  {
    subjects: groups(...names),
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  },
];
const MANDATORY: Readonly<Record<string, FlowSchemaSpec>> = {
  exempt: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: 1,
    rules: everything('system:masters'),
  },
  'catch-all': {
    priorityLevelConfiguration: { name: 'catch-all' },
    matchingPrecedence: MAX_PRECEDENCE,
    distinguisherMethod: { type: 'ByUser' },
    rules: everything('system:unauthenticated', 'system:authenticated'),
  },
};

const METHOD: Struct = { Type: '' };
const SUBJECT: Struct = {
  Kind: '',
  User: pointer({ Name: '' }),
  Group: pointer({ Name: '' }),
  ServiceAccount: pointer({ Namespace: '', Name: '' }),
};
const RULES: Struct = {
  Subjects: [SUBJECT],
  ResourceRules: [{ Verbs: null, APIGroups: null, Resources: null, ClusterScope: false, Namespaces: null }],
  NonResourceRules: [{ Verbs: null, NonResourceURLs: null }],
};
const SPEC: Struct = {
  PriorityLevelConfiguration: { Name: '' },
  MatchingPrecedence: 0,
  DistinguisherMethod: pointer(METHOD),
  Rules: [RULES],
};
