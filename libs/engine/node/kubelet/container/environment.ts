import type { Container, EnvVar, Node, Pod } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { ConfigMaps, Secrets } from '../../../kinds/index.js';

/** Missing configuration, in the kubelet's words. */
export class ConfigError extends Error {}

/** What the environment is made from; without a reader (logs), references to other objects are left out. */
export interface Surroundings {
  readonly pod: Pod;
  readonly node?: Node;
  readonly read?: Reader;
}

const EMPTY: Readonly<Record<string, string>> = {};

/** The container's variables. Throws ConfigError. Models kubelet_pods.go makeEnvironmentVariables. */
export function environment(container: Container, around: Surroundings): Readonly<Record<string, string>> {
  if (!container.env?.length && !container.envFrom?.length) return EMPTY;
  const env: Record<string, string> = {};
  for (const from of container.envFrom ?? []) {
    const data = from.configMapRef
      ? configMap(from.configMapRef, around)
      : from.secretRef
        ? secret(from.secretRef, around)
        : undefined;
    for (const key in data) env[`${from.prefix ?? ''}${key}`] = data[key]!;
  }
  for (const variable of container.env ?? []) {
    const value = valueOf(variable, container, around);
    if (value !== undefined) env[variable.name] = expand(value, env);
  }
  return env;
}

function valueOf(v: EnvVar, container: Container, around: Surroundings): string | undefined {
  const from = v.valueFrom;
  if (!from) return v.value ?? '';
  if (from.fieldRef) return field(from.fieldRef.fieldPath, around);
  if (from.resourceFieldRef) return resource(from.resourceFieldRef.resource, container, around);
  const namespace = around.pod.metadata.namespace ?? '';
  if (from.configMapKeyRef) {
    const { name = '', key, optional } = from.configMapKeyRef;
    const data = configMap(from.configMapKeyRef, around);
    if (data && data[key] === undefined && !optional)
      throw new ConfigError(`couldn't find key ${key} in ConfigMap ${namespace}/${name}`);
    return data?.[key];
  }
  if (from.secretKeyRef) {
    const { name = '', key, optional } = from.secretKeyRef;
    const data = secret(from.secretKeyRef, around);
    if (data && data[key] === undefined && !optional)
      throw new ConfigError(`couldn't find key ${key} in Secret ${namespace}/${name}`);
    return data?.[key];
  }
  return undefined;
}

type Data = Readonly<Record<string, string>> | undefined;
interface Ref {
  readonly name?: string;
  readonly optional?: boolean;
}

export function configMap({ name = '', optional }: Ref, { pod, read }: Surroundings): Data {
  if (!read) return undefined;
  const found = read.get(ConfigMaps, { namespace: pod.metadata.namespace ?? '', name });
  if (!found && !optional) throw new ConfigError(`configmap "${name}" not found`);
  return found && (found.data ?? {});
}

export function secret({ name = '', optional }: Ref, { pod, read }: Surroundings): Data {
  if (!read) return undefined;
  const found = read.get(Secrets, { namespace: pod.metadata.namespace ?? '', name });
  if (!found && !optional) throw new ConfigError(`secret "${name}" not found`);
  return found && decoded(found.data);
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A Secret's values as text (bytes read as UTF-8). */
function decoded(data: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const out: Record<string, string> = {};
  for (const key in data) out[key] = fromBase64(data[key]!);
  return out;
}

function fromBase64(text: string): string {
  let [bits, held, escaped] = [0, 0, ''];
  for (const c of text) {
    const six = BASE64.indexOf(c);
    if (six < 0) continue;
    held = ((held << 6) | six) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    escaped += `%${((held >> bits) & 255).toString(16).padStart(2, '0')}`;
  }
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

export function field(path: string, { pod, node }: Surroundings): string {
  const keyed = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path);
  if (keyed) return pod.metadata[keyed[1] as 'labels' | 'annotations']?.[keyed[2]!] ?? '';
  switch (path) {
    case 'metadata.name':
      return pod.metadata.name ?? '';
    case 'metadata.namespace':
      return pod.metadata.namespace ?? '';
    case 'metadata.uid':
      return pod.metadata.uid ?? '';
    case 'spec.nodeName':
      return pod.spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return pod.spec.serviceAccountName ?? '';
    case 'status.hostIP':
    case 'status.hostIPs':
      return pod.status.hostIP ?? node?.status.addresses?.[0]?.address ?? '';
    case 'status.podIP':
    case 'status.podIPs':
      return pod.status.podIP ?? '';
    default:
      return '';
  }
}

export function resource(path: string, container: Container, { node }: Surroundings): string {
  const [list, name] = path.split('.') as [string, string];
  const own = list === 'limits' ? container.resources?.limits : container.resources?.requests;
  return own?.[name] ?? (list === 'limits' ? node?.status.allocatable?.[name] : undefined) ?? '0';
}

/** $(NAME) becomes the variable's value, $$(NAME) stays. Models third_party/forked/golang/expansion. */
export const expand = (text: string, env: Readonly<Record<string, string>>): string =>
  text.includes('$')
    ? text.replace(/\$\$|\$\(([^()]+)\)/g, (all, name: string | undefined) =>
        name === undefined ? '$' : (env[name] ?? all),
      )
    : text;
