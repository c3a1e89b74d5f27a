import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
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
import { defineKind } from '../../../machinery/kind.js';
import { between } from '../../../machinery/meta/validation.js';
import { asInternal, pointer, type Struct } from '../../internal.js';
import { validateConditionTypes } from '../conditions.js';
import { ageColumn, column, nameColumn, NONE, text } from '../../columns.js';

const NOMINAL_SHARES = 30;
const QUEUING: QueuingConfiguration = { handSize: 8, queueLengthLimit: 50, queues: 64 };
const MAX_QUEUES = 10_000_000;
const MAX_ENTROPY_BITS = 60;
const queuing = (c: PriorityLevelConfiguration): QueuingConfiguration | undefined =>
  c.spec.limited?.limitResponse?.queuing;

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
    if (exempt)
      draft.spec = {
        ...draft.spec,
        exempt: {
          ...exempt,
          nominalConcurrencyShares: exempt.nominalConcurrencyShares ?? 0,
          lendablePercent: exempt.lendablePercent ?? 0,
        },
      };
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
  statusKeeps: ['annotations', 'finalizers', 'labels', 'ownerReferences'],
  validate: ({ metadata, spec }) => [
    ...validateName(metadata.name ?? '', spec, Path.of('spec')),
    ...validateSpec(spec, Path.of('spec')),
    ...validateMandatory(metadata.name ?? '', spec, Path.of('spec')),
  ],
  validateStatusUpdate: ({ status }) => validateConditionTypes(status.conditions, Path.of('status', 'conditions')),
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
      ? {
          limitResponse: {
            ...response,
            queuing: {
              handSize: given.handSize || QUEUING.handSize,
              queueLengthLimit: given.queueLengthLimit || QUEUING.queueLengthLimit,
              queues: given.queues || QUEUING.queues,
            },
          },
        }
      : {}),
  };
}

/** Models pkg/apis/flowcontrol/validation ValidatePriorityLevelConfigurationSpec. */
function validateSpec(spec: PriorityLevelConfigurationSpec, path: Path): FieldError[] {
  const limited = path.child('limited');
  if (spec.type === 'Exempt')
    return [
      ...(spec.limited ? [forbiddenField(limited, 'must be nil if the type is not Limited')] : []),
      ...validateShares(spec.exempt ?? {}, path.child('exempt')),
    ];
  if (spec.type !== 'Limited') return [notSupported(path.child('type'), spec.type ?? '', ['Exempt', 'Limited'])];
  const errors = spec.exempt ? [forbiddenField(path.child('exempt'), 'must be nil if the type is Limited')] : [];
  return [
    ...errors,
    ...(spec.limited
      ? validateLimited(spec.limited, limited)
      : [required(limited, 'must not be empty when type is Limited')]),
  ];
}

function validateShares(
  { nominalConcurrencyShares: shares, lendablePercent: lendable }: ExemptPriorityLevelConfiguration,
  path: Path,
): FieldError[] {
  const errors: FieldError[] = [];
  if (shares !== undefined && shares < 0)
    errors.push(invalidValue(path.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer'));
  if (lendable !== undefined && (lendable < 0 || lendable > 100))
    errors.push(invalidValue(path.child('lendablePercent'), lendable, between(0, 100)));
  return errors;
}

const validateName = (name: string, spec: PriorityLevelConfigurationSpec, path: Path): FieldError[] =>
  (name === 'exempt') === (spec.type === 'Exempt')
    ? []
    : [invalidValue(path.child('type'), spec.type ?? '', "must be 'Exempt' if and only if `name` is 'exempt'")];

/** The server's own levels are as they are. Models pkg/apis/flowcontrol/internalbootstrap. */
function validateMandatory(name: string, spec: PriorityLevelConfigurationSpec, path: Path): FieldError[] {
  if (name === 'exempt' && (spec.type !== 'Exempt' || spec.limited))
    return [
      invalidValue(
        path,
        asInternal(SPEC, spec),
        "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value",
      ),
    ];
  if (name === 'catch-all' && !deepEqual(spec, CATCH_ALL))
    return [invalidValue(path, asInternal(SPEC, spec), "spec of 'catch-all' must equal the fixed value")];
  return [];
}
const CATCH_ALL: PriorityLevelConfigurationSpec = {
  type: 'Limited',
  limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
};
const SPEC: Struct = {
  Type: '',
  Limited: pointer({
    NominalConcurrencyShares: 0,
    LimitResponse: { Type: '', Queuing: pointer({ Queues: 0, HandSize: 0, QueueLengthLimit: 0 }) },
    LendablePercent: null,
    BorrowingLimitPercent: null,
  }),
  Exempt: pointer({ NominalConcurrencyShares: null, LendablePercent: null }),
};

function validateLimited(limited: LimitedPriorityLevelConfiguration, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  const borrowing = limited.borrowingLimitPercent;
  const [shares, lendable] = [
    validateShares({ nominalConcurrencyShares: limited.nominalConcurrencyShares }, path),
    validateShares({ lendablePercent: limited.lendablePercent }, path),
  ];
  if (borrowing !== undefined && borrowing < 0)
    errors.push(
      invalidValue(path.child('borrowingLimitPercent'), borrowing, 'if specified, must be a non-negative integer'),
    );
  return [...shares, ...validateResponse(limited, path.child('limitResponse')), ...lendable, ...errors];
}

function validateResponse({ limitResponse: response }: LimitedPriorityLevelConfiguration, path: Path): FieldError[] {
  const at = path.child('queuing');
  switch (response?.type) {
    case 'Reject':
      return response.queuing ? [forbiddenField(at, 'must be nil if limited.limitResponse.type is not Limited')] : [];
    case 'Queue':
      return response.queuing
        ? validateQueuing(response.queuing, at)
        : [required(at, 'must not be empty if limited.limitResponse.type is Limited')];
    default:
      return [notSupported(path.child('type'), response?.type ?? '', ['Queue', 'Reject'])];
  }
}

function validateQueuing(
  { queues = 0, handSize = 0, queueLengthLimit = 0 }: QueuingConfiguration,
  path: Path,
): FieldError[] {
  const errors: FieldError[] = [];
  if (queueLengthLimit <= 0)
    errors.push(invalidValue(path.child('queueLengthLimit'), queueLengthLimit, 'must be positive'));
  if (queues <= 0) errors.push(invalidValue(path.child('queues'), queues, 'must be positive'));
  if (queues > MAX_QUEUES)
    errors.push(invalidValue(path.child('queues'), queues, `must not be greater than ${MAX_QUEUES}`));
  if (handSize <= 0) errors.push(invalidValue(path.child('handSize'), handSize, 'must be positive'));
  const bits = entropyBits(queues, handSize);
  if (handSize > 0 && handSize <= queues && bits > MAX_ENTROPY_BITS) {
    errors.push(
      invalidValue(
        path.child('handSize'),
        handSize,
        `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_ENTROPY_BITS}`,
      ),
    );
  }
  if (handSize > queues)
    errors.push(invalidValue(path.child('handSize'), handSize, `should not be greater than queues (${queues})`));
  return errors;
}

/**
 * Bits that dealing a hand takes, as far as they are within bounds. Models apiserver/pkg/util/shufflesharding
 * RequiredEntropyBits.
 */
function entropyBits(deck: number, hand: number): number {
  let bits = 0;
  for (let i = 0; i < hand && i < deck && bits <= MAX_ENTROPY_BITS; i++) bits += Math.log2(deck - i);
  return Math.ceil(bits);
}
