import type { ResourceClaim } from '../../../api/resource_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { Path } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { immutable } from '../../../machinery/meta/validation.js';
import { ageColumn, nameColumn, text } from '../../columns.js';
import { asInternal } from '../../internal.js';
import { validateClaimStatus } from '../claim-status.js';
import { CLAIM_SPEC, defaultClaim, validateClaim } from '../claims.js';

/** Models pkg/registry/resource/resourceclaim. */
export const kind = defineKind<ResourceClaim>({
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  singular: 'resourceclaim',
  scope: 'Namespaced',
  returnsDeleted: true,
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
  validateNew: ({ spec }) => validateClaim(spec, Path.of('spec')),
  statusKeeps: ['annotations', 'finalizers', 'labels', 'ownerReferences'],
  validateStatusUpdate: validateClaimStatus,
  validateUpdate: (next, old) =>
    immutable(Path.of('spec'), asInternal(CLAIM_SPEC, next.spec), deepEqual(next.spec, old.spec)),
});

/** 'pending', 'allocated,reserved', 'deleted,allocated'. Models printers' resourceClaimState. */
function stateText({ metadata, status }: ResourceClaim): string {
  const states = metadata.deletionTimestamp ? ['deleted'] : [];
  if (!status.allocation) return [...states, ...(states.length ? [] : ['pending'])].join(',');
  return [...states, 'allocated', ...(status.reservedFor?.length ? ['reserved'] : [])].join(',');
}
