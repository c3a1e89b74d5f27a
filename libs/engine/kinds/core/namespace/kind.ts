import type { Namespace } from '../../../api/core_v1.js';
import { ageColumn, column, nameColumn } from '../../../machinery/meta/columns.js';
import { defineKind, type ActionRequest } from '../../../machinery/kind.js';
import { invalidEach, isQualifiedName } from '../../../machinery/meta/validation.js';
import { invalidValue, Path, type FieldError } from '../../../machinery/meta/field.js';

const NAME_LABEL = 'kubernetes.io/metadata.name';
const FINALIZER = 'kubernetes';

/** PUT of namespaces/finalize: only spec.finalizers changes. A deleted namespace is removed with its last finalizer. */
function finalize({ object, body, store }: ActionRequest<Namespace>): Namespace {
  const { finalizers } = (body as Namespace).spec ?? {};
  return store({ ...object, spec: { ...object.spec, finalizers } });
}

function validateFinalizers(namespace: Namespace): FieldError[] {
  const path = Path.of('spec', 'finalizers');
  return (namespace.spec.finalizers ?? []).flatMap((name, i) => {
    const errors = invalidEach(path, name, isQualifiedName(name));
    return !name.includes('/') && name !== FINALIZER
      ? [
          ...errors,
          invalidValue(path.index(i), name, 'name is neither a standard finalizer name nor is it fully qualified'),
        ]
      : errors;
  });
}

export const kind = defineKind<Namespace>({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  singular: 'namespace',
  shortNames: ['ns'],
  scope: 'Cluster',
  returnsDeleted: true,
  definition: 'io.k8s.api.core.v1.Namespace',
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  nameRule: 'label',
  generation: false,
  subresources: { status: true, actions: { finalize: { verbs: ['update'], handle: finalize } } },
  fieldSelectors: { 'status.phase': (n) => n.status.phase ?? '' },
  columns: [
    nameColumn,
    column('Status', 'Active, or Terminating while its content is being deleted.', (n) => n.status.phase ?? ''),
    ageColumn,
  ],
  defaults(draft) {
    const { name, labels } = draft.metadata;
    if (name && labels?.[NAME_LABEL] !== name) draft.metadata.labels = { ...labels, [NAME_LABEL]: name };
    draft.status.phase ??= 'Active';
  },
  prepareForCreate(draft) {
    draft.status = { phase: 'Active' };
    const finalizers = draft.spec.finalizers ?? [];
    draft.spec.finalizers = finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER];
  },
  prepareForUpdate(draft, old) {
    draft.spec = { ...draft.spec, finalizers: old.spec.finalizers };
  },
  prepareForDelete(draft) {
    draft.status = { ...draft.status, phase: 'Terminating' };
  },
  blocksDeletion: (namespace) => (namespace.spec.finalizers?.length ?? 0) > 0,
  validate: validateFinalizers,
  validateStatusUpdate(namespace) {
    const deleted = namespace.metadata.deletionTimestamp !== undefined;
    const path = Path.of('status', 'Phase');
    if (!deleted && namespace.status.phase !== 'Active')
      return [invalidValue(path, namespace.status.phase, "may only be 'Active' if `deletionTimestamp` is empty")];
    if (deleted && namespace.status.phase !== 'Terminating')
      return [
        invalidValue(path, namespace.status.phase, "may only be 'Terminating' if `deletionTimestamp` is not empty"),
      ];
    return [];
  },
});
