import type { Kind } from '../../machinery/kind.js';
import { isEmptySet, NONE, type FieldSet } from '../../machinery/managedfields/index.js';

type Filter = (set: FieldSet) => FieldSet;

/**
 * Takes from a set of fields those that a write to the object or to one of its subresources cannot change, and so
 * cannot own. Models the strategies' GetResetFields.
 */
export function resetFieldsFilter(kind: Kind, subresource: string): Filter {
  if (subresource === 'status') return statusFilter(kind);
  if (subresource || !kind.subresources?.status) return (set) => set;
  return (set) => ('f:status' in set ? withoutStatus(set) : set);
}

/** A write of the status owns fields of the status, and of the metadata those that the kind's strategy lets through. */
function statusFilter({ statusKeeps = [] }: Kind): Filter {
  const reset: FieldSet = Object.fromEntries(statusKeeps.map((field) => [`f:${field}`, NONE]));
  return ({ 'f:metadata': metadata, 'f:status': status }) => {
    const ownable = metadata && withoutFields(metadata, reset);
    return { ...(ownable ? { 'f:metadata': ownable } : {}), ...(status ? { 'f:status': status } : {}) };
  };
}

/** Undefined when no field is left. */
function withoutFields(set: FieldSet, reset: FieldSet): FieldSet | undefined {
  if (isEmptySet(reset)) return set;
  const left = Object.fromEntries(Object.entries(set).filter(([field]) => !(field in reset)));
  return isEmptySet(left) ? undefined : left;
}

function withoutStatus(set: FieldSet): FieldSet {
  const { 'f:status': _status, ...rest } = set;
  return rest;
}
