import { definitionsJson } from './definitions.generated.js';

/** 'string', 'integer:int32', the name of a definition, a list [x] or a map {'*': x}. */
export type FieldType = string | readonly [FieldType] | { readonly '*': FieldType };

/** The facts about one field. Models the published OpenAPI and generated.proto of release-1.36. */
export interface Field {
  readonly type: FieldType;
  readonly required?: boolean;
  /** Defaults in OpenAPI 3 documents: of the value, and of a list's or map's elements. */
  readonly default?: unknown;
  readonly elementDefault?: unknown;
  /** The documents show its type alone. */
  readonly plain?: boolean;
  readonly enum?: readonly string[];
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly mapKeys?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  /** 'merge', 'replace', 'retainKeys' or several with commas. */
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** Protobuf's field number, and the numbers of the embedded messages that it lies within. */
  readonly number?: number;
  readonly within?: readonly number[];
  readonly wire?: string;
}

export interface Definition {
  readonly fields?: Readonly<Record<string, Field>>;
  /** Of a definition without fields: 'string', 'object', 'any', with ':format'. */
  readonly type?: string;
  readonly mapType?: 'atomic' | 'granular';
  /** Required fields in the documents' order, where that is not the order of the protobuf numbers. */
  readonly requiredOrder?: readonly string[];
  readonly gvk?: readonly (readonly [group: string, version: string, kind: string])[];
}

let table: ReadonlyMap<string, Definition> | undefined;

/** Every definition by name; parsed at the first call. */
export function definitions(): ReadonlyMap<string, Definition> {
  table ??= new Map(Object.entries(JSON.parse(definitionsJson) as Record<string, Definition>));
  return table;
}

export const definition = (name: string): Definition | undefined => definitions().get(name);

let names: ReadonlyMap<string, string> | undefined;

/** Name of the definition that serves a kind: ('', 'v1', 'Pod') -> 'io.k8s.api.core.v1.Pod'. */
export function definitionFor(group: string, version: string, kind: string): string | undefined {
  names ??= namesByKind();
  return names.get(`${group}/${version}/${kind}`);
}

const namesByKind = (): ReadonlyMap<string, string> =>
  new Map([...definitions()].flatMap(([name, d]) => (d.gvk ?? []).map((gvk) => [gvk.join('/'), name] as const)));

/** 'io.k8s.api.core.v1.PodSpec' -> 'PodSpec'. */
export const shortName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Name of the definition behind a type, through lists and maps; undefined for scalars. */
export function elementDefinition(type: FieldType): string | undefined {
  if (typeof type !== 'string') return elementDefinition('*' in type ? type['*'] : (type as readonly [FieldType])[0]);
  return type.startsWith('io.k8s.') ? type : undefined;
}
