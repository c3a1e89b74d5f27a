import type { ControllerRevision } from '../../../api/apps_v1.js';
import { ageColumn, column, count, nameColumn, NONE } from '../../../machinery/meta/columns.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { Path, required } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { controllerOf, splitApiVersion } from '../../../machinery/meta/object.js';
import { immutable, notNegative } from '../../../machinery/meta/validation.js';

/** 'daemonset.apps/web'. */
function controllerCell(revision: ControllerRevision): string {
  const owner = controllerOf(revision);
  if (!owner) return NONE;
  const [group] = splitApiVersion(owner.apiVersion);
  return `${owner.kind.toLowerCase()}${group ? `.${group}` : ''}/${owner.name}`;
}

export const kind = defineKind<ControllerRevision>({
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  singular: 'controllerrevision',
  scope: 'Namespaced',
  definition: 'io.k8s.api.apps.v1.ControllerRevision',
  columns: [
    nameColumn,
    column('Controller', 'Object whose template it keeps.', controllerCell),
    count('Revision', 'Its place in the history.', (r) => r.revision),
    ageColumn,
  ],
  defaults(draft) {
    draft.revision ??= 0;
  },
  validate: (object) => [
    ...(object.data === undefined ? [required(Path.of('data'), 'data is mandatory')] : []),
    ...notNegative(Path.of('revision'), object.revision),
  ],
  validateUpdate: (next, old) => immutable(Path.of('data'), next.data, deepEqual(next.data, old.data)),
});
