import { defineKind } from '../../../machinery/kind.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { forbiddenField, Path } from '../../../machinery/meta/field.js';
import { ageColumn, column, nameColumn } from '../../columns.js';
import type { Advance } from './spec.js';
import { validateAdvance } from './validate.js';

export { compileCondition, NOW, pluralsIn, singularsIn } from './condition.js';
export { parseSpan } from './duration.js';
export type * from './spec.js';

export const kind = defineKind<Advance>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'Advance',
  plural: 'advances',
  singular: 'advance',
  scope: 'Cluster',
  definition: '',
  generation: true,
  columns: [
    nameColumn,
    column('Goal', 'string', ({ spec }) => goalOf(spec)),
    column('Phase', 'string', ({ status }) => status.phase),
    column('Progress', 'string', ({ status }) => `${status.progress ?? 0}%`),
    column('Reached', 'string', ({ status }) => status.reached ?? '<none>'),
    ageColumn,
  ],
  defaults(draft) {
    draft.spec = { ...draft.spec };
  },
  prepareForCreate(draft) {
    draft.status = { phase: 'Pending' };
  },
  prepareForUpdate(draft, old) {
    draft.status = old.status;
  },
  validate: validateAdvance,
  validateUpdate: ({ spec }, old) =>
    deepEqual(spec, old.spec) ? [] : [forbiddenField(Path.of('spec'), 'an Advance is not changed, only deleted')],
});

function goalOf({ by, to, until, steps }: Advance['spec']): string {
  if (by !== undefined) return `by ${by}`;
  if (to !== undefined) return `to ${to}`;
  return until === undefined ? `${steps} steps` : `until ${until}`;
}
