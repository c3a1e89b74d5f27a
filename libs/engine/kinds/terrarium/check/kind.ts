import { defineKind, type Kind } from '../../../machinery/kind.js';
import { forbiddenField, Path } from '../../../machinery/meta/field.js';
import { ageColumn, column, nameColumn } from '../../columns.js';
import { pointsOf, scoreText } from './parts.js';
import type { Check } from './spec.js';
import { validateCheck } from './validate.js';

export { CHANGE, newCompiler, NOW, PARTS, REQUEST, type Compiler, type Expression } from './expression.js';
export type { CheckFunctions } from './functions.js';
export { everyOf, momentOf, partName, partsOf, pointsOf, roundPoints, sharesOf, wordOf, type Word } from './parts.js';
export type * from './spec.js';

/** Of one cluster. */
export const MAX_CHECKS = 200;

export const kind: Kind<Check> = defineKind<Check>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'Check',
  plural: 'checks',
  singular: 'check',
  scope: 'Cluster',
  definition: '',
  generation: true,
  columns: [
    nameColumn,
    column('Phase', 'string', ({ status }) => status.phase ?? 'Pending'),
    column('Score', 'string', ({ status }: Check) => scoreText(status)),
    column('Message', 'string', ({ status }) => status.message ?? ''),
    ageColumn,
  ],
  defaults(draft) {
    draft.spec = { ...draft.spec };
  },
  prepareForCreate(draft) {
    draft.status = { phase: 'Pending', score: 0, points: pointsOf(draft.spec) };
  },
  prepareForUpdate(draft, old) {
    draft.status = old.status;
  },
  validate: validateCheck,
  validateNew: (_check, { read }) =>
    read.list(kind).length < MAX_CHECKS
      ? []
      : [forbiddenField(Path.of('metadata', 'name'), `a cluster has at most ${MAX_CHECKS} checks`)],
});
