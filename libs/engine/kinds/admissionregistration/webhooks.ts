import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ServiceReference,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from '../../api/admissionregistration_v1.js';
import { duplicate, invalidValue, notSupported, Path, required, type FieldError } from '../../machinery/meta/field.js';
import type { Column } from '../../machinery/meta/table.js';
import {
  invalidEach,
  isDNS1035Label,
  isDNS1123Subdomain,
  isPortNumber,
  validateLabelSelector,
} from '../../machinery/meta/validation.js';
import { validateEach, validateOptionalEnum } from '../field-validation.js';
import { ageColumn, column, nameColumn } from '../columns.js';
import { validateConditionExpressions } from './expressions.js';
import { defaultRules, FAILURE_POLICIES, MATCH_POLICIES, validateMatchConditions, validateRule } from './matching.js';

const TIMEOUT_SECONDS = 10;
const MAX_TIMEOUT_SECONDS = 30;
const HTTPS_PORT = 443;
const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const NO_SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const URL_FORM = 'desired format: https://host[/path]';

type Webhook = ValidatingWebhook & Pick<MutatingWebhook, 'reinvocationPolicy'>;
type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

export const webhookColumns: readonly Column<Configuration>[] = [
  nameColumn,
  column('Webhooks', 'integer', (c: Configuration) => c.webhooks?.length ?? 0),
  ageColumn,
];

/** Models pkg/apis/admissionregistration/v1/defaults.go. */
export const defaultWebhook = <T extends Webhook>(hook: T): T => ({
  ...hook,
  clientConfig: defaultClient(hook.clientConfig),
  failurePolicy: hook.failurePolicy ?? 'Fail',
  matchPolicy: hook.matchPolicy ?? 'Equivalent',
  namespaceSelector: hook.namespaceSelector ?? {},
  objectSelector: hook.objectSelector ?? {},
  timeoutSeconds: hook.timeoutSeconds ?? TIMEOUT_SECONDS,
  ...(hook.rules ? { rules: defaultRules(hook.rules) } : {}),
});

const defaultClient = (config: WebhookClientConfig): WebhookClientConfig =>
  config?.service && config.service.port === undefined
    ? { ...config, service: { ...config.service, port: HTTPS_PORT } }
    : config;

/** Models pkg/apis/admissionregistration/validation ValidateValidatingWebhookConfiguration and its mutating twin. */
export function validateWebhooks(hooks: readonly Webhook[] | undefined): FieldError[] {
  const seen = new Set<string>();
  return validateEach(hooks, Path.of('webhooks'), (hook, path) => {
    const errors = [
      ...validateWebhook(hook, path),
      ...validateVersions(hook.admissionReviewVersions ?? [], path.child('admissionReviewVersions')),
    ];
    if (hook.name && seen.has(hook.name)) errors.push(duplicate(path.child('name'), hook.name));
    seen.add(hook.name);
    return errors;
  });
}

function validateWebhook(hook: Webhook, path: Path): FieldError[] {
  const errors = [
    ...validateName(hook.name, path.child('name')),
    ...validateEach(hook.rules, path.child('rules'), validateRule),
    ...validateOptionalEnum(path.child('failurePolicy'), hook.failurePolicy, FAILURE_POLICIES),
    ...validateOptionalEnum(path.child('matchPolicy'), hook.matchPolicy, MATCH_POLICIES),
  ];
  const effects = path.child('sideEffects');
  if (hook.sideEffects === undefined || hook.sideEffects === null)
    errors.push(required(effects, `must specify one of ${NO_SIDE_EFFECTS.join(', ')}`));
  else if (!NO_SIDE_EFFECTS.includes(hook.sideEffects))
    errors.push(notSupported(effects, hook.sideEffects, NO_SIDE_EFFECTS));
  const seconds = hook.timeoutSeconds;
  if (seconds !== undefined && (seconds < 1 || seconds > MAX_TIMEOUT_SECONDS)) {
    errors.push(
      invalidValue(
        path.child('timeoutSeconds'),
        seconds,
        `the timeout value must be between 1 and ${MAX_TIMEOUT_SECONDS} seconds`,
      ),
    );
  }
  return [
    ...errors,
    ...validateLabelSelector(hook.namespaceSelector, path.child('namespaceSelector')),
    ...validateLabelSelector(hook.objectSelector, path.child('objectSelector')),
    ...validateOptionalEnum(path.child('reinvocationPolicy'), hook.reinvocationPolicy, ['IfNeeded', 'Never']),
    ...validateClient(hook.clientConfig, path.child('clientConfig')),
    ...validateMatchConditions(hook.matchConditions, path.child('matchConditions')),
    ...validateConditionExpressions(hook.matchConditions, path.child('matchConditions'), {
      params: false,
      authorizer: true,
    }),
  ];
}

/** Models apimachinery's IsFullyQualifiedName. */
function validateName(name: string | undefined, path: Path): FieldError[] {
  if (!name) return [required(path)];
  const errors = invalidEach(path, name, isDNS1123Subdomain(name));
  if (errors.length) return errors;
  return name.split('.').length < 3
    ? [invalidValue(path, name, 'should be a domain with at least three segments separated by dots')]
    : [];
}

/** Also of CRDs' conversion webhooks. */
export function validateVersions(versions: readonly string[], path: Path): FieldError[] {
  if (!versions.length) return [required(path, `must specify one of ${REVIEW_VERSIONS.join(', ')}`)];
  const seen = new Set<string>();
  const errors = validateEach(versions, path, (version, at) => {
    if (seen.has(version)) return [invalidValue(at, version, 'duplicate version')];
    seen.add(version);
    return invalidEach(at, version, isDNS1035Label(version));
  });
  if (!versions.some((v) => REVIEW_VERSIONS.includes(v)))
    errors.push(invalidValue(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
  return errors;
}

/** Also of CRDs' conversion webhooks. */
export function validateClient(config: WebhookClientConfig | undefined, path: Path): FieldError[] {
  const { url, service } = config ?? {};
  if ((url === undefined) === (service === undefined))
    return [required(path, 'exactly one of url or service is required')];
  return service ? validateService(service, path.child('service')) : validateURL(url!, path.child('url'));
}

function validateURL(url: string, path: Path): FieldError[] {
  const parts = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#[^]*)?/.exec(url);
  const [, scheme, authority = '', , query, fragment] = parts ?? [];
  const bad = (value: string, why: string): FieldError => invalidValue(path, value, `${why}; ${URL_FORM}`);
  const errors: FieldError[] = [];
  if (scheme !== 'https') errors.push(bad(scheme ?? '', "'https' is the only allowed URL scheme"));
  if (!authority) errors.push(bad('', 'host must be specified'));
  if (authority.includes('@'))
    errors.push(bad(authority.slice(0, authority.indexOf('@')), 'user information is not permitted in the URL'));
  if (fragment) errors.push(bad(fragment.slice(1), 'fragments are not permitted in the URL'));
  if (query) errors.push(bad(query.slice(1), 'query parameters are not permitted in the URL'));
  return errors;
}

function validateService(service: ServiceReference, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  // Upstream has the two the wrong way round.
  if (!service.namespace) errors.push(required(path.child('name')));
  if (!service.name) errors.push(required(path.child('namespace')));
  const port = service.port ?? HTTPS_PORT;
  errors.push(
    ...invalidEach(
      path.child('port'),
      port,
      isPortNumber(port).map((m) => `port is not valid: ${m}`),
    ),
  );
  const urlPath = service.path;
  const at = path.child('path');
  if (!urlPath || urlPath === '/') return errors;
  if (!urlPath.startsWith('/')) errors.push(invalidValue(at, urlPath, "must start with a '/'"));
  const steps = urlPath.slice(1).replace(/\/$/, '').split('/');
  const bad = steps.flatMap((step, i) =>
    step
      ? isDNS1123Subdomain(step).map((m) => invalidValue(at, urlPath, `segment[${i}]: ${m}`))
      : [invalidValue(at, urlPath, `segment[${i}] may not be empty`)],
  );
  return [...errors, ...bad];
}
