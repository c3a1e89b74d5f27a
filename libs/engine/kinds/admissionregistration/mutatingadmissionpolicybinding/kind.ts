import type { MutatingAdmissionPolicyBinding } from '../../../api/admissionregistration_v1.js';
import { Path } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { isDNS1123Subdomain } from '../../../machinery/meta/validation.js';
import { validateRequiredText } from '../../field-validation.js';
import { ageColumn, nameColumn, text } from '../../columns.js';
import { defaultMatch, paramRefText, validateMatch, validateParamRef } from '../matching.js';

/** Models pkg/registry/admissionregistration/mutatingadmissionpolicybinding. */
export const kind = defineKind<MutatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  singular: 'mutatingadmissionpolicybinding',
  categories: ['api-extensions'],
  scope: 'Cluster',
  needsVersion: true,
  definition: 'io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyBinding',
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
  ],
});
