import type { PriorityClass } from '../../../api/scheduling_v1.js';
import { forbiddenField, Path, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { validateRequiredEnum, validateImmutableField } from '../../field-validation.js';
import { ageColumn, column, nameColumn, text } from '../../columns.js';
import { own } from '../../../machinery/meta/object.js';

const SYSTEM_PREFIX = 'system-';
const HIGHEST_USER_PRIORITY = 1_000_000_000;
/** What the API server itself makes. */
export const SYSTEM_CLASSES: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

/** Models pkg/registry/scheduling/priorityclass. */
export const kind = defineKind<PriorityClass>({
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  singular: 'priorityclass',
  shortNames: ['pc'],
  scope: 'Cluster',
  definition: 'io.k8s.api.scheduling.v1.PriorityClass',
  generation: false,
  columns: [
    nameColumn,
    column('Value', 'integer', (c) => c.value ?? 0),
    column('Global-Default', 'boolean', (c) => c.globalDefault ?? false),
    ageColumn,
    text('PreemptionPolicy', (c) => c.preemptionPolicy ?? ''),
  ],
  defaults(draft) {
    draft.preemptionPolicy ??= 'PreemptLowerPriority';
    draft.value ??= 0;
  },
  prepareForCreate(draft) {
    draft.metadata.generation = 1;
  },
  validate: validatePriority,
  validateUpdate: (next, old) => [
    ...(next.value === old.value ? [] : [forbiddenField(Path.of('value'), 'may not be changed in an update.')]),
    ...validateImmutableField(Path.of('preemptionPolicy'), next.preemptionPolicy, old.preemptionPolicy),
  ],
});

/** Models pkg/apis/scheduling/validation ValidatePriorityClass, which is not asked again on updates. */
function validatePriority(priority: PriorityClass): FieldError[] {
  if (priority.metadata.resourceVersion) return [];
  return [
    ...validateValue(priority),
    ...validateRequiredEnum(Path.of('preemptionPolicy'), priority.preemptionPolicy, ['PreemptLowerPriority', 'Never']),
  ];
}

function validateValue({ metadata: { name = '' }, value = 0, globalDefault = false }: PriorityClass): FieldError[] {
  if (!name.startsWith(SYSTEM_PREFIX)) {
    return value > HIGHEST_USER_PRIORITY
      ? [
          forbiddenField(
            Path.of('value'),
            `maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}`,
          ),
        ]
      : [];
  }
  const why = notSystemClass(name, value, globalDefault);
  return why
    ? [
        forbiddenField(
          Path.of('metadata', 'name'),
          `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${why}`,
        ),
      ]
    : [];
}

function notSystemClass(name: string, value: number, globalDefault: boolean): string | undefined {
  const known = own(SYSTEM_CLASSES, name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (known !== value) return `value of ${name} PriorityClass must be ${known}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
