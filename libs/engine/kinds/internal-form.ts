/** The form in which upstream prints its internal types: in messages about a whole struct, and in diffs. */
import { unifiedDiff } from '../machinery/patch/unified-diff.js';
import { internalTypes } from './internal-types.js';

/** One field of an internal type. */
interface Field {
  readonly name: string;
  readonly json: string;
  readonly type: string;
  readonly omitsEmpty: boolean;
}
type Value = Readonly<Record<string, unknown>>;

const METADATA = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
];
/** Fields of the v1 pod spec that the internal pod holds in its security context. */
const HOST_FIELDS = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];

let shapes: ReadonlyMap<string, readonly Field[]> | undefined;

function shapeOf(type: string): readonly Field[] | undefined {
  shapes ??= new Map(
    internalTypes
      .trim()
      .split('\n')
      .map((line) => {
        const [name = '', ...fields] = line.split(' ');
        return [name, fields.map(parseField)];
      }),
  );
  return shapes.get(type);
}

function parseField(text: string): Field {
  const [names = '', type = ''] = text.split(':');
  const [name = '', json = name.charAt(0).toLowerCase() + name.slice(1)] = names.split('=');
  return { name, json, type: type.replace('?', ''), omitsEmpty: type.startsWith('?') };
}

/**
 * Converts `value` from its JSON shape to the printed internal type. `type` is written as in internal-types.ts:
 * 'PodSpec', '*SecurityContext', '[]Volume'.
 */
export function toInternalForm(type: string, value: unknown): unknown {
  if (type.startsWith('*')) return value === undefined || value === null ? null : toInternalForm(type.slice(1), value);
  if (type.startsWith('[]'))
    return Array.isArray(value) ? value.map((item) => toInternalForm(type.slice(2), item)) : null;
  if (type.startsWith('{}')) return value ? sortedMap(value as Value, type.slice(2)) : null;
  switch (type) {
    case 's':
      return value ?? '';
    case 'i':
    case 'IntOrString':
      return value ?? 0;
    case 'b':
      return value ?? false;
    case 'Quantity':
      return value ?? '0';
    case 'Time':
    case 'bytes':
      return value ?? null;
    default:
      return struct(type, (value ?? {}) as Value);
  }
}

const sortedMap = (map: Value, type: string): Value =>
  Object.fromEntries(
    Object.keys(map)
      .sort()
      .map((key) => [key, toInternalForm(type, map[key])]),
  );

function struct(type: string, value: Value): Value {
  const shape = shapeOf(type);
  if (!shape) return value;
  const from = type === 'PodSpec' ? withHostFields(value) : value;
  const form: Record<string, unknown> = {};
  for (const { name, json, type: of, omitsEmpty } of shape) {
    if (json === 'metadata!') Object.assign(form, metadata(value['metadata'] as Value | undefined));
    else if (!omitsEmpty || !isEmpty(from[json])) form[name] = toInternalForm(of, from[json]);
  }
  return form;
}

function withHostFields(spec: Value): Value {
  const context = { ...(spec['securityContext'] as object | undefined) } as Record<string, unknown>;
  const hosts = HOST_FIELDS.filter((field) => spec[field] !== undefined);
  if (!spec['securityContext'] && hosts.length === 0) return spec;
  for (const field of hosts) context[field] = spec[field];
  return { ...spec, securityContext: context };
}

const metadata = (from: Value = {}): Value =>
  Object.fromEntries(METADATA.filter((field) => !isEmpty(from[field])).map((field) => [field, from[field]]));
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** The diff of two structs of a type. Models diff.Diff of apimachinery/pkg/util/diff. */
export const diffInternalForms = (type: string, before: unknown, after: unknown): string =>
  unifiedDiff(pretty(type, before), pretty(type, after));
const pretty = (type: string, value: unknown): string =>
  escapeHtml(JSON.stringify(toInternalForm(type, value), null, 1));

/** Escapes the characters that Go's encoding/json escapes for HTML. */
const escapeHtml = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
