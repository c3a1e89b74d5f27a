/** Volumes of a pod. Models ValidateVolumes of pkg/apis/core/validation. */
import type {
  DownwardAPIVolumeFile,
  KeyToPath,
  PodSpec,
  ProjectedVolumeSource,
  Volume,
  VolumeProjection,
} from '../../../../api/core_v1.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '../../../../machinery/meta/field.js';
import { compareQuantity, isQuantity } from '../../../../machinery/quantity/quantity.js';
import {
  invalidEach,
  isDNS1123Label,
  isDNS1123Subdomain,
  validateAnnotations,
  validateLabels,
} from '../../../../machinery/meta/validation.js';
import { validateLocalNonReservedPath } from '../../local-paths.js';
import { validateClaimSpec } from '../../persistentvolumeclaim/kind.js';
import { podSources, validateOneSource } from '../../volume-sources.js';
import { validateFieldPath, validateResourceField } from './container/environment.js';

const MAX_MODE = 0o777;
const MODE = 'must be a number between 0 and 0777 (octal), both inclusive';
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const FILE_FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
const TOKEN_SECONDS_MIN = 600;
const TOKEN_SECONDS_MAX = 2 ** 32;
const MAX_ISCSI = 64;
const TOO_LONG_ISCSI =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
const CONFLICTING = 'conflicting duplicate paths';
const TEMPLATE_METADATA = ['labels', 'annotations'];

/** The order in which upstream validates the sources. */
const ORDER = [
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
];

/** Returns the valid volumes by name, for the mounts of the containers. `podName` is undefined in templates. */
export function validateVolumes(
  spec: PodSpec,
  podName: string | undefined,
  path: Path,
  errors: FieldError[],
): ReadonlyMap<string, Volume> {
  const volumes = new Map<string, Volume>();
  const claimed = new Set(podName ? spec.volumes?.filter((v) => v.ephemeral).map((v) => `${podName}-${v.name}`) : []);
  spec.volumes?.forEach((volume, i) => {
    const at = path.index(i);
    const own: FieldError[] = [];
    validateSource(volume, podName, at, own);
    if (!volume.name) own.push(required(at.child('name')));
    else
      for (const message of isDNS1123Label(volume.name)) own.push(invalidValue(at.child('name'), volume.name, message));
    if (volumes.has(volume.name)) own.push(duplicate(at.child('name'), volume.name));
    if (own.length === 0) volumes.set(volume.name, volume);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim && claimed.has(claim))
      own.push(
        invalidValue(
          at.child('persistentVolumeClaim', 'claimName'),
          claim,
          'must not reference a PVC that gets created for an ephemeral volume',
        ),
      );
    errors.push(...own);
  });
  return volumes;
}

function validateSource(volume: Volume, podName: string | undefined, path: Path, errors: FieldError[]): void {
  const { emptyDir, iscsi } = volume;
  const limit = emptyDir?.sizeLimit;
  if (limit !== undefined && (!isQuantity(limit) || compareQuantity(limit, '0') < 0))
    errors.push(
      forbiddenField(path.child('emptyDir', 'sizeLimit'), 'SizeLimit field must be a valid resource quantity'),
    );
  const order = emptyDir ? ['emptyDir', ...ORDER] : ORDER;
  validateOneSource(volume, order, path, (name, at) => validateFields(name, volume, podName, path, at, errors), errors);
  if (iscsi?.initiatorName !== undefined && `${volume.name}:${iscsi.targetPortal}`.length > MAX_ISCSI)
    errors.push(invalidValue(path.child('name'), volume.name, TOO_LONG_ISCSI));
}

function validateFields(
  source: string,
  volume: Volume,
  podName: string | undefined,
  path: Path,
  at: Path,
  errors: FieldError[],
): void {
  switch (source) {
    case 'secret':
    case 'configMap':
      return validateConfigVolume(volume, source, at, errors);
    case 'downwardAPI':
      validateMode(volume.downwardAPI!.defaultMode, at.child('defaultMode'), errors);
      // Upstream's paths lack the index of the item here.
      return volume.downwardAPI!.items?.forEach((file) => validateDownwardAPIVolumeFile(file, at, errors));
    case 'projected':
      return validateProjected(volume.projected!, at, errors);
    case 'ephemeral':
      return validateEphemeral(volume, podName, path, at, errors);
    case 'image': {
      const { reference, pullPolicy = '' } = volume.image!;
      if (!reference && podName !== undefined) errors.push(required(at.child('reference')));
      if (!PULL_POLICIES.includes(pullPolicy))
        errors.push(
          pullPolicy
            ? notSupported(at.child('pullPolicy'), pullPolicy, PULL_POLICIES)
            : required(at.child('pullPolicy')),
        );
      return;
    }
    default:
      podSources[source]?.(volume[source as keyof Volume] as unknown as Record<string, unknown>, at, errors);
  }
}

function validateConfigVolume(volume: Volume, source: 'secret' | 'configMap', at: Path, errors: FieldError[]): void {
  const { defaultMode, items } = volume[source]!;
  if (source === 'secret' && !volume.secret!.secretName) errors.push(required(at.child('secretName')));
  if (source === 'configMap' && !volume.configMap!.name) errors.push(required(at.child('name')));
  validateMode(defaultMode, at.child('defaultMode'), errors);
  items?.forEach((item, i) => validateKeyToPath(item, at.child('items').index(i), errors));
}

function validateEphemeral(
  volume: Volume,
  podName: string | undefined,
  path: Path,
  at: Path,
  errors: FieldError[],
): void {
  const template = volume.ephemeral!.volumeClaimTemplate;
  const own = at.child('volumeClaimTemplate');
  if (!template) errors.push(required(own));
  else {
    const { metadata } = template;
    const meta = own.child('metadata');
    errors.push(
      ...validateAnnotations(metadata?.annotations, meta.child('annotations')),
      ...validateLabels(metadata?.labels, meta.child('labels')),
    );
    for (const field of Object.keys(metadata ?? {}))
      if (!TEMPLATE_METADATA.includes(field))
        errors.push(forbiddenField(meta.child(field === 'uid' ? 'uID' : field), 'cannot be set'));
    errors.push(...validateClaimSpec(template.spec ?? {}, own.child('spec')));
  }
  if (!podName || !volume.name) return;
  const claim = `${podName}-${volume.name}`;
  errors.push(
    ...invalidEach(
      path.child('name'),
      volume.name,
      isDNS1123Subdomain(claim).map((message) => `PVC name "${claim}": ${message}`),
    ),
  );
}

function validateMode(mode: number | undefined, path: Path, errors: FieldError[]): void {
  if (mode !== undefined && (mode < 0 || mode > MAX_MODE)) errors.push(invalidValue(path, mode, MODE));
}

function validatePath(text: string | undefined, path: Path, errors: FieldError[]): void {
  if (!text) errors.push(required(path));
  else validateLocalNonReservedPath(text, path, errors);
}

function validateKeyToPath(item: KeyToPath, at: Path, errors: FieldError[]): void {
  if (!item.key) errors.push(required(at.child('key')));
  validatePath(item.path, at.child('path'), errors);
  validateMode(item.mode, at.child('mode'), errors);
}

function validateDownwardAPIVolumeFile(file: DownwardAPIVolumeFile, at: Path, errors: FieldError[]): void {
  validatePath(file.path, at.child('path'), errors);
  if (file.fieldRef) {
    validateFieldPath(file.fieldRef, FILE_FIELDS, at.child('fieldRef'), errors);
    if (file.resourceFieldRef)
      errors.push(invalidValue(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (file.resourceFieldRef)
    validateResourceField(file.resourceFieldRef, true, at.child('resourceFieldRef'), errors);
  else errors.push(required(at, 'one of fieldRef and resourceFieldRef is required'));
  validateMode(file.mode, at.child('mode'), errors);
}

function validateProjected(projected: ProjectedVolumeSource, at: Path, errors: FieldError[]): void {
  validateMode(projected.defaultMode, at.child('defaultMode'), errors);
  const paths = new Set<string>();
  // Upstream reports a conflict at the volume, with the name of the source where it has one.
  const claim = (text: string | undefined, shown: string | undefined): void => {
    if (!text) return;
    if (paths.has(text)) errors.push(invalidValue(at, shown ?? '', CONFLICTING));
    paths.add(text);
  };
  projected.sources?.forEach((source, i) =>
    validateProjection(source, at, at.child('sources').index(i), claim, errors),
  );
}

function validateProjection(
  source: VolumeProjection,
  volume: Path,
  at: Path,
  claim: (path: string | undefined, shown: string | undefined) => void,
  errors: FieldError[],
): void {
  for (const field of ['secret', 'configMap'] as const) {
    const config = source[field];
    if (!config) continue;
    if (!config.name) errors.push(required(at.child(field, 'name')));
    config.items?.forEach((item, j) => {
      validateKeyToPath(item, at.child(field, 'items').index(j), errors);
      claim(item.path, config.name);
    });
  }
  source.downwardAPI?.items?.forEach((file) => {
    validateDownwardAPIVolumeFile(file, at.child('downwardAPI'), errors);
    claim(file.path, file.path);
  });
  const token = source.serviceAccountToken;
  if (token) {
    const seconds = token.expirationSeconds ?? TOKEN_SECONDS_MIN;
    const own = at.child('serviceAccountToken', 'expirationSeconds');
    if (seconds < TOKEN_SECONDS_MIN)
      errors.push(invalidValue(own, seconds, 'may not specify a duration less than 10 minutes'));
    if (seconds > TOKEN_SECONDS_MAX)
      errors.push(invalidValue(own, seconds, 'may not specify a duration larger than 2^32 seconds'));
    validatePath(token.path, volume.child('path'), errors);
  }
  const named = Object.keys(source).filter((key) => source[key as keyof VolumeProjection] !== undefined);
  if (named.length > 1) errors.push(forbiddenField(at, 'may not specify more than 1 volume type per source'));
}
