/** Volumes of a pod. Models ValidateVolumes of pkg/apis/core/validation. */
import type { DownwardAPIVolumeFile, KeyToPath, PodSpec, Volume, VolumeProjection } from '../../../api/core_v1.js';
import { duplicate, forbiddenField, invalidValue, notSupported, required, type FieldError, type Path } from '../../../machinery/field.js';
import { compareQuantity, isQuantity } from '../../../machinery/quantity.js';
import { invalidEach, isConfigMapKey, isDNS1123Label, isDNS1123Subdomain } from '../../../machinery/validation.js';
import { validateClaimSpec } from '../persistentvolumeclaim/kind.js';
import { descending } from './containers.js';
import { validateFieldPath, validateResourceField } from './environment.js';

const MAX_MODE = 0o777;
const HOST_PATH_TYPES = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const FILE_FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
const TOKEN_SECONDS_MIN = 600;
const TOKEN_SECONDS_MAX = 2 ** 32;

/** Fields that a source cannot do without: source -> field. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  nfs: ['server', 'path'], hostPath: ['path'], secret: ['secretName'], configMap: ['name'], persistentVolumeClaim: ['claimName'], csi: ['driver'],
  iscsi: ['targetPortal', 'iqn'], rbd: ['monitors', 'image'], glusterfs: ['endpoints', 'path'], cephfs: ['monitors'], gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'], azureFile: ['secretName', 'shareName'], azureDisk: ['diskName', 'diskURI'], gitRepo: ['repository'], flexVolume: ['driver'],
  vsphereVolume: ['volumePath'], cinder: ['volumeID'], portworxVolume: ['volumeID'], quobyte: ['registry', 'volume'], photonPersistentDisk: ['pdID'],
};

/** The volumes by name, for those who mount them. */
export function validateVolumes(spec: PodSpec, podName: string | undefined, path: Path, errors: FieldError[]): ReadonlyMap<string, Volume> {
  const volumes = new Map<string, Volume>();
  spec.volumes?.forEach((volume, i) => {
    const at = path.index(i);
    if (!volume.name) errors.push(required(at.child('name')));
    else for (const message of isDNS1123Label(volume.name)) errors.push(invalidValue(at.child('name'), volume.name, message));
    if (volumes.has(volume.name)) errors.push(duplicate(at.child('name'), volume.name));
    volumes.set(volume.name, volume);
    validateSource(volume, podName, at, errors);
  });
  return volumes;
}

function validateSource(volume: Volume, podName: string | undefined, path: Path, errors: FieldError[]): void {
  const sources = Object.keys(volume).filter((key) => key !== 'name' && volume[key as keyof Volume] !== undefined);
  if (sources.length === 0) return void errors.push(required(path, 'must specify a volume type'));
  for (const extra of sources.slice(1)) errors.push(forbiddenField(path.child(extra), 'may not specify more than 1 volume type'));
  const type = sources[0]!;
  const source = volume[type as keyof Volume] as unknown as Record<string, unknown>;
  const at = path.child(type);
  for (const field of REQUIRED[type] ?? []) if (!source[field] || (Array.isArray(source[field]) && !source[field].length)) errors.push(required(at.child(field)));
  validateDetails(volume, podName, at, errors);
}

function validateDetails(volume: Volume, podName: string | undefined, at: Path, errors: FieldError[]): void {
  const { emptyDir, hostPath, nfs, secret, configMap, downwardAPI, projected, ephemeral, image } = volume;
  if (emptyDir?.sizeLimit !== undefined && (!isQuantity(emptyDir.sizeLimit) || compareQuantity(emptyDir.sizeLimit, '0') < 0)) {
    errors.push(forbiddenField(at.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity'));
  }
  if (hostPath) {
    if (hostPath.path?.split('/').includes('..')) errors.push(invalidValue(at.child('path'), hostPath.path, "must not contain '..'"));
    if (!HOST_PATH_TYPES.includes(hostPath.type ?? '')) errors.push(notSupported(at.child('type'), hostPath.type, HOST_PATH_TYPES));
  }
  if (nfs?.path && !nfs.path.startsWith('/')) errors.push(invalidValue(at.child('path'), nfs.path, 'must be an absolute path'));
  if (secret ?? configMap) {
    const { defaultMode, items } = (secret ?? configMap)!;
    validateMode(defaultMode, at.child('defaultMode'), errors);
    validateItems(items, at.child('items'), errors);
  }
  if (downwardAPI) {
    validateMode(downwardAPI.defaultMode, at.child('defaultMode'), errors);
    downwardAPI.items?.forEach((file, i) => validateFile(file, at.child('items').index(i), errors));
  }
  if (projected) {
    validateMode(projected.defaultMode, at.child('defaultMode'), errors);
    validateProjections(projected.sources ?? [], at.child('sources'), errors);
  }
  if (ephemeral) {
    const template = at.child('volumeClaimTemplate');
    if (!ephemeral.volumeClaimTemplate) errors.push(required(template));
    else errors.push(...validateClaimSpec(ephemeral.volumeClaimTemplate.spec ?? {}, template.child('spec')));
    const claim = podName && `${podName}-${volume.name}`;
    if (claim) errors.push(...invalidEach(at, claim, isDNS1123Subdomain(claim)).slice(0, 1));
  }
  if (image) {
    if (!image.reference) errors.push(required(at.child('reference')));
    if (!PULL_POLICIES.includes(image.pullPolicy ?? 'Always')) errors.push(notSupported(at.child('pullPolicy'), image.pullPolicy, PULL_POLICIES));
  }
}

function validateMode(mode: number | undefined, path: Path, errors: FieldError[]): void {
  if (mode !== undefined && (mode < 0 || mode > MAX_MODE)) errors.push(invalidValue(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive'));
}

function validatePath(text: string, path: Path, errors: FieldError[]): void {
  if (!text) errors.push(required(path));
  else {
    descending(text, path, errors);
    if (text.startsWith('..')) errors.push(invalidValue(path, text, "must not start with '..'"));
  }
}

function validateItems(items: readonly KeyToPath[] | undefined, path: Path, errors: FieldError[]): void {
  items?.forEach((item, i) => {
    const at = path.index(i);
    if (!item.key) errors.push(required(at.child('key')));
    else errors.push(...invalidEach(at.child('key'), item.key, isConfigMapKey(item.key)));
    validatePath(item.path, at.child('path'), errors);
    validateMode(item.mode, at.child('mode'), errors);
  });
}

function validateFile(file: DownwardAPIVolumeFile, at: Path, errors: FieldError[]): void {
  validatePath(file.path, at.child('path'), errors);
  validateMode(file.mode, at.child('mode'), errors);
  if (file.fieldRef) {
    validateFieldPath(file.fieldRef.fieldPath, FILE_FIELDS, at.child('fieldRef'), errors);
    if (file.resourceFieldRef) errors.push(invalidValue(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (file.resourceFieldRef) {
    if (!file.resourceFieldRef.containerName) errors.push(required(at.child('resourceFieldRef', 'containerName')));
    else validateResourceField(file.resourceFieldRef.resource, at.child('resourceFieldRef'), errors);
  } else errors.push(required(at, 'one of fieldRef and resourceFieldRef is required'));
}

function validateProjections(sources: readonly VolumeProjection[], path: Path, errors: FieldError[]): void {
  const paths = new Set<string>();
  const claim = (text: string | undefined, at: Path): void => {
    if (text === undefined) return;
    if (paths.has(text)) errors.push(invalidValue(at, text, 'conflicting duplicate paths'));
    paths.add(text);
  };
  sources.forEach((source, i) => {
    const at = path.index(i);
    const named = Object.keys(source).filter((key) => source[key as keyof VolumeProjection] !== undefined);
    if (named.length === 0) errors.push(required(at, 'must specify exactly one volume source'));
    for (const extra of named.slice(1)) errors.push(forbiddenField(at.child(extra), 'may not specify more than 1 volume type per source'));
    for (const field of ['secret', 'configMap'] as const) {
      const { name, items } = source[field] ?? { name: undefined, items: undefined };
      if (source[field] && !name) errors.push(required(at.child(field, 'name')));
      validateItems(items, at.child(field, 'items'), errors);
      items?.forEach((item) => claim(item.path, at.child(field, 'path')));
    }
    source.downwardAPI?.items?.forEach((file, j) => {
      validateFile(file, at.child('downwardAPI', 'items').index(j), errors);
      claim(file.path, at.child('downwardAPI', 'path'));
    });
    const token = source.serviceAccountToken;
    if (!token) return;
    const own = at.child('serviceAccountToken');
    const seconds = token.expirationSeconds ?? TOKEN_SECONDS_MIN;
    if (seconds < TOKEN_SECONDS_MIN) errors.push(invalidValue(own.child('expirationSeconds'), seconds, 'may not specify a duration less than 10 minutes'));
    if (seconds > TOKEN_SECONDS_MAX) errors.push(invalidValue(own.child('expirationSeconds'), seconds, 'may not specify a duration larger than 2^32 seconds'));
    validatePath(token.path, own.child('path'), errors);
    claim(token.path, own.child('path'));
  });
}
