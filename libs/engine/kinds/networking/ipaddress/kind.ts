import type { IPAddress } from '../../../api/networking_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { invalidValue, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { immutable, isDNS1123Subdomain, isIP, isPathSegmentName } from '../../../machinery/meta/validation.js';
import { validateOptionalText, validateRequiredText } from '../../field-validation.js';
import { nameColumn, NONE, text } from '../../columns.js';
import { asInternal, type Struct } from '../../internal.js';
import { parseAddress } from '../../../machinery/net/netip.js';

const PARENT: Struct = { Group: '', Resource: '', Namespace: '', Name: '' };

/** Of the addresses that belong to Services: the API server makes and removes them. */
export const MANAGED_BY = 'ipaddress.kubernetes.io/managed-by';
export const FAMILY = 'ipaddress.kubernetes.io/ip-family';
export const ALLOCATOR = 'ipallocator.k8s.io';

export const isAllocated = ({ metadata }: IPAddress): boolean => metadata.labels?.[MANAGED_BY] === ALLOCATOR;

/** Whether somebody else than the API server holds the address. */
export const isReserved = (ip: IPAddress | undefined): boolean => ip !== undefined && !isAllocated(ip);

/** Models pkg/registry/networking/ipaddress. */
export const kind = defineKind<IPAddress>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  singular: 'ipaddress',
  shortNames: ['ip'],
  scope: 'Cluster',
  definition: 'io.k8s.api.networking.v1.IPAddress',
  nameRule: 'pathSegment',
  indexes: { parent: (ip) => [parentText(ip)] },
  columns: [nameColumn, text('ParentRef', parentText)],
  validate: (ip) => [...validateName(ip.metadata.name ?? ''), ...validateParent(ip)],
  validateUpdate: (next, old) =>
    immutable(
      Path.of('spec', 'parentRef'),
      next.spec.parentRef && asInternal(PARENT, next.spec.parentRef),
      deepEqual(next.spec.parentRef, old.spec.parentRef),
    ),
});

function parentText({ spec: { parentRef } }: IPAddress): string {
  if (!parentRef) return NONE;
  const resource = `${parentRef.resource}${parentRef.group ? `.${parentRef.group}` : ''}`.toLowerCase();
  return [resource, ...(parentRef.namespace ? [parentRef.namespace] : []), parentRef.name].join('/');
}

function validateName(name: string): FieldError[] {
  const path = Path.of('metadata', 'name');
  const address = parseAddress(name);
  if (!address) return [invalidValue(path, name, isIP(name)[0]!)];
  const canonical = String(address);
  return canonical === name ? [] : [invalidValue(path, name, `must be in canonical form ("${canonical}")`)];
}

function validateParent({ spec }: IPAddress): FieldError[] {
  const path = Path.of('spec', 'parentRef');
  const ref = spec.parentRef;
  if (!ref) return [required(path)];
  return [
    ...validateOptionalText(path.child('group'), ref.group, isDNS1123Subdomain),
    ...validateRequiredText(path.child('resource'), ref.resource, isPathSegmentName),
    ...validateRequiredText(path.child('name'), ref.name, isPathSegmentName),
    ...validateOptionalText(path.child('namespace'), ref.namespace, isPathSegmentName),
  ];
}
