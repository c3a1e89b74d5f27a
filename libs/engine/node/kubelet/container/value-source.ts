import type { Node, Pod } from '../../../api/core_v1.js';
import { ConfigMaps, Secrets } from '../../../kinds/index.js';
import { decodeBase64Text } from '../../../machinery/text/base64.js';
import type { Reader } from '../../../machinery/client.js';
import type { ReadVolumeFile } from './env-file.js';

/** What a container refers to does not exist; the message is the kubelet's. */
export class ConfigError extends Error {}

/** Where variables and volumes take their values from. */
export interface ValueSource {
  readonly pod: Pod;
  readonly node?: Node;
  /** Without a reader, references to ConfigMaps and Secrets yield nothing. */
  readonly read?: Reader;
  /** Without it, references to files of volumes yield nothing. */
  readonly readFile?: ReadVolumeFile;
}

interface LocalReference {
  readonly name?: string;
  readonly optional?: boolean;
}

export type Data = Readonly<Record<string, string>>;

/**
 * The data of a ConfigMap in the pod's namespace; undefined for an optional one that is missing. Throws ConfigError.
 */
export function readConfigMap({ name = '', optional }: LocalReference, { pod, read }: ValueSource): Data | undefined {
  if (!read) return undefined;
  const found = read.get(ConfigMaps, { namespace: pod.metadata.namespace ?? '', name });
  if (!found && !optional) throw new ConfigError(`configmap "${name}" not found`);
  return found && (found.data ?? {});
}

/** The data of a Secret as text; undefined for an optional one that is missing. Throws ConfigError. */
export function readSecret({ name = '', optional }: LocalReference, { pod, read }: ValueSource): Data | undefined {
  if (!read) return undefined;
  const found = read.get(Secrets, { namespace: pod.metadata.namespace ?? '', name });
  if (!found && !optional) throw new ConfigError(`secret "${name}" not found`);
  return found && decodeData(found.data ?? {});
}

function decodeData(data: Data): Data {
  const decoded: Record<string, string> = {};
  for (const key in data) decoded[key] = decodeBase64Text(data[key]!);
  return decoded;
}
