import type { Container, Pod } from '../../../api/core_v1.js';
import { textOf } from '../../../kernel/bytes.js';
import { parseYaml } from '../../../schema/index.js';
import type { Disk } from '../files/disk.js';
import { hostPath } from '../services/component-fault.js';

/** A static pod's container, and the disk of the node that it runs on. */
export interface Mounted {
  readonly pod: Pod;
  readonly container: Container;
  readonly disk: Disk;
}

/** Either what was read, or why it was not, in Go's words. */
export type Read<T> = { readonly value: T; readonly failure?: undefined } | { readonly failure: string };

/** The text of a file as a container sees it: without a mount, only what its image has. */
export function readMounted(path: string, { pod, container, disk }: Mounted): Read<string> {
  const onNode = hostPath(path, container, pod);
  const content = onNode === undefined ? undefined : disk.read(onNode);
  if (content !== undefined) return { value: textOf(content) };
  // A path of the node that is not there is made a directory when it is mounted.
  const isMountPoint = container.volumeMounts?.some(({ mountPath }) => mountPath === path) === true;
  return { failure: isMountPoint ? `read ${path}: is a directory` : `open ${path}: no such file or directory` };
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The kinds of a configuration that a component decodes, and where its scheme stands in the source. */
export interface Scheme {
  readonly kind: string;
  readonly versions: readonly string[];
  readonly source: string;
}

/** One document of a configuration's kind. Models runtime's UniversalDecoder. */
export function decodeConfig(text: string, { kind, versions, source }: Scheme): Read<Record<string, unknown>> {
  const { value, error } = parseYaml(text);
  if (error !== undefined) return { failure: error };
  if (!isObject(value) || typeof value['kind'] !== 'string' || value['kind'] === '')
    return { failure: `Object 'Kind' is missing in '${JSON.stringify(value ?? null).slice(0, 500)}'` };
  const version = typeof value['apiVersion'] === 'string' ? value['apiVersion'] : '';
  if (version === '') return { failure: `Object 'apiVersion' is missing in '${JSON.stringify(value).slice(0, 500)}'` };
  if (value['kind'] !== kind || !versions.includes(version))
    return { failure: `no kind "${value['kind']}" is registered for version "${version}" in scheme "${source}"` };
  return { value };
}

/** The type of a JSON value as Go's decoder calls it. */
const jsonType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : isObject(value) ? 'object' : goType(value);
const goType = (value: unknown): string => (typeof value === 'boolean' ? 'bool' : typeof value);

/** Go types of fields, and what JSON they take. */
const TAKES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  '[]string': (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  struct: isObject,
};

/** Why a field of a struct does not decode; undefined: it does. An array of structs is '[]v1.PolicyRule'. */
export function findTypeError(
  struct: string,
  value: Readonly<Record<string, unknown>>,
  types: Readonly<Record<string, string>>,
): string | undefined {
  for (const [name, type] of Object.entries(types)) {
    const given = value[name];
    if (given === undefined || given === null) continue;
    const takes = TAKES[type] ?? ((it: unknown) => Array.isArray(it) && it.every(isObject));
    if (takes(given)) continue;
    const isItem = Array.isArray(given) && type.startsWith('[]');
    const wrong = isItem
      ? given.find((item) => !(type === '[]string' ? typeof item === 'string' : isObject(item)))
      : given;
    return (
      `json: cannot unmarshal ${jsonType(wrong)} into Go struct field ${struct}.${name} of type ` +
      (isItem ? type.slice(2) : type)
    );
  }
  return undefined;
}

/** Errors of fields as utilerrors.Aggregate prints them. */
export const aggregate = (messages: readonly string[]): string =>
  messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`;
