import type {
  ExpressionWarning,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from '../../../api/admissionregistration_v1.js';
import { invalidValue, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { invalidEach, isQualifiedName } from '../../../machinery/meta/validation.js';
import { validateEach, validateOptionalEnum } from '../../field-validation.js';
import { validateConditions } from '../../conditions.js';
import { ageColumn, column, nameColumn, text } from '../../columns.js';
import { validateExpression } from '../expressions.js';
import { paramKindText } from '../matching.js';
import { declaredBy, defaultPolicy, validatePolicy } from '../policies.js';

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

/** Models pkg/registry/admissionregistration/validatingadmissionpolicy. */
export const kind = defineKind<ValidatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  singular: 'validatingadmissionpolicy',
  categories: ['api-extensions'],
  scope: 'Cluster',
  needsVersion: true,
  definition: 'io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicy',
  subresources: { status: true },
  columns: [
    nameColumn,
    column('Validations', 'integer', (p) => p.spec.validations?.length ?? 0),
    text('ParamKind', (p) => paramKindText(p.spec.paramKind)),
    ageColumn,
  ],
  defaults(draft) {
    draft.spec = defaultPolicy(draft.spec);
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
    ...validatePolicy(spec, Path.of('spec')),
    ...validateChecks(spec, metadata.name ?? '', Path.of('spec')),
  ],
  validateStatusUpdate: ({ status }) => [
    ...validateEach(
      status.typeChecking?.expressionWarnings,
      Path.of('status', 'typeChecking', 'expressionWarnings'),
      validateWarning,
    ),
    ...validateConditions(status.conditions, Path.of('status', 'conditions')),
  ],
});

const validateWarning = ({ warning, fieldRef }: ExpressionWarning, path: Path): FieldError[] => [
  ...(warning ? [] : [required(path.child('warning'))]),
  ...(fieldRef ? [] : [required(path.child('fieldRef'))]),
];

function validateChecks(spec: ValidatingAdmissionPolicySpec, name: string, path: Path): FieldError[] {
  const declared = declaredBy(spec);
  const ofMessages = { ...declared, authorizer: false };
  if (!spec.validations?.length && !spec.auditAnnotations?.length) {
    const why = 'validations or auditAnnotations must contain at least one item';
    return [required(path.child('validations'), why), required(path.child('auditAnnotations'), why)];
  }
  return [
    ...validateEach(spec.validations, path.child('validations'), (v, at) => [
      ...(v.expression?.trim() ? [] : [required(at.child('expression'), 'expression is not specified')]),
      ...validateExpression(v.expression, at.child('expression'), declared, ['bool']),
      ...validateMessage(v, at),
      ...validateExpression(v.messageExpression, at.child('messageExpression'), ofMessages, ['string']),
      ...validateOptionalEnum(at.child('reason'), v.reason, REASONS),
    ]),
    ...validateEach(spec.auditAnnotations, path.child('auditAnnotations'), (a, at) => [
      ...invalidEach(at.child('key'), `${name}/${a.key}`, isQualifiedName(`${name}/${a.key}`)),
      ...(a.valueExpression?.trim() ? [] : [required(at.child('valueExpression'), 'valueExpression is not specified')]),
      ...validateExpression(a.valueExpression, at.child('valueExpression'), declared, ['string', 'null']),
    ]),
  ];
}

function validateMessage({ message }: Validation, path: Path): FieldError[] {
  const at = path.child('message');
  if (message !== undefined && message !== '' && !message.trim())
    return [invalidValue(at, message, 'message must be non-empty if specified')];
  if (message?.trim().includes('\n')) return [invalidValue(at, message, 'message must not contain line breaks')];
  return [];
}
