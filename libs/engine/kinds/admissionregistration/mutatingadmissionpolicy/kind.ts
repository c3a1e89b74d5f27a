import type { MutatingAdmissionPolicy, Mutation } from '../../../api/admissionregistration_v1.js';
import { Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { validateEach, validateRequiredEnum } from '../../field-validation.js';
import { ageColumn, column, nameColumn, text } from '../../columns.js';
import { validateExpression, type Declared } from '../expressions.js';
import { paramKindText } from '../matching.js';
import { declaredBy, defaultPolicy, validatePolicy } from '../policies.js';

/** Models pkg/registry/admissionregistration/mutatingadmissionpolicy. */
export const kind = defineKind<MutatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  singular: 'mutatingadmissionpolicy',
  categories: ['api-extensions'],
  scope: 'Cluster',
  needsVersion: true,
  definition: 'io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicy',
  generation: true,
  columns: [
    nameColumn,
    column('Mutations', 'integer', (p) => p.spec.mutations?.length ?? 0),
    text('ParamKind', (p) => paramKindText(p.spec.paramKind)),
    ageColumn,
  ],
  defaults(draft) {
    draft.spec = defaultPolicy(draft.spec);
  },
  validate: ({ spec }) => {
    const path = Path.of('spec');
    const mutations = path.child('mutations');
    return [
      ...validatePolicy(spec, path),
      ...(spec.mutations?.length
        ? validateEach(spec.mutations, mutations, (mutation, at) =>
            validateMutation(mutation, at, declaredBy(spec, true)),
          )
        : [required(mutations, 'mutations must contain at least one item')]),
      ...validateRequiredEnum(path.child('reinvocationPolicy'), spec.reinvocationPolicy, ['IfNeeded', 'Never']),
    ];
  },
});

function validateMutation(mutation: Mutation, path: Path, declared: Declared): FieldError[] {
  const errors = validateRequiredEnum(path.child('patchType'), mutation.patchType, ['ApplyConfiguration', 'JSONPatch']);
  const field = mutation.patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
  const source = mutation[field];
  if (mutation.patchType !== 'JSONPatch' && mutation.patchType !== 'ApplyConfiguration') return errors;
  if (!source)
    return [...errors, required(path.child(field), `must be specified when patchType is ${mutation.patchType}`)];
  if (source.expression?.trim())
    return [
      ...errors,
      ...validateExpression(
        source.expression,
        path.child(field, 'expression'),
        declared,
        field === 'jsonPatch' ? ['list'] : [],
      ),
    ];
  return [...errors, required(path.child(field, 'expression'))];
}
