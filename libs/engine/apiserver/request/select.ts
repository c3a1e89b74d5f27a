import type { Kind } from '../../machinery/kind.js';
import { own, type KubeObject } from '../../machinery/meta/object.js';
import {
  matchesRequirements,
  parseFieldSelector,
  parseLabelSelector,
  type FieldTerm,
  type Requirement,
} from '../../machinery/selectors/selectors.js';
import { badRequest } from '../../machinery/meta/status.js';
import { convertToVersion } from '../response/conversion.js';
import type { Query } from '../../machinery/requests/query.js';

/** The objects of a resource that a list or watch is about. */
export interface Selection {
  readonly kind: Kind;
  readonly namespace: string;
  /** The one name that the field selector requires. */
  readonly name: string | undefined;
  readonly labels: readonly Requirement[];
  readonly fields: readonly FieldTerm[];
}

/** Parses the query's selectors. `name` is that of a /watch/ path to one object. Throws 400: unknown fields. */
export function parseSelection(kind: Kind, namespace: string, query: Query, name = ''): Selection {
  const labels = parseLabelSelector(query.text('labelSelector'));
  const fields = parseFieldSelector(query.text('fieldSelector'));
  if (name) fields.push({ field: 'metadata.name', equal: true, value: name });
  for (const { field } of fields) if (!isSupported(kind, field)) throw badRequest(unsupportedMessage(kind, field));
  return { kind, namespace, labels, fields, name: fields.find((f) => f.field === 'metadata.name' && f.equal)?.value };
}

const isSupported = ({ scope, fieldSelectors }: Kind, field: string): boolean =>
  field === 'metadata.name' ||
  (field === 'metadata.namespace'
    ? scope === 'Namespaced' || !fieldSelectors
    : own(fieldSelectors, field) !== undefined);

/** Upstream registers a field label conversion for kinds with own selectors; the others share the default one. */
const unsupportedMessage = (kind: Kind, field: string): string =>
  kind.unsupportedField?.(field) ??
  (kind.fieldSelectors
    ? `field label not supported: ${field}`
    : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);

/** True for a stored object of the selection. */
export function selects(s: Selection, stored: KubeObject): boolean {
  const { metadata } = stored;
  if (s.namespace && metadata.namespace !== s.namespace) return false;
  if (s.name !== undefined && metadata.name !== s.name) return false;
  if (s.labels.length > 0 && !matchesRequirements(s.labels, metadata.labels)) return false;
  return s.fields.every(({ field, equal, value }) => (valueOf(s.kind, field, stored) === value) === equal);
}

export const selectsAll = (s: Selection): boolean => s.labels.length === 0 && s.fields.length === 0;

function valueOf(kind: Kind, field: string, stored: KubeObject): string {
  if (field === 'metadata.name') return stored.metadata.name ?? '';
  if (field === 'metadata.namespace') return stored.metadata.namespace ?? '';
  return own(kind.fieldSelectors, field)?.(convertToVersion(kind, stored)) ?? '';
}
