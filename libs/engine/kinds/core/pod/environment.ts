/** Environment variables. Models ValidateEnv and ValidateEnvFrom of pkg/apis/core/validation. */
import type { Container, EnvVar, EnvVarSource } from '../../../api/core_v1.js';
import { invalidValue, notSupported, required, type FieldError, type Path } from '../../../machinery/field.js';
import { invalidEach, isConfigMapKey, isDNS1123Subdomain, isEnvVarName, isQualifiedName } from '../../../machinery/validation.js';

const FIELD_PATHS = [
  'metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName', 'spec.serviceAccountName', 'status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs',
];
const RESOURCES = ['limits.cpu', 'limits.ephemeral-storage', 'limits.memory', 'requests.cpu', 'requests.ephemeral-storage', 'requests.memory'];
const HUGE_PAGES = /^(requests|limits)\.hugepages-/;
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;
const SUBSCRIPT = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/;

export function validateEnvironment({ env, envFrom }: Container, path: Path, errors: FieldError[]): void {
  if (env) for (let i = 0; i < env.length; i++) validateVariable(env[i]!, path, i, errors);
  envFrom?.forEach(({ prefix, configMapRef, secretRef }, i) => {
    const at = path.child('envFrom').index(i);
    if (prefix) errors.push(...invalidEach(at.child('prefix'), prefix, isEnvVarName(prefix)));
    if (configMapRef && secretRef) errors.push(invalidValue(at, '', 'may not have more than one field specified at a time'));
    else if (!configMapRef && !secretRef) errors.push(invalidValue(at, '', 'must specify one of: `configMapRef` or `secretRef`'));
    for (const [field, reference] of [['configMapRef', configMapRef], ['secretRef', secretRef]] as const) {
      if (!reference) continue;
      const name = at.child(field, 'name');
      errors.push(...(reference.name ? invalidEach(name, reference.name, isDNS1123Subdomain(reference.name)) : [required(name)]));
    }
  });
}

function validateVariable(variable: EnvVar, container: Path, i: number, errors: FieldError[]): void {
  const { name, value, valueFrom } = variable;
  const path = (): Path => container.child('env').index(i);
  if (!name) errors.push(required(path().child('name')));
  else for (const message of isEnvVarName(name)) errors.push(invalidValue(path().child('name'), name, message));
  if (valueFrom) validateSource(valueFrom, value, path().child('valueFrom'), errors);
}

function validateSource(source: EnvVarSource, value: string | undefined, path: Path, errors: FieldError[]): void {
  const count = SOURCES.filter((s) => source[s] !== undefined).length;
  if (source.fieldRef) validateFieldPath(source.fieldRef.fieldPath, FIELD_PATHS, path.child('fieldRef'), errors);
  if (source.resourceFieldRef) validateResourceField(source.resourceFieldRef.resource, path.child('resourceFieldRef'), errors);
  for (const field of ['configMapKeyRef', 'secretKeyRef'] as const) {
    const reference = source[field];
    if (!reference) continue;
    const at = path.child(field);
    errors.push(...invalidEach(at.child('name'), reference.name ?? '', isDNS1123Subdomain(reference.name ?? '')));
    errors.push(...(reference.key ? invalidEach(at.child('key'), reference.key, isConfigMapKey(reference.key)) : [required(at.child('key'))]));
  }
  if (count === 0) errors.push(invalidValue(path, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'));
  else if (value) errors.push(invalidValue(path, '', 'may not be specified when `value` is not empty'));
  else if (count > 1) errors.push(invalidValue(path, '', 'may not have more than one field specified at a time'));
}

export function validateFieldPath(fieldPath: string | undefined, supported: readonly string[], path: Path, errors: FieldError[]): void {
  const at = path.child('fieldPath');
  if (!fieldPath) return void errors.push(required(at));
  const subscript = SUBSCRIPT.exec(fieldPath);
  if (subscript) return void errors.push(...invalidEach(path, subscript[2], isQualifiedName(subscript[1] === 'metadata.annotations' ? subscript[2]!.toLowerCase() : subscript[2]!)));
  if (supported.includes(fieldPath)) return;
  const known = FIELD_PATHS.includes(fieldPath) || fieldPath === 'metadata.labels' || fieldPath === 'metadata.annotations';
  errors.push(known ? notSupported(at, fieldPath, supported) : invalidValue(at, fieldPath, `error converting fieldPath: field label not supported: ${fieldPath}`));
}

export function validateResourceField(resource: string | undefined, path: Path, errors: FieldError[]): void {
  if (!resource) errors.push(required(path.child('resource')));
  else if (!RESOURCES.includes(resource) && !HUGE_PAGES.test(resource)) errors.push(notSupported(path.child('resource'), resource, RESOURCES));
}
