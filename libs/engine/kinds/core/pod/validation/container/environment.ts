/** Environment variables. Models ValidateEnv and ValidateEnvFrom of pkg/apis/core/validation. */
import type {
  Container,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
  ObjectFieldSelector,
  PodSpec,
  ResourceFieldSelector,
} from '../../../../../api/core_v1.js';
import { splitMaybeSubscriptedPath } from '../../field-path.js';
import {
  invalidValue,
  notFoundValue,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '../../../../../machinery/meta/field.js';
import { canonicalQuantity, isQuantity, milliValue } from '../../../../../machinery/quantity/quantity.js';
import {
  invalidEach,
  isConfigMapKey,
  isDNS1123Label,
  isDNS1123Subdomain,
  isEnvVarName,
  isQualifiedName,
} from '../../../../../machinery/meta/validation.js';
import { validatePathNoBacksteps } from '../../../local-paths.js';
import { visitContainersWithPath } from '../../visit-containers.js';

const FIELD_PATHS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
/** The fields that upstream's conversion of field labels knows, whether or not variables can show them. */
const LABELS = new Set([
  ...FIELD_PATHS,
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);
const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const HUGE_PAGES = /^(requests|limits)\.hugepages-/;
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;
const DIVISORS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

export function validateEnvironment({ env, envFrom }: Container, path: Path, errors: FieldError[]): void {
  if (env) for (let i = 0; i < env.length; i++) validateVariable(env[i]!, path, i, errors);
  envFrom?.forEach(({ prefix, configMapRef, secretRef }, i) => {
    const at = path.child('envFrom').index(i);
    if (prefix) errors.push(...invalidEach(at.child('prefix'), prefix, isEnvVarName(prefix)));
    for (const [field, reference] of [
      ['configMapRef', configMapRef],
      ['secretRef', secretRef],
    ] as const) {
      if (!reference) continue;
      const name = at.child(field, 'name');
      errors.push(
        ...(reference.name
          ? invalidEach(name, reference.name, isDNS1123Subdomain(reference.name.replace(/(.)-$/, '$1a')))
          : [required(name)]),
      );
    }
    // Upstream's path is that of the list.
    if (configMapRef && secretRef)
      errors.push(invalidValue(path.child('envFrom'), '', 'may not have more than one field specified at a time'));
    else if (!configMapRef && !secretRef)
      errors.push(invalidValue(path.child('envFrom'), '', 'must specify one of: `configMapRef` or `secretRef`'));
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
  if (source.fieldRef) validateFieldPath(source.fieldRef, FIELD_PATHS, path.child('fieldRef'), errors);
  if (source.resourceFieldRef)
    validateResourceField(source.resourceFieldRef, false, path.child('resourceFieldRef'), errors);
  for (const field of ['configMapKeyRef', 'secretKeyRef'] as const) {
    const reference = source[field];
    if (!reference) continue;
    const at = path.child(field);
    errors.push(...invalidEach(at.child('name'), reference.name ?? '', isDNS1123Subdomain(reference.name ?? '')));
    errors.push(
      ...(reference.key
        ? invalidEach(at.child('key'), reference.key, isConfigMapKey(reference.key))
        : [required(at.child('key'))]),
    );
  }
  if (source.fileKeyRef) validateFileKey(source.fileKeyRef, path.child('fileKeyRef'), errors);
  if (count === 0)
    errors.push(
      invalidValue(
        path,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ),
    );
  else if (value) errors.push(invalidValue(path, '', 'may not be specified when `value` is not empty'));
  else if (count > 1) errors.push(invalidValue(path, '', 'may not have more than one field specified at a time'));
}

function validateFileKey({ key, volumeName, path: file }: FileKeySelector, at: Path, errors: FieldError[]): void {
  errors.push(...(key ? invalidEach(at.child('key'), key, isEnvVarName(key)) : [required(at.child('key'))]));
  errors.push(
    ...(volumeName
      ? invalidEach(at.child('volumeName'), volumeName, isDNS1123Label(volumeName))
      : [required(at.child('volumeName'))]),
  );
  if (file) validatePathNoBacksteps(file, at.child('path'), errors);
  else errors.push(required(at.child('path')));
}

/** The volume of a variable's file must be an emptyDir of the pod. */
export function validateFileVolumes(spec: PodSpec, path: Path, errors: FieldError[]): void {
  visitContainersWithPath(spec, path, (container, at) =>
    container.env?.forEach(({ valueFrom }, i) => {
      const name = valueFrom?.fileKeyRef?.volumeName;
      if (!valueFrom?.fileKeyRef) return;
      const own = at.child('env').index(i).child('valueFrom', 'fileKeyRef', 'volumeName');
      const volume = spec.volumes?.find((v) => v.name === name);
      if (!volume) errors.push(notFoundValue(own, name ?? ''));
      else if (!volume.emptyDir) errors.push(invalidValue(own, name, 'referenced volume must be of type emptyDir'));
    }),
  );
}

export function validateFieldPath(
  { apiVersion, fieldPath }: ObjectFieldSelector,
  supported: readonly string[],
  path: Path,
  errors: FieldError[],
): void {
  const at = path.child('fieldPath');
  if (!apiVersion) return void errors.push(required(path.child('apiVersion')));
  if (!fieldPath) return void errors.push(required(at));
  const refuse = (why: string): unknown =>
    errors.push(invalidValue(at, fieldPath, `error converting fieldPath: ${why}`));
  if (apiVersion !== 'v1') return void refuse(`unsupported pod version: ${apiVersion}`);
  const { path: map, subscript: key } = splitMaybeSubscriptedPath(fieldPath) ?? {};
  if (map === 'metadata.annotations' || map === 'metadata.labels') {
    const name = map === 'metadata.annotations' ? key!.toLowerCase() : key!;
    return void errors.push(...invalidEach(path, name, isQualifiedName(name)));
  }
  if (map !== undefined) return void refuse(`field label does not support subscript: ${fieldPath}`);
  const internal = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  if (!LABELS.has(internal)) refuse(`field label not supported: ${fieldPath}`);
  else if (!supported.includes(internal)) errors.push(notSupported(at, internal, supported));
}

/** `inVolume`: a downwardAPI volume must name the container, a variable is of its own container. */
export function validateResourceField(
  { containerName, resource = '', divisor = '0' }: ResourceFieldSelector,
  inVolume: boolean,
  path: Path,
  errors: FieldError[],
): void {
  if (inVolume && !containerName) errors.push(required(path.child('containerName')));
  else if (!resource) errors.push(required(path.child('resource')));
  else if (!RESOURCES.includes(resource) && !HUGE_PAGES.test(resource))
    errors.push(notSupported(path.child('resource'), resource, RESOURCES));
  if (!isQuantity(divisor) || milliValue(divisor) === 0) return;
  const noun = /\.cpu$/.test(resource)
    ? 'cpu'
    : /\.memory$/.test(resource)
      ? 'memory'
      : /\.ephemeral-storage$/.test(resource)
        ? 'local ephemeral storage'
        : HUGE_PAGES.test(resource)
          ? 'hugepages'
          : undefined;
  const allowed = noun === 'cpu' ? ['1m', '1'] : DIVISORS;
  if (noun === undefined || allowed.includes(canonicalQuantity(divisor))) return;
  errors.push(
    invalidValue(
      path.child('divisor'),
      resource,
      `only divisor's values ${noun === 'cpu' ? '1m and 1' : DIVISORS.join(', ')} are supported with the ${noun} resource`,
    ),
  );
}
