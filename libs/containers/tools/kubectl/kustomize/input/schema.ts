import { KustomizeFailure } from '../failure.js';
import { isMap } from '../resource.js';

/** What a field of a kustomization file holds: 'string', a list, a map of texts, or a Go struct. */
export type FieldType =
  | 'string'
  | 'int'
  | 'bool'
  | 'any'
  | { readonly list: FieldType }
  | { readonly map: 'string' }
  | StructType;
export interface StructType {
  /** In Go's words: 'types.Patch'. */
  readonly struct: string;
  readonly fields: Readonly<Record<string, FieldType>>;
}

/** Models json.Decoder with DisallowUnknownFields, keys in their order. Throws KustomizeFailure. */
export function checkType(value: unknown, type: FieldType, owner: string, path: string): void {
  if (value === null || value === undefined || type === 'any') return;
  const refuse = (): never => {
    throw new KustomizeFailure(
      `json: cannot unmarshal ${wordOf(value)} into Go ${path === '' ? 'value' : `struct field ${owner}.${path}`} of type ${goType(type)}`,
    );
  };
  if (type === 'string') {
    if (typeof value !== 'string') refuse();
  } else if (type === 'bool') {
    if (typeof value !== 'boolean') refuse();
  } else if (type === 'int') {
    if (typeof value !== 'number') refuse();
  } else if ('list' in type) {
    if (!Array.isArray(value)) return refuse();
    for (const one of value) checkType(one, type.list, owner, path);
  } else if (!isMap(value)) refuse();
  else if ('map' in type) for (const key of Object.keys(value).sort()) checkType(value[key], 'string', owner, path);
  else checkStruct(value, type, path);
}

function checkStruct(value: Readonly<Record<string, unknown>>, { struct, fields }: StructType, path: string): void {
  for (const key of Object.keys(value).sort()) {
    const name = Object.hasOwn(fields, key)
      ? key
      : Object.keys(fields).find((one) => one.toLowerCase() === key.toLowerCase());
    if (name === undefined) throw new KustomizeFailure(`json: unknown field ${JSON.stringify(key)}`);
    checkType(value[key], fields[name]!, struct.replace(/^types\./, ''), path === '' ? name : `${path}.${name}`);
  }
}

const wordOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

function goType(type: FieldType): string {
  if (type === 'any') return 'interface {}';
  if (typeof type === 'string') return type;
  if ('list' in type) return `[]${goType(type.list)}`;
  return 'map' in type ? 'map[string]string' : type.struct;
}
