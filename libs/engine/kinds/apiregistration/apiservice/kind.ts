import type { APIService, APIServiceCondition } from '../../../api/apiregistration_v1.js';
import { invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { timestamp } from '../../../machinery/time/time.js';
import { invalidEach, isDNS1035Label, isDNS1123Subdomain, isPortNumber } from '../../../machinery/meta/validation.js';
import { validateEach } from '../../field-validation.js';
import { ageColumn, nameColumn, text } from '../../columns.js';
import { trimRight } from '../../../machinery/text/strings.js';

const HTTPS_PORT = 443;
const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;
const STATUSES = ['True', 'False', 'Unknown'];

/** Models kube-aggregator/pkg/registry/apiservice. */
export const kind = defineKind<APIService>({
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  singular: 'apiservice',
  categories: ['api-extensions'],
  scope: 'Cluster',
  needsVersion: true,
  definition: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService',
  nameRule: 'pathSegment',
  subresources: { status: true },
  generation: false,
  columns: [
    nameColumn,
    text('Service', ({ spec: { service } }) => (service ? `${service.namespace}/${service.name}` : 'Local')),
    text('Available', availableText),
    ageColumn,
  ],
  defaults(draft) {
    const { service } = draft.spec;
    if (service && service.port === undefined)
      draft.spec = { ...draft.spec, service: { ...service, port: HTTPS_PORT } };
  },
  prepareForCreate(draft, { now }) {
    draft.status = draft.spec.service ? {} : { conditions: [localCondition(timestamp(now))] };
  },
  prepareForUpdate(draft, old) {
    draft.status = old.status;
  },
  prepareForStatusUpdate(draft, old) {
    draft.spec = old.spec;
  },
  validate: (service) => [...validateName(service), ...validateSpec(service.spec, Path.of('spec'))],
  validateStatusUpdate: ({ status }) =>
    validateEach(status.conditions, Path.of('status', 'conditions'), (c, path) =>
      STATUSES.includes(c.status) ? [] : [notSupported(path.child('status'), c.status ?? '', STATUSES)],
    ),
});

const localCondition = (at: string): APIServiceCondition => ({
  type: 'Available',
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
  lastTransitionTime: at,
});

function availableText({ status }: APIService): string {
  const condition = status.conditions?.find((c) => c.type === 'Available');
  if (!condition) return 'Unknown';
  return condition.status === 'True' ? 'True' : `${condition.status} (${condition.reason ?? ''})`;
}

function validateName({ metadata: { name }, spec }: APIService): FieldError[] {
  const wanted = `${spec.version ?? ''}.${spec.group ?? ''}`;
  return name === wanted
    ? []
    : [invalidValue(Path.of('metadata', 'name'), name, `must be \`spec.version+"."+spec.group\`: "${wanted}"`)];
}

/** Models kube-aggregator/pkg/apis/apiregistration/validation ValidateAPIService. */
function validateSpec(spec: APIService['spec'], path: Path): FieldError[] {
  const { group = '', version = '', groupPriorityMinimum: groupPriority = 0, versionPriority = 0, service } = spec;
  const errors: FieldError[] = [];
  if (!group && version !== 'v1')
    errors.push(required(path.child('group'), 'only v1 may have an empty group and it better be legacy kube'));
  if (group) errors.push(...invalidEach(path.child('group'), group, isDNS1123Subdomain(group)));
  errors.push(...invalidEach(path.child('version'), version, isDNS1035Label(version)));
  if (groupPriority <= 0 || groupPriority > MAX_GROUP_PRIORITY) {
    errors.push(
      invalidValue(
        path.child('groupPriorityMinimum'),
        groupPriority,
        `must be positive and less than ${MAX_GROUP_PRIORITY}`,
      ),
    );
  }
  if (versionPriority <= 0 || versionPriority > MAX_VERSION_PRIORITY) {
    errors.push(
      invalidValue(
        path.child('versionPriority'),
        versionPriority,
        `must be positive and less than ${MAX_VERSION_PRIORITY}`,
      ),
    );
  }
  const insecure = path.child('insecureSkipTLSVerify');
  if (!service) {
    if (spec.caBundle)
      errors.push(
        invalidValue(
          path.child('caBundle'),
          `${bytesOf(spec.caBundle)} bytes`,
          'local APIServices may not have a caBundle',
        ),
      );
    if (spec.insecureSkipTLSVerify)
      errors.push(invalidValue(insecure, true, 'local APIServices may not have insecureSkipTLSVerify'));
    return errors;
  }
  if (!service.namespace) errors.push(required(path.child('service', 'namespace')));
  if (!service.name) errors.push(required(path.child('service', 'name')));
  const port = service.port ?? HTTPS_PORT;
  errors.push(
    ...invalidEach(
      path.child('service', 'port'),
      port,
      isPortNumber(port).map((m) => `port is not valid: ${m}`),
    ),
  );
  if (spec.insecureSkipTLSVerify && spec.caBundle)
    errors.push(invalidValue(insecure, true, 'may not be true if caBundle is present'));
  return errors;
}

const bytesOf = (base64: string): number => Math.floor((trimRight(base64, '=').length * 3) / 4);
