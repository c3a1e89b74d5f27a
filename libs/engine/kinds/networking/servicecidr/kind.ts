import type { ServiceCIDR } from '../../../api/networking_v1.js';
import { invalidValue, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { IMMUTABLE, invalidEach, isCIDR } from '../../../machinery/meta/validation.js';
import { validateEach, validateImmutableField } from '../../field-validation.js';
import { ageColumn, nameColumn, text } from '../../columns.js';
import { hasHostBits, parsePrefix } from '../../../machinery/net/netip.js';

const MAX_CIDRS = 2;
const CIDRS = Path.of('spec', 'cidrs');

/** Models pkg/registry/networking/servicecidr. */
export const kind = defineKind<ServiceCIDR>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  singular: 'servicecidr',
  scope: 'Cluster',
  definition: 'io.k8s.api.networking.v1.ServiceCIDR',
  subresources: { status: true },
  generation: false,
  columns: [nameColumn, text('CIDRs', (c) => (c.spec.cidrs ?? []).join(',')), ageColumn],
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
  validate: ({ metadata, spec }) => (metadata.resourceVersion ? [] : validateCIDRs(spec.cidrs ?? [], CIDRS)),
  validateUpdate: (next, old) => validateChange(next.spec.cidrs ?? [], old.spec.cidrs ?? []),
});

/** A second family may be added; nothing else changes. */
function validateChange(next: readonly string[], old: readonly string[]): FieldError[] {
  const kept = old.flatMap((cidr, i) => validateImmutableField(CIDRS.index(i), next[i], cidr));
  if (next.length === old.length) return kept;
  if (old.length === 1 && next.length === MAX_CIDRS) return [...kept, ...validateCIDRs(next, CIDRS)];
  return [invalidValue(CIDRS, next, IMMUTABLE)];
}

function validateCIDRs(cidrs: readonly string[], path: Path): FieldError[] {
  if (!cidrs.length) return [required(path, 'at least one CIDR required')];
  if (cidrs.length > MAX_CIDRS)
    return [invalidValue(path, { CIDRs: cidrs }, `may only hold up to ${MAX_CIDRS} values`)];
  const errors = validateEach(cidrs, path, validateCIDR);
  if (errors.length || cidrs.length < MAX_CIDRS) return errors;
  const [first, second] = cidrs.map((cidr) => parsePrefix(cidr)!.address.kind());
  return first === second
    ? [
        invalidValue(
          path,
          cidrs,
          'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
        ),
      ]
    : [];
}

function validateCIDR(cidr: string, path: Path): FieldError[] {
  const errors = invalidEach(path, cidr, isCIDR(cidr));
  if (errors.length) return errors;
  return hasHostBits(parsePrefix(cidr)!)
    ? [invalidValue(path, cidr, 'must not have bits set beyond the prefix length')]
    : [];
}
