import type { ResourceClaimTemplate } from '../../../api/resource_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { Path } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { immutable, validateAnnotations, validateLabels } from '../../../machinery/meta/validation.js';
import { ageColumn, nameColumn } from '../../columns.js';
import { asInternal } from '../../internal.js';
import { CLAIM_SPEC, defaultClaim, validateClaim } from '../claims.js';

/** Models pkg/registry/resource/resourceclaimtemplate. */
export const kind = defineKind<ResourceClaimTemplate>({
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  singular: 'resourceclaimtemplate',
  scope: 'Namespaced',
  returnsDeleted: true,
  definition: 'io.k8s.api.resource.v1.ResourceClaimTemplate',
  columns: [nameColumn, ageColumn],
  defaults(draft) {
    if (draft.spec.spec) draft.spec = { ...draft.spec, spec: defaultClaim(draft.spec.spec) };
  },
  validate: ({ spec }) => [
    ...validateLabels(spec.metadata?.labels, Path.of('spec', 'metadata', 'labels')),
    ...validateAnnotations(spec.metadata?.annotations, Path.of('spec', 'metadata', 'annotations')),
    ...validateClaim(spec.spec, Path.of('spec', 'spec')),
  ],
  validateUpdate: (next, old) =>
    immutable(
      Path.of('spec'),
      { ...next.spec.metadata, Spec: asInternal(CLAIM_SPEC, next.spec.spec) },
      deepEqual(next.spec, old.spec),
    ),
});
