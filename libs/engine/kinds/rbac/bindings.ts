import type { ClusterRoleBinding, RoleBinding, RoleRef, Subject } from '../../api/rbac_v1.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { invalidValue, notSupported, Path, required, type FieldError } from '../../machinery/meta/field.js';
import type { Column } from '../../machinery/meta/table.js';
import { invalidEach, isDNS1123Subdomain, isPathSegmentName } from '../../machinery/meta/validation.js';
import { validateEach, validateRequiredText } from '../field-validation.js';
import { ageColumn, nameColumn, text, wide } from '../columns.js';
import { asInternal, type Struct } from '../internal.js';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';
type Binding = RoleBinding | ClusterRoleBinding;

const namesOf = (binding: Binding, kind: string, name: (subject: Subject) => string): string =>
  (binding.subjects ?? [])
    .filter((s) => s.kind === kind)
    .map(name)
    .join(', ');

export const bindingColumns: readonly Column<Binding>[] = [
  nameColumn,
  text('Role', (b: Binding) => `${b.roleRef.kind}/${b.roleRef.name}`),
  ageColumn,
  wide('Users', (b: Binding) => namesOf(b, 'User', (s) => s.name)),
  wide('Groups', (b: Binding) => namesOf(b, 'Group', (s) => s.name)),
  wide('ServiceAccounts', (b: Binding) => namesOf(b, 'ServiceAccount', (s) => `${s.namespace ?? ''}/${s.name}`)),
];

/** Models pkg/apis/rbac/v1 SetDefaults_RoleBinding. */
export function defaultBinding(draft: Binding): void {
  if (draft.roleRef && !draft.roleRef.apiGroup) draft.roleRef = { ...draft.roleRef, apiGroup: RBAC_GROUP };
  if (draft.subjects?.some((s) => lacksGroup(s))) {
    draft.subjects = draft.subjects.map((s) => (lacksGroup(s) ? { ...s, apiGroup: RBAC_GROUP } : s));
  }
}
const lacksGroup = (s: Subject): boolean => !s.apiGroup && (s.kind === 'User' || s.kind === 'Group');

/** Models pkg/apis/rbac/validation ValidateRoleBinding; `roleKinds` are what it may refer to. */
export const validateBinding = (binding: Binding, roleKinds: readonly string[], namespaced: boolean): FieldError[] => [
  ...validateRoleRef(binding.roleRef, roleKinds),
  ...validateEach(binding.subjects, Path.of('subjects'), (s, path) => validateSubject(s, namespaced, path)),
];

function validateRoleRef(ref: RoleRef | undefined, roleKinds: readonly string[]): FieldError[] {
  const path = Path.of('roleRef');
  const errors: FieldError[] = [];
  if (ref?.apiGroup !== RBAC_GROUP)
    errors.push(notSupported(path.child('apiGroup'), ref?.apiGroup ?? '', [RBAC_GROUP]));
  if (!roleKinds.includes(ref?.kind ?? '')) errors.push(notSupported(path.child('kind'), ref?.kind ?? '', roleKinds));
  return [...errors, ...validateRequiredText(path.child('name'), ref?.name, isPathSegmentName)];
}

function validateSubject(subject: Subject, namespaced: boolean, path: Path): FieldError[] {
  const errors: FieldError[] = subject.name ? [] : [required(path.child('name'))];
  const group = subject.apiGroup ?? '';
  switch (subject.kind) {
    case 'ServiceAccount':
      if (subject.name) errors.push(...invalidEach(path.child('name'), subject.name, isDNS1123Subdomain(subject.name)));
      if (group) errors.push(notSupported(path.child('apiGroup'), group, ['']));
      if (!namespaced && !subject.namespace) errors.push(required(path.child('namespace')));
      return errors;
    case 'User':
    case 'Group':
      if (group !== RBAC_GROUP) errors.push(notSupported(path.child('apiGroup'), group, [RBAC_GROUP]));
      return errors;
    default:
      return [...errors, notSupported(path.child('kind'), subject.kind ?? '', ['ServiceAccount', 'User', 'Group'])];
  }
}

const ROLE_REF: Struct = { APIGroup: '', Kind: '', Name: '' };

export function validateBindingUpdate({ roleRef }: Binding, old: Binding): FieldError[] {
  if (deepEqual(roleRef, old.roleRef)) return [];
  return [invalidValue(Path.of('roleRef'), asInternal(ROLE_REF, roleRef), 'cannot change roleRef')];
}
