import type { ConfigMapKeySelector, Container, EnvFromSource, EnvVar } from '../../../api/core_v1.js';
import { own } from '../../../machinery/meta/object.js';
import { readFileKey } from './env-file.js';
import { expand } from './expansion.js';
import { extractFieldPath, extractResource } from './fieldpath.js';
import { ConfigError, readConfigMap, readSecret, type Data, type ValueSource } from './value-source.js';

const NO_VARIABLES: Data = {};

/**
 * The container's own variables, those of envFrom first; they may refer to those of `services`. Throws ConfigError for
 * what is missing and not optional. Models kubelet_pods.go makeEnvironmentVariables.
 */
export function makeEnvironmentVariables(
  container: Container,
  source: ValueSource,
  services: () => Data = () => NO_VARIABLES,
): Data {
  if (!container.env?.length && !container.envFrom?.length) return NO_VARIABLES;
  const env: Record<string, string> = {};
  for (const from of container.envFrom ?? []) {
    const data = readEnvFrom(from, source);
    for (const key in data) env[`${from.prefix ?? ''}${key}`] = data[key]!;
  }
  for (const variable of container.env ?? []) {
    const value = resolveVariable(variable, container, source);
    if (value !== undefined) env[variable.name] = expand(value, (name) => own(env, name) ?? own(services(), name));
  }
  return env;
}

function readEnvFrom({ configMapRef, secretRef }: EnvFromSource, source: ValueSource): Data | undefined {
  if (configMapRef) return readConfigMap(configMapRef, source);
  return secretRef && readSecret(secretRef, source);
}

function resolveVariable(variable: EnvVar, container: Container, source: ValueSource): string | undefined {
  const from = variable.valueFrom;
  if (!from) return variable.value ?? '';
  if (from.fieldRef) return extractFieldPath(from.fieldRef.fieldPath, source);
  if (from.resourceFieldRef) return extractResource(from.resourceFieldRef, container, source);
  if (from.fileKeyRef) return source.readFile && readFileKey(from.fileKeyRef, source.readFile);
  if (from.configMapKeyRef)
    return selectKey('ConfigMap', from.configMapKeyRef, readConfigMap(from.configMapKeyRef, source), source);
  return from.secretKeyRef && selectKey('Secret', from.secretKeyRef, readSecret(from.secretKeyRef, source), source);
}

function selectKey(
  kind: 'ConfigMap' | 'Secret',
  { name = '', key, optional }: ConfigMapKeySelector,
  data: Data | undefined,
  { pod }: ValueSource,
): string | undefined {
  if (data && data[key] === undefined && !optional)
    throw new ConfigError(`couldn't find key ${key} in ${kind} ${pod.metadata.namespace ?? ''}/${name}`);
  return data?.[key];
}
