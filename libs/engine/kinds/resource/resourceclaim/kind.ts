import type { ResourceClaim } from '../../../api/resource_v1.js';
import { Path } from '../../../machinery/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { unchanged } from '../../checks.js';
import { ageColumn, nameColumn, text } from '../../columns.js';
import { defaultClaim, validateClaim } from '../claims.js';

/** Models pkg/registry/resource/resourceclaim. */
export const kind = defineKind<ResourceClaim>({
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  singular: 'resourceclaim',
  scope: 'Namespaced',
  definition: 'io.k8s.api.resource.v1.ResourceClaim',
  subresources: { status: true },
  generation: false,
  columns: [nameColumn, text('State', stateText), ageColumn],
  defaults(draft) {
    draft.spec = defaultClaim(draft.spec);
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
  validate: ({ spec }) => validateClaim(spec, Path.of('spec')),
  validateUpdate: (next, old) => unchanged(Path.of('spec'), next.spec, old.spec),
});

/** 'pending', 'allocated,reserved', 'deleted,allocated'. Models printers' resourceClaimState. */
function stateText({ metadata, status }: ResourceClaim): string {
  const states = metadata.deletionTimestamp ? ['deleted'] : [];
  if (!status.allocation) return [...states, ...(states.length ? [] : ['pending'])].join(',');
  return [...states, 'allocated', ...(status.reservedFor?.length ? ['reserved'] : [])].join(',');
}
