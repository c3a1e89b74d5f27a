import type { ValidatingAdmissionPolicyBinding } from '../../../api/admissionregistration_v1.js';
import {
  duplicate,
  invalidValue,
  notSupported,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { isDNS1123Subdomain } from '../../../machinery/meta/validation.js';
import { validateEach, validateRequiredText } from '../../field-validation.js';
import { ageColumn, nameColumn, text } from '../../columns.js';
import { defaultMatch, paramRefText, validateMatch, validateParamRef } from '../matching.js';

const ACTIONS = ['Audit', 'Deny', 'Warn'];

/** Models pkg/registry/admissionregistration/validatingadmissionpolicybinding. */
export const kind = defineKind<ValidatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  singular: 'validatingadmissionpolicybinding',
  categories: ['api-extensions'],
  scope: 'Cluster',
  needsVersion: true,
  definition: 'io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBinding',
  generation: true,
  columns: [
    nameColumn,
    text('PolicyName', (b) => b.spec.policyName ?? ''),
    text('ParamRef', (b) => paramRefText(b.spec.paramRef)),
    ageColumn,
  ],
  defaults(draft) {
    const { matchResources } = draft.spec;
    if (matchResources) draft.spec = { ...draft.spec, matchResources: defaultMatch(matchResources) };
  },
  validate: ({ spec }) => [
    ...validateRequiredText(Path.of('spec', 'policyName'), spec.policyName, isDNS1123Subdomain),
    ...(spec.paramRef ? validateParamRef(spec.paramRef, Path.of('spec', 'paramRef')) : []),
    ...(spec.matchResources ? validateMatch(spec.matchResources, Path.of('spec', 'matchResources')) : []),
    ...validateActions(spec.validationActions ?? [], Path.of('spec', 'validationActions')),
  ],
});

function validateActions(actions: readonly string[], path: Path): FieldError[] {
  if (!actions.length) return [required(path, 'at least one validation action is required')];
  const seen = new Set<string>();
  const errors = validateEach(actions, path, (action, at) => {
    const repeated = seen.has(action) ? [duplicate(at, action)] : [];
    seen.add(action);
    return ACTIONS.includes(action) ? repeated : [notSupported(at, action, ACTIONS)];
  });
  return seen.has('Deny') && seen.has('Warn')
    ? [
        ...errors,
        invalidValue(
          path,
          actions,
          'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
        ),
      ]
    : errors;
}
