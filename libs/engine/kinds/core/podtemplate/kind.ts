import type { PodTemplate } from '../../../api/core_v1.js';
import { column, containerColumns, formatLabels, nameColumn } from '../../../machinery/meta/columns.js';
import { Path } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { defaultPodTemplate, templateWarnings, validatePodTemplate } from '../pod/kind.js';

export const kind = defineKind<PodTemplate>({
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  singular: 'podtemplate',
  scope: 'Namespaced',
  returnsDeleted: true,
  definition: 'io.k8s.api.core.v1.PodTemplate',
  generation: true,
  columns: [
    nameColumn,
    ...containerColumns<PodTemplate>((t) => t.template).map((c) => ({ ...c, priority: 0 })),
    column('Pod Labels', 'Labels of the pods made from it.', (t) => formatLabels(t.template?.metadata?.labels)),
  ],
  defaults(draft) {
    draft.template ??= {};
    defaultPodTemplate(draft.template);
  },
  validate: (object) => validatePodTemplate(object.template, Path.of('template')),
  warnings: (object, old) => templateWarnings(Path.of('template'), object.template, object, old),
});
