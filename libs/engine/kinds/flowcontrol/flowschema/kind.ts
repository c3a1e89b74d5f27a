import type { FlowSchema } from '../../../api/flowcontrol_v1.js';
import { Path } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { ageColumn, column, nameColumn, NONE, text } from '../../columns.js';
import { validateConditionTypes } from '../conditions.js';
import { validateFlowSchema } from './validation.js';

const DEFAULT_PRECEDENCE = 1000;

/** Models pkg/registry/flowcontrol/flowschema. */
export const kind = defineKind<FlowSchema>({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'FlowSchema',
  plural: 'flowschemas',
  singular: 'flowschema',
  scope: 'Cluster',
  definition: 'io.k8s.api.flowcontrol.v1.FlowSchema',
  subresources: { status: true },
  columns: [
    nameColumn,
    text('PriorityLevel', (f) => f.spec.priorityLevelConfiguration?.name ?? NONE),
    column('MatchingPrecedence', 'string', (f) => f.spec.matchingPrecedence ?? 0),
    text('DistinguisherMethod', (f) => f.spec.distinguisherMethod?.type ?? NONE),
    ageColumn,
    text('MissingPL', (f) => f.status.conditions?.find((c) => c.type === 'Dangling')?.status ?? '?'),
  ],
  defaults(draft) {
    if (!draft.spec.matchingPrecedence) draft.spec = { ...draft.spec, matchingPrecedence: DEFAULT_PRECEDENCE };
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
  validate: validateFlowSchema,
  validateStatusUpdate: ({ status }) => validateConditionTypes(status.conditions, Path.of('status', 'conditions')),
});
