import type { FileKeySelector } from '../../../api/core_v1.js';

/** A fileKeyRef that leads to nothing; the message is the kubelet's. */
export class EnvFileError extends Error {}

/** The text of a file of one of the pod's volumes; undefined: there is no such volume, `null`: no such file. */
export type ReadVolumeFile = (volume: string, path: string) => string | null | undefined;

const LINE = /^([A-Za-z_][\w.-]*)=(.*)$/;

/**
 * The value of a key of an env file; undefined for an optional one that it does not have. Models pkg/kubelet/util/env
 * ParseEnv and kubelet_pods.go makeEnvironmentVariables. Left out: values of more than one line.
 */
export function readFileKey(
  { volumeName, path, key, optional }: FileKeySelector,
  readFile: ReadVolumeFile,
): string | undefined {
  const text = readFile(volumeName, path);
  if (text === undefined) throw new EnvFileError(`cannot find the volume "${volumeName}" referenced by FileKeyRef`);
  const values = text === null ? undefined : parse(text);
  if (values === undefined) throw new EnvFileError("couldn't parse env file");
  const value = values.get(key);
  if (value === undefined && !optional)
    throw new EnvFileError(`environment variable key "${key}" not found in file "${path}"`);
  return value;
}

function parse(text: string): Map<string, string> | undefined {
  const values = new Map<string, string>();
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value] = LINE.exec(line) ?? [];
    if (name === undefined) return undefined;
    values.set(name, unquote(value!));
  }
  return values;
}

function unquote(value: string): string {
  const quote = value[0];
  const end = quote === "'" || quote === '"' ? value.indexOf(quote, 1) : -1;
  return end < 0 ? value.replace(/ #.*$/, '').trim() : value.slice(1, end);
}
