import type { LimitedPriorityLevelConfiguration, PriorityLevelConfiguration, PriorityLevelConfigurationSpec, QueuingConfiguration } from '../../../api/flowcontrol_v1.js';
import { forbiddenField, invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { between } from '../../../machinery/validation.js';
import { ageColumn, column, nameColumn, NONE, text } from '../../columns.js';

const NOMINAL_SHARES = 30;
const QUEUING: QueuingConfiguration = { handSize: 8, queueLengthLimit: 50, queues: 64 };
const MAX_QUEUES = 10_000_000;
const queuing = (c: PriorityLevelConfiguration): QueuingConfiguration | undefined => c.spec.limited?.limitResponse?.queuing;

/** Models pkg/registry/flowcontrol/prioritylevelconfiguration. */
export const kind = defineKind<PriorityLevelConfiguration>({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  singular: 'prioritylevelconfiguration',
  scope: 'Cluster',
  definition: 'io.k8s.api.flowcontrol.v1.PriorityLevelConfiguration',
  subresources: { status: true },
  columns: [
    nameColumn,
    text('Type', (c) => c.spec.type),
    column('NominalConcurrencyShares', 'string', (c) => c.spec.limited?.nominalConcurrencyShares ?? NONE),
    column('Queues', 'string', (c) => queuing(c)?.queues ?? NONE),
    column('HandSize', 'string', (c) => queuing(c)?.handSize ?? NONE),
    column('QueueLengthLimit', 'string', (c) => queuing(c)?.queueLengthLimit ?? NONE),
    ageColumn,
  ],
  defaults(draft) {
    const { exempt, limited } = draft.spec;
    if (exempt) draft.spec = { ...draft.spec, exempt: { ...exempt, nominalConcurrencyShares: exempt.nominalConcurrencyShares ?? 0, lendablePercent: exempt.lendablePercent ?? 0 } };
    if (limited) draft.spec = { ...draft.spec, limited: defaultLimited(limited) };
  },
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate(draft, old) {
    draft.status = old.status;
  },
  prepareForStatusUpdate(draft, old) {
    draft.spec = old.spec;
  },
  validate: ({ spec }) => validateSpec(spec, Path.of('spec')),
});

/** Models pkg/apis/flowcontrol/v1/defaults.go. */
function defaultLimited(limited: LimitedPriorityLevelConfiguration): LimitedPriorityLevelConfiguration {
  const response = limited.limitResponse;
  const given = response?.queuing;
  return {
    ...limited,
    nominalConcurrencyShares: limited.nominalConcurrencyShares ?? NOMINAL_SHARES,
    lendablePercent: limited.lendablePercent ?? 0,
    ...(response && given
      ? { limitResponse: { ...response, queuing: { handSize: given.handSize || QUEUING.handSize, queueLengthLimit: given.queueLengthLimit || QUEUING.queueLengthLimit, queues: given.queues || QUEUING.queues } } }
      : {}),
  };
}

/** Models pkg/apis/flowcontrol/validation ValidatePriorityLevelConfigurationSpec. */
function validateSpec(spec: PriorityLevelConfigurationSpec, path: Path): FieldError[] {
  const limited = path.child('limited');
  if (spec.type === 'Exempt') return spec.limited ? [forbiddenField(limited, 'must be nil if the type is not Limited')] : [];
  if (spec.type !== 'Limited') return [notSupported(path.child('type'), spec.type ?? '', ['Exempt', 'Limited'])];
  const errors = spec.exempt ? [forbiddenField(path.child('exempt'), 'must be nil if the type is Limited')] : [];
  return [...errors, ...(spec.limited ? validateLimited(spec.limited, limited) : [required(limited, 'must not be empty when type is Limited')])];
}

function validateLimited(limited: LimitedPriorityLevelConfiguration, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  const { nominalConcurrencyShares: shares = 0, lendablePercent: lendable, borrowingLimitPercent: borrowing } = limited;
  if (shares < 0) errors.push(invalidValue(path.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer'));
  if (lendable !== undefined && (lendable < 0 || lendable > 100)) errors.push(invalidValue(path.child('lendablePercent'), lendable, between(0, 100)));
  if (borrowing !== undefined && borrowing < 0) errors.push(invalidValue(path.child('borrowingLimitPercent'), borrowing, 'if specified, must be greater than or equal to 0'));
  return [...errors, ...validateResponse(limited, path.child('limitResponse'))];
}

function validateResponse({ limitResponse: response }: LimitedPriorityLevelConfiguration, path: Path): FieldError[] {
  const at = path.child('queuing');
  switch (response?.type) {
    case 'Reject': return response.queuing ? [forbiddenField(at, 'must be nil if limited.limitResponse.type is not Limited')] : [];
    case 'Queue': return response.queuing ? validateQueuing(response.queuing, at) : [required(at, 'must not be empty if limited.limitResponse.type is Limited')];
    default: return [notSupported(path.child('type'), response?.type ?? '', ['Queue', 'Reject'])];
  }
}

function validateQueuing({ queues = 0, handSize = 0, queueLengthLimit = 0 }: QueuingConfiguration, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (queueLengthLimit <= 0) errors.push(invalidValue(path.child('queueLengthLimit'), queueLengthLimit, 'must be positive'));
  if (queues <= 0) errors.push(invalidValue(path.child('queues'), queues, 'must be positive'));
  if (queues > MAX_QUEUES) errors.push(invalidValue(path.child('queues'), queues, `must not be greater than ${MAX_QUEUES}`));
  if (handSize <= 0) errors.push(invalidValue(path.child('handSize'), handSize, 'must be positive'));
  if (handSize > queues) errors.push(invalidValue(path.child('handSize'), handSize, `should not be greater than queues (${queues})`));
  return errors;
}
